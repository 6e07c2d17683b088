/** One `<ref>` as it was written: attributes read and checked, content parsed. */

import type { ChildNode } from '../../tree/node.ts'
import type { ExtensionCall } from '../extension.ts'
import type { CiteError } from './errors.ts'

const directions = ['ltr', 'rtl', 'auto']

/** Attributes and content of a `<ref>`. An invalid name is ''. */
export interface RefTag {
  readonly name: string
  /** Null if the tag has none; then it is the list's, or ''. */
  readonly group: string | null
  readonly follow: string
  readonly dir: string
  /** Null without the attribute. */
  readonly details: string | null
  /** True for a body with more than white space. */
  readonly hasText: boolean
  readonly hasBody: boolean
  readonly content: readonly ChildNode[]
  readonly detailsContent: readonly ChildNode[]
  readonly errors: readonly CiteError[]
}

export interface RefOptions {
  /** If true, `details` makes sub-references. */
  readonly subReferences: boolean
}

/** Reads a tag's attributes. Source: Cite, the attributes of `<ref>` and its error messages. */
export function readRefTag(
  call: ExtensionCall,
  parsed: { content: readonly ChildNode[]; detailsContent: readonly ChildNode[] },
  { subReferences }: RefOptions,
): RefTag {
  const { attributes } = call
  const name = attributes.get('name') ?? ''
  const follow = attributes.get('follow') ?? ''
  const details = (subReferences ? attributes.get('details') : undefined) ?? null
  const dir = attributes.get('dir')?.toLowerCase()
  const dirIsValid = dir !== undefined && directions.includes(dir)
  const errors: CiteError[] = [...unknownAttributes(attributes, subReferences)]
  if (follow !== '' && (name !== '' || (details ?? '') !== '')) errors.push({ key: 'cite_error_ref_follow_conflicts' })
  if (isNumber(name) || isNumber(follow)) errors.push({ key: 'cite_error_ref_numeric_key' })
  if (dir !== undefined && !dirIsValid) {
    errors.push({ key: 'cite_error_ref_invalid_dir', params: [attributes.get('dir')!] })
  }
  return {
    name: isNumber(name) ? '' : name,
    group: attributes.get('group') ?? null,
    follow,
    dir: dirIsValid ? dir : '',
    details,
    hasText: call.body !== null && call.body.trim() !== '',
    hasBody: call.body !== null,
    ...parsed,
    errors,
  }
}

function unknownAttributes(attributes: ReadonlyMap<string, string>, subReferences: boolean): CiteError[] {
  const allowed = ['dir', 'follow', 'group', 'name']
  if (subReferences) allowed.unshift('details')
  const unknown = [...attributes.keys()].find(name => !allowed.includes(name))
  if (unknown === undefined) return []
  return [{ key: 'cite_error_ref_too_many_keys', params: [unknown, allowed.sort().join(', ')] }]
}

function isNumber(name: string): boolean {
  return /^\d+$/.test(name)
}
