/** Rewrites a link's target so that it leads to the same page as before, in the style of the old target if possible. */

import { namespaceIds } from '../../core/namespaces.ts'
import type { Title } from '../../core/title.ts'
import { hasExpression, readExpression } from '../../links/expression.ts'
import { decodePath, hasOptionalExtension } from '../../links/names.ts'
import { joinPath } from '../../links/resolve.ts'
import type { LinkRange } from '../../wikitext/index.ts'

/** A link whose target has to change. */
export interface OldLink {
  readonly range: LinkRange
  /** As written, with its fragment. */
  readonly written: string
  /** True if the target is a title; false for a path or a name. */
  readonly isTitle: boolean
  /** False if the link displays a file or categorises its page. */
  readonly isShown: boolean
  /** True if a name without a folder led to a file in another folder, as in wikis of Gollum and GitHub. */
  readonly isByName: boolean
  /** Future folder of the page that contains it; "" at the root. */
  readonly folder: string
  /** The future name of the page or file that it leads to; `path` is null if no file exists. */
  readonly wanted: { readonly title: Title; readonly path: string | null }
  /** True if its spaces stand for dashes of the file's name. */
  readonly isSpaced: boolean
}

const categoryNamespace = 14
const templateNamespace = 10

/** Returns candidate targets in order of preference; each has the old fragment, and the expression around a path. */
export function newTargets(link: OldLink): string[] {
  const expression = link.range.form === 'path' && hasExpression(link.written) ? readExpression(link.written) : null
  if (expression === null) return plainTargets(link)
  const { before, path, after } = expression
  const isRooted = path.startsWith('/')
  // The tags of Jekyll name files from the root without a slash.
  return plainTargets({ ...link, written: path }).map(to => before + (isRooted ? to : to.replace(/^\//, '')) + after)
}

function plainTargets(link: OldLink): string[] {
  const { range, written, isTitle, wanted } = link
  const hash = range.form === 'path' ? written.search(/[#?]/) : written.indexOf('#')
  const [name, rest] = hash === -1 ? [written, ''] : [written.slice(0, hash), written.slice(hash)]
  const paths =
    wanted.path === null || range.form === 'template' ? [] : pathTargets({ ...link, written: name }, wanted.path)
  const titles = titleTargets(link, name)
  const all = isTitle || paths.length === 0 ? [...titles, ...paths] : [...paths, ...titles]
  return [...new Set(all)].map(target => target + rest)
}

function titleTargets({ range, wanted, isShown }: OldLink, name: string): string[] {
  const spaced = range.form === 'name' || name.includes(' ') || !name.includes('_')
  const text = spaced ? wanted.title.text : wanted.title.key
  switch (range.form) {
    case 'path':
      return [encodePath(wanted.title.key, range)]
    case 'name':
      return [text]
    case 'template':
      return templateTargets(name, text, wanted.title)
    case 'gallery':
      return [name.includes(':') ? text : text.slice(text.indexOf(':') + 1), text]
    default:
      // Without a colon, a link to a file or category would display the file or categorise the page.
      return name.startsWith(':') || (isShown && isMembership(wanted.title.namespace))
        ? [`:${text}`]
        : [text, `:${text}`]
  }
}

function isMembership(namespace: number): boolean {
  return namespace === namespaceIds.file || namespace === categoryNamespace
}

function templateTargets(name: string, text: string, { namespace }: Title): string[] {
  const full = namespace === namespaceIds.main ? `:${text}` : text
  if (namespace !== templateNamespace) return [full]
  const short = text.slice(text.indexOf(':') + 1)
  return name.includes(':') ? [full, short] : [short, full]
}

/** Ordered from the form most similar to the old one to the longest. */
function pathTargets({ range, written, isByName, isSpaced, folder }: OldLink, path: string): string[] {
  const hadExtension = hasOptionalExtension(written) || !hasOptionalExtension(path)
  const whole = hadExtension ? path : path.replace(/\.[^./]+$/, '')
  const relative = relativePath(folder, whole)
  const dotted = written.startsWith('./') && !relative.startsWith('../') ? `./${relative}` : relative
  const base = whole.slice(whole.lastIndexOf('/') + 1)
  const rooted = `/${rootPrefix(written)}${whole}`
  const plain = decodePath(written)
  const ways = written.startsWith('/') ? [rooted, dotted] : [dotted, rooted]
  const isBare = !plain.includes('/')
  const named = range.form === 'name' ? nameTargets(base, whole, { isBare, isSpaced }) : isBare ? [base] : []
  const all =
    range.form === 'name' || isByName ? [...named, ...ways] : [...ways.slice(0, 1), ...named, ...ways.slice(1)]
  return all.map(target => (range.form === 'path' ? encodePath(target, range) : target))
}

/** A name is spelled as the file's, with spaces for its dashes only where the old one had them. */
function nameTargets(
  base: string,
  whole: string,
  { isBare, isSpaced }: { readonly isBare: boolean; readonly isSpaced: boolean },
): string[] {
  const shaped = (text: string) => (isSpaced ? [text.replace(/[-_]+/g, ' '), text] : [text])
  return isBare ? [...shaped(base), ...shaped(whole)] : [...shaped(whole), ...shaped(base)]
}

/** Returns the prefix that wikis put before the paths of pages: `owner/repository/wiki/`. */
function rootPrefix(written: string): string {
  return /^\/((?:[^/]+\/[^/]+\/)?(?:-\/)?(?:wiki|wikis)\/)/.exec(written)?.[1] ?? ''
}

/** Relative path of a file from a folder. */
export function relativePath(folder: string, path: string): string {
  const [from, to] = [folder === '' ? [] : folder.split('/'), joinPath('', path).split('/')]
  let common = 0
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++
  return [...from.slice(common).map(() => '..'), ...to.slice(common)].join('/')
}

/** Writes a target within quotes of front matter; null if it would end the value there. */
export function quotedTarget(target: string, { enclosed }: LinkRange): string | null {
  if (enclosed === 'double') return target.replace(/["\\]/g, '\\$&')
  if (enclosed === 'single') return target.replaceAll("'", "''")
  return enclosed === 'value' && /[,:#{}&*!?'"%@`\\]/.test(target) ? null : target
}

/** Formats a path as a link destination, percent-encoding characters that would end it or change its meaning. */
function encodePath(path: string, { enclosed }: LinkRange): string {
  const coded = path.replace(/[%#?\\"'<>`]/g, encodeCharacter).replace(/[\0-\x1f\x7f]/g, encodeCharacter)
  return enclosed === 'none' ? coded.replace(/[\s()]/g, encodeCharacter) : coded
}

function encodeCharacter(character: string): string {
  return character === '('
    ? '%28'
    : character === ')'
      ? '%29'
      : character === "'"
        ? '%27'
        : encodeURIComponent(character)
}
