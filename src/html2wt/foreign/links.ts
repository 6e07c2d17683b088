/** Links of other sites, to the extent that they have a meaning here. */

import type { ChildNode } from '../../wikitext/tree/node.ts'
import { isBlock, isGap } from '../node-queries.ts'
import { replaceChildren } from '../tidy.ts'
import { type Rule, wrapped } from './rewrite.ts'

/** Replaces links that run scripts or open local files with their text. */
export const linkRule: Rule = node => {
  if (node.name !== 'a') return null
  const href = (node.attributes.get('href') ?? '').replace(/[\0-\x20]+/g, '')
  if (/^(?:javascript|vbscript|data|file|blob|about|chrome|view-source|ms-\w+):/i.test(href)) return node.children
  // A root-relative path of another site leads to no page of this one.
  const isPath = /^\/(?!\/|wiki\/|w\/|index\.php)/.test(href) && !node.attributes.has('rel')
  if (isPath) return node.children
  const address = addressIn(href) ?? titleIn(href)
  if (address !== null) node.attributes.set('href', address)
  return null
}

/** Returns the target of a link through a redirecting click counter; null for other links. */
function addressIn(href: string): string | null {
  if (!/^https?:\/\/(?:www\.)?google\.[a-z.]+\/url\?/i.test(href)) return null
  const query = new URLSearchParams(href.slice(href.indexOf('?')))
  const address = query.get('q') ?? query.get('url')
  return address !== null && /^https?:\/\//i.test(address) ? address : null
}

/** Returns the title in an edit link to a page that does not exist yet, such as `index.php?title=…`. */
function titleIn(href: string): string | null {
  const match = /^\/(?:w\/)?index\.php\?(.*)$/.exec(href)
  const query = new URLSearchParams(match?.[1] ?? '')
  const title = query.get('redlink') === '1' ? query.get('title') : null
  return title === null ? null : `./${encodeURIComponent(title)}`
}

/** Moves a link around blocks into each of them: in wikitext a link is within one paragraph. */
export const linkAroundRule: Rule = ({ name, children, attributes }) =>
  name === 'a' && attributes.has('href') && children.some(isBlock) ? linkedParts(children, [...attributes]) : null

function linkedParts(children: readonly ChildNode[], attributes: readonly [string, string][]): ChildNode[] {
  const parts: ChildNode[] = []
  let run: ChildNode[] = []
  const endRun = (): void => {
    for (const part of run.every(isGap) ? run : [wrapped('a', run, attributes)]) parts.push(part)
    run = []
  }
  for (const child of children) {
    if (!isBlock(child) || child.kind !== 'element') {
      run.push(child)
      continue
    }
    endRun()
    replaceChildren(child, linkedParts([...child.children], attributes))
    parts.push(child)
  }
  endRun()
  return parts
}

/** Removes event handlers and other attributes that belong to a browser. */
export const handlerRule: Rule = ({ attributes }) => {
  for (const name of [...attributes.keys()])
    if (/^on|^(?:contenteditable|target|nonce|autofocus|ping)$/i.test(name)) attributes.delete(name)
  if (/javascript|vbscript|expression\s*\(|url\s*\(|behaviou?r\s*:|-moz-binding/i.test(attributes.get('style') ?? ''))
    attributes.delete('style')
  return null
}
