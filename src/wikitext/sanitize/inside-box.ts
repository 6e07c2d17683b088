/**
 * A text inside a page of a site: attributes and styles that would act outside the text's box, or look like the page around it. The
 * site's style sheet keeps inside what is drawn; the rules here concern what a box cannot hold. Programs that read the API get the
 * HTML as MediaWiki has it, without these rules: how it is embedded is theirs to decide.
 *
 * Source: docs/rooms/web.md; MediaWiki's css-sanitizer, StylePropertySanitizer.
 */

import { tokenize, tokenNames } from 'css-tree/tokenizer'

/** Prefixes of the attributes and ids of the pages around a text, by which their scripts, styles and links find their own parts. */
const ownAttribute = 'data-ui-'
const ownId = 'ui--'

/** Attributes that are ids, or lists of them. */
const idAttributes: readonly string[] = [
  'id',
  ...['describedby', 'flowto', 'labelledby', 'owns'].map(name => `aria-${name}`),
]

/**
 * Roles of parts of a text. Others belong to the page and its controls: an alert is read out at once, a search or a main part is
 * found among those of the page, a dialog or a text field claims to be one. Source: WAI-ARIA 1.2, 5.3.3 and 5.3.4.
 */
const roles: ReadonlySet<string> = words(`
  article blockquote button caption cell code columnheader complementary definition deletion directory emphasis feed figure
  generic group heading img insertion link list listitem math meter navigation none note paragraph presentation region row
  rowgroup rowheader separator strong subscript superscript table term time toolbar tooltip`)

/**
 * Properties that lay out, colour and write the text itself, by the first word of their names: `border` for `border-top-width`.
 * All others are left out, known or not: some act on the window (`scroll-initial-target`, `overscroll-behavior`), make a field of
 * any element (`user-modify`, `appearance`), or use names of the page (`animation`, `view-transition-name`, `--quiet`).
 */
const families: ReadonlySet<string> = words(`
  align aspect background block border bottom box break caption clear clip color column columns counter cursor direction
  display empty flex float font gap grid height hyphenate hyphens inline inset isolation justify left letter line list margin
  max min mix object opacity order orphans outline overflow padding page place position print quotes resize right rotate row
  ruby scale shape tab table text top transform translate unicode user vertical visibility white widows width word wrap
  writing z`)

/** Properties that do more than the others of their family. */
const exceptions = /^(?:page|position-.*|user-(?!select$).*)$/

/** Maximum characters of a declaration: a list of two thousand shadows keeps a browser busy for a quarter of a minute. */
const longest = 500
/** Columns are at most two digits: each takes time, even an empty one. */
const columns = /^columns|^column-count/
const fewColumns = /^(?:auto|\d{1,2}|[\d.]{1,9}[a-z]{1,9})(?:!important)?$|^!important$/i

const vendor = /^-(?:webkit|moz|ms|o)-/

/** Removes from an element what would act outside the box of its text. */
export function keepInside(attributes: Map<string, string>, styles: Map<string, string>): void {
  dropForged(attributes)
  const role = attributes.get('role')
  if (role !== undefined && !role.split(/\s+/).every(word => roles.has(word.toLowerCase()))) attributes.delete('role')
  const style = attributes.get('style')
  if (style === undefined) return
  const kept = styles.get(style) ?? ownStyle(style)
  styles.set(style, kept)
  if (kept === '') attributes.delete('style')
  else attributes.set('style', kept)
}

/** Removes the names of the page's own parts. */
function dropForged(attributes: Map<string, string>): void {
  for (const name of attributes.keys()) if (name.startsWith(ownAttribute)) attributes.delete(name)
  for (const name of idAttributes) {
    const ids = attributes.get(name)
    if (ids?.includes(ownId) !== true) continue
    const others = ids.split(' ').filter(id => !id.startsWith(ownId))
    if (others.length === 0) attributes.delete(name)
    else attributes.set(name, others.join(' '))
  }
}

/** Returns the declarations of a style that concern the text itself; the same style if all do. */
export function ownStyle(style: string): string {
  const all = declarationsOf(style)
  const kept = all.filter(isOwn)
  return kept.length === all.length ? style : kept.join(';').trim()
}

/** Declarations between semicolons outside all brackets. Source: CSS Syntax Module Level 3, 5.4.4. */
function declarationsOf(style: string): string[] {
  const found: string[] = []
  let depth = 0
  let from = 0
  tokenize(style, (type, start, end) => {
    const name = tokenNames[type] ?? ''
    if (/^[[({]-token$|^function-token$/.test(name)) depth++
    else if (/^[\])}]-token$/.test(name)) depth = Math.max(0, depth - 1)
    else if (name === 'semicolon-token' && depth === 0) {
      found.push(style.slice(from, start))
      from = end
    }
  })
  found.push(style.slice(from))
  return found.filter(declaration => declaration.trim() !== '')
}

/** A rule inside a style begins like a declaration: `color:hover{…}`. */
function isOwn(declaration: string): boolean {
  const [, name = '', value = ''] = /^\s*([\w-]{1,60})\s*:(.*)$/s.exec(declaration) ?? []
  if (name === '' || declaration.length > longest || declaration.includes('{')) return false
  const plain = name.toLowerCase().replace(vendor, '')
  if (!families.has(plain.replace(/-.*/, '')) || exceptions.test(plain)) return false
  return (
    !columns.test(plain) ||
    value
      .trim()
      .split(/\s+/)
      .every(word => fewColumns.test(word))
  )
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
