/**
 * Renders the wikitext of one real page and compares it with the HTML of its own wiki, kind by kind, in document order.
 *
 *     node test/conformance/enwiki.mjs ../shared/data/enwiki-rest
 *
 * Its templates are not available, so the output of templates and the references in them are ignored on both sides. Prints
 * equal/total and the first differences of each kind. Runs on the built library.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultTreeAdapter as adapter, parse } from 'parse5'
import { memoryWiki, wikitextToHtml } from '../../dist/lib/wikitext/index.js'

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  console.error('usage: node test/conformance/enwiki.mjs ../shared/data/enwiki-rest')
  process.exit(2)
}
const { source, title } = JSON.parse(readFileSync(join(folder, 'page_get.json'), 'utf8'))
const reference = readFileSync(join(folder, 'page_get_html.html'), 'utf8')
const { html } = await wikitextToHtml(source, { title, wiki: memoryWiki({ pages: {}, files: [] }) })

const attribute = (node, name) => node.attrs.find(one => one.name === name)?.value ?? ''
const isTransclusion = node => /mw:Transclusion/.test(attribute(node, 'typeof'))

/** Text of a node without references and the output of templates. */
function textOf(node) {
  if (adapter.isTextNode(node)) return node.value
  if (isReference(node) || (node.attrs && (isTransclusion(node) || attribute(node, 'about').startsWith('#mwt'))))
    return ''
  return (node.childNodes ?? []).map(textOf).join('')
}

function isReference(node) {
  return node.attrs !== undefined && /mw:Extension\/ref\b/.test(attribute(node, 'typeof'))
}

/** One line about an element for each kind; undefined if it is of another kind. */
const kinds = {
  sections: node => (node.tagName === 'section' ? attribute(node, 'data-mw-section-id') : undefined),
  headings: node =>
    /^h[2-6]$/.test(node.tagName) ? `${node.tagName} ${attribute(node, 'id')} ${textOf(node).trim()}` : undefined,
  'links to pages': node =>
    attribute(node, 'rel') === 'mw:WikiLink'
      ? `${decodeURI(attribute(node, 'href').replace(/\?[^#]*/, ''))} ${textOf(node)}`
      : undefined,
  'links to other sites': node => (/^mw:ExtLink/.test(attribute(node, 'rel')) ? attribute(node, 'href') : undefined),
  categories: node => (attribute(node, 'rel') === 'mw:PageProp/Category' ? attribute(node, 'href') : undefined),
  paragraphs: node => (node.tagName === 'p' ? textOf(node).replace(/\s+/g, ' ').trim() || undefined : undefined),
  'list items': node => (node.tagName === 'li' ? textOf(node).replace(/\s+/g, ' ').trim() || undefined : undefined),
  'bold and italic': node => (/^[bi]$/.test(node.tagName) ? `${node.tagName} ${textOf(node)}` : undefined),
  'uses of templates': node => (isTransclusion(node) ? targetOf(node) : undefined),
}

function targetOf(node) {
  const { parts = [] } = JSON.parse(attribute(node, 'data-mw') || '{}')
  return parts.map(part => part.template?.target?.wt?.trim() ?? '').join('+')
}

function collect(document) {
  const found = Object.fromEntries(Object.keys(kinds).map(kind => [kind, []]))
  const abouts = new Set()
  const stack = [document]
  while (stack.length > 0) {
    const node = stack.pop()
    if (node.attrs !== undefined) {
      const about = attribute(node, 'about')
      const isMade = isTransclusion(node) || abouts.has(about)
      if (isTransclusion(node)) {
        abouts.add(about)
        found['uses of templates'].push(targetOf(node))
      }
      if (isMade || isReference(node) || /mw:Extension/.test(attribute(node, 'typeof'))) continue
      for (const [kind, say] of Object.entries(kinds)) {
        const said = kind === 'uses of templates' ? undefined : say(node)
        if (said !== undefined) found[kind].push(said)
      }
    }
    for (const child of [...(node.childNodes ?? [])].reverse()) stack.push(child)
  }
  return found
}

/** Counts the common items of two lists, each once, at any position, and those without a partner. */
function match(ours, theirs) {
  const left = new Map()
  for (const item of theirs) left.set(item, (left.get(item) ?? 0) + 1)
  const extra = []
  let equal = 0
  for (const item of ours) {
    const count = left.get(item) ?? 0
    if (count === 0) extra.push(item)
    else {
      left.set(item, count - 1)
      equal++
    }
  }
  return { equal, extra, missing: [...left].flatMap(([item, count]) => Array(count).fill(item)) }
}

const [ours, theirs] = [collect(parse(html)), collect(parse(reference))]
for (const kind of Object.keys(kinds)) {
  const { equal, extra, missing } = match(ours[kind], theirs[kind])
  console.log(`${kind.padEnd(24)} ${equal} equal of ${theirs[kind].length} there, ${ours[kind].length} here`)
  for (const item of missing.slice(0, 2)) console.log(`    only there: ${item.slice(0, 110)}`)
  for (const item of extra.slice(0, 2)) console.log(`    only here:  ${item.slice(0, 110)}`)
}
