/** The links and pictures of a page that mean files of the repository, by the paths alone, and those of them that its HTML leads to. */
import { posix } from 'node:path'
import markdownIt from 'markdown-it'

const markdown = markdownIt({ html: true, linkify: false })

/** The links and pictures of a page: `{link, means}`, where `means` are the places that may be meant. Others mean no file. */
export function wantedLinks({ text, path, model }, places) {
  return (model === 'markdown' ? linksOfMarkdown : linksOfWikitext)(text)
    .map(link => ({ link, means: meantBy(link, path, places) }))
    .filter(({ means }) => means.length > 0)
}

/** For each wanted link, true if one of its places is where a link or picture of the page leads that no other wanted link has taken. */
export function whichLead(wanted, html) {
  const led = destinations(html)
  return wanted.map(({ means }) => {
    const place = means.find(({ key }) => led.get(key) > 0)
    if (place !== undefined) led.set(place.key, led.get(place.key) - 1)
    return place !== undefined
  })
}

/** Counts the links and pictures of a page that lead to each key. A picture in a link is one. Red links lead nowhere. */
function destinations(html) {
  const led = new Map()
  for (const [, link, picture] of html.matchAll(
    /<a\b[^>]*\shref="\.\/([^"]*)"[^>]*>[\s\S]*?<\/a>|\s(?:href|resource)="\.\/([^"]*)"/g,
  )) {
    const href = link ?? picture
    const key = decode(href.replace(/[#?].*/s, '').replaceAll('&amp;', '&'))
    if (!href.includes('redlink=1')) led.set(key, (led.get(key) ?? 0) + 1)
  }
  return led
}

/** The pages and files, `{key, path}`, by path and by base name. */
export function placesOf(all) {
  const byBase = new Map()
  for (const place of all)
    for (const name of namesOf(place.path)) byBase.set(name, [...(byBase.get(name) ?? []), place])
  return { byPath: new Map(all.map(place => [place.path, place])), byBase }
}

/** A file is named by its base name, with and without its extension. */
function namesOf(path) {
  const base = posix.basename(path)
  return new Set([fold(base), fold(base.replace(/\.(?:md|markdown|wiki|wikitext|mediawiki|mw)$/, ''))])
}

function fold(name) {
  return name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
}

/** Possible targets of a link: a path from the page's folder or the root; in Markdown also a name in any folder. */
function meantBy({ target, syntax }, from, { byPath, byBase }) {
  const path = decode(target.replace(/#.*/s, '').replace(/\?.*/s, '')).trim()
  if (path === '' || /^[a-z][a-z+.-]*:/i.test(path) || path.startsWith('//')) return []
  const candidates = [posix.join('/', posix.dirname(from), path), posix.join('/', path)].map(one => one.slice(1))
  const exact = candidates.flatMap(one =>
    ['', '.md', '.markdown', '.mediawiki', '.wiki', '/README.md', '/index.md'].map(end =>
      byPath.get(one.replace(/\/$/, '') + end),
    ),
  )
  const found = exact.filter(place => place !== undefined)
  if (found.length > 0 || syntax === 'wikitext') return found
  const wanted = fold(posix.basename(path))
  const parts = path
    .split('/')
    .filter(part => part !== '' && part !== '.' && part !== '..')
    .map(fold)
  return (byBase.get(wanted) ?? []).filter(
    place => fold(place.path).split('/').slice(-parts.length, -1).join('/') === parts.slice(0, -1).join('/'),
  )
}

function decode(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function linksOfMarkdown(page) {
  const text = page.replace(/^---\n[\s\S]*?\n---\n/, '')
  const links = []
  const take = token => {
    const target = token.attrGet?.('href') ?? token.attrGet?.('src')
    if (target) links.push({ target, syntax: 'markdown' })
    if (token.type === 'text') links.push(...bracketLinks(token.content))
    if (token.type === 'html_inline' || token.type === 'html_block') links.push(...imagesIn(token.content))
    token.children?.forEach(take)
  }
  markdown.parse(text, {}).forEach(take)
  return links
}

/** Either of two parts may be the target: the one that names a file is used. */
function bracketLinks(text) {
  return [...text.matchAll(/\[\[([^[\]|]+)(?:\|([^[\]]*))?\]\]/g)].map(([, first]) => ({
    target: first.trim(),
    syntax: 'brackets',
  }))
}

function linksOfWikitext(page) {
  const text = page.replace(
    /<!--[\s\S]*?-->|<(nowiki|pre|source|syntaxhighlight|code|tt)\b[^>]*>[\s\S]*?<\/\1>|^ .*$/gm,
    '',
  )
  const links = [...text.matchAll(/\[\[:?([^[\]|\n]+)(?:\|[^[\]]*)?\]\]/g)].map(([, target]) => ({
    target: target.trim().replace(/^(?:File|Image|Media):/i, ''),
    syntax: 'wikitext',
  }))
  return [...links, ...imagesIn(text)]
}

function imagesIn(text) {
  return [...text.matchAll(/<img\b[^>]*?\bsrc\s*=\s*["']?([^"'\s>]+)/gi)].map(([, target]) => ({
    target,
    syntax: 'wikitext',
  }))
}
