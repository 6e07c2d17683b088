/** Compares two pages of HTML: the displayed text, the elements and the attributes for editors. */
import { defaultTreeAdapter as adapter, parse } from 'parse5'

const blocks = new Set(
  'article aside blockquote body caption center dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 header hr li link meta ol p pre section table tbody td tfoot th thead tr ul'.split(
    ' ',
  ),
)

/** Elements around text that is shown literally. */
const shields = new Set(['mw:Nowiki', 'mw:Entity'])

const emptyFormats = /<([bi])><\/\1>/g

/**
 * Normalizes a document, so that documents with the same meaning are equal: one line for each thing. It omits the ids for
 * editors, numbers of templates, the marks of shielded text, formatting of nothing and white space; and, unless they are
 * requested, sections with the ids of headings and the table of contents, which differ in Markdown.
 */
export function meaningOf(html, { sections = true } = {}) {
  const page = { abouts: new Map(), lines: [], text: '' }
  const pending = [{ node: bodyOf(parse(html)), isPre: false }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, isPre, closes } = next
    if (closes !== undefined) end(page, closes)
    else if (adapter.isTextNode(node)) page.text = isPre ? page.text + node.value : collapse(page.text, node.value)
    else if (adapter.isCommentNode(node)) page.text += `<!--${node.data}-->`
    else if (adapter.isElementNode(node)) {
      const isSaid = isMeant(node) && (sections || !isOfSections(node))
      if (isSaid) begin(page, sections ? node : withoutHeadingId(node))
      if (isSaid) pending.push({ closes: node.tagName })
      const held = isPre || node.tagName === 'pre'
      for (const child of [...node.childNodes].reverse()) pending.push({ node: child, isPre: held })
    }
  }
  flush(page)
  return page.lines
}

function isOfSections({ tagName, attrs }) {
  return tagName === 'section' || attrs.some(({ value }) => value === 'mw:FallbackId' || value === 'mw:PageProp/toc')
}

function withoutHeadingId(node) {
  return /^h[1-6]$/.test(node.tagName) ? { ...node, attrs: node.attrs.filter(({ name }) => name !== 'id') } : node
}

function isMeant({ tagName, attrs }) {
  return tagName !== 'span' || !attrs.some(({ name, value }) => name === 'typeof' && shields.has(value))
}

function begin(page, node) {
  const tag = describe(node, page.abouts)
  if (!blocks.has(node.tagName)) page.text += tag
  else {
    flush(page)
    page.lines.push(tag)
  }
}

function end(page, name) {
  if (!blocks.has(name)) page.text += `</${name}>`
  else {
    flush(page)
    page.lines.push(`/${name}`)
  }
}

function flush(page) {
  const shown = page.text.replace(emptyFormats, '').trim()
  if (shown !== '') page.lines.push(shown)
  page.text = ''
}

function bodyOf(document) {
  const root = document.childNodes.find(node => node.tagName === 'html')
  return root.childNodes.find(node => node.tagName === 'body')
}

/** White space counts once, wherever elements around it begin and end. */
function collapse(text, more) {
  const added = more.replace(/[ \t\n]+/g, ' ')
  return /(?:^|[ ])(?:<[^<>]*>)*$/.test(text.slice(-300)) && added.startsWith(' ')
    ? text + added.slice(1)
    : text + added
}

function describe({ tagName, attrs }, abouts) {
  const told = attrs
    .filter(({ name, value }) => name !== 'data-parsoid' && !(name === 'id' && /^mw[\w-]{2,6}$/.test(value)))
    .map(({ name, value }) => [name, meant(name, value, abouts)])
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return `<${[tagName, ...told.map(([name, value]) => `${name}=${JSON.stringify(value)}`)].join(' ')}>`
}

function meant(name, value, abouts) {
  if (name === 'about') {
    if (!abouts.has(value)) abouts.set(value, `#${abouts.size}`)
    return abouts.get(value)
  }
  if (name !== 'data-mw') return value
  return value
    .replace(/\s*data-parsoid='[^']*'|\s*data-parsoid=\\"[^"]*\\"/g, '')
    .replace(/ id=(?:'|\\")mw[\w-]{2,6}(?:'|\\")/g, '')
}
