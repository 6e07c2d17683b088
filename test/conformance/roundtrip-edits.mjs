/** Single edits of a page's HTML: one word of a paragraph, a list item, a cell or a heading is replaced. */
import { defaultTreeAdapter as adapter, parse, serialize } from 'parse5'

/** The replacement word. */
export const newWord = 'Zwischenruf'

const kinds = {
  p: 'paragraph',
  li: 'list item',
  dd: 'list item',
  dt: 'list item',
  td: 'cell',
  th: 'cell',
  caption: 'cell',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
}

const kindNames = [...new Set([...Object.values(kinds), 'note'])]

/** The document as a browser serializes it. */
export function throughBrowser(html) {
  return serialize(parse(html))
}

/**
 * Finds the words of each kind of block that an editor could change, as ranges in the HTML: `{start, end, isLink}`. The output of
 * templates, extension tags and missing files does not belong to the page.
 */
export function findWords(html) {
  const found = Object.fromEntries(kindNames.map(kind => [kind, []]))
  const made = new Set()
  const notes = new Set()
  const pending = [{ node: parse(html, { sourceCodeLocationInfo: true }), kind: undefined, isLink: false }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, kind, isLink } = next
    if (adapter.isTextNode(node)) {
      if (kind !== undefined && kind !== 'list') addWords(found[kind], html, { ...node.sourceCodeLocation, isLink })
      continue
    }
    const type = attributeOf(node, 'typeof')
    const isNotes = type === 'mw:Extension/references' && !made.has(attributeOf(node, 'about'))
    if (type === 'mw:Extension/ref') notes.add(JSON.parse(attributeOf(node, 'data-mw')).body?.id)
    if (!isNotes && isMade(node, made)) continue
    const held = isOtherNote(node, notes) ? undefined : kindOf(node, isNotes ? 'list' : kind)
    for (const child of [...(node.childNodes ?? [])].reverse())
      pending.push({ node: child, kind: held, isLink: isLink || node.tagName === 'a' })
  }
  return found
}

/** The text of a note without a marker on the page itself. */
function isOtherNote(node, notes) {
  return attributeOf(node, 'class').includes('mw-reference-text') && !notes.has(attributeOf(node, 'id'))
}

/** Of the list of notes, only the notes belong to the page. */
function kindOf(node, around) {
  if (around !== 'list') return around === 'note' ? around : (kinds[node.tagName] ?? around)
  return attributeOf(node, 'class').includes('mw-reference-text') ? 'note' : 'list'
}

function isMade(node, made) {
  if (node.tagName === 'head' || node.tagName === 'pre') return true
  const [about, type] = [attributeOf(node, 'about'), attributeOf(node, 'typeof')]
  const isOwn =
    /mw:(?:Transclusion|Param|Extension|Placeholder|Entity|DisplaySpace)/.test(type) ||
    attributeOf(node, 'class').includes('mw-broken-media')
  if (isOwn && about !== '') made.add(about)
  return isOwn || made.has(about)
}

function attributeOf(node, name) {
  return node.attrs?.find(attribute => attribute.name === name)?.value ?? ''
}

function addWords(words, html, { startOffset, endOffset, isLink }) {
  if (startOffset === undefined) return
  const text = html.slice(startOffset, endOffset)
  for (const { 0: word, index } of text.matchAll(/(?<![&#\p{L}\p{N}])\p{L}{4,}(?![;\p{L}\p{N}])/gu)) {
    const start = startOffset + index
    words.push({ start, end: start + word.length, isLink })
  }
}

/** Classifies the difference of two texts: `word` if the new word is there in place of the old one, `line` if more of that line differs, `more`, or `none`. */
export function lineOfEdit(before, after, word) {
  if (before === after) return 'none'
  const [old, now] = [before.split('\n'), after.split('\n')]
  if (old.length !== now.length) return 'more'
  const changed = old.flatMap((line, index) => (line === now[index] ? [] : [index]))
  if (changed.length !== 1 || !now[changed[0]].includes(newWord)) return 'more'
  return now[changed[0]].replace(newWord, () => word) === old[changed[0]] ? 'word' : 'line'
}
