/**
 * Renders every page of repositories and checks its links.
 *
 *     node links.mjs <clone or bundle>... [--list] [--update]
 *
 * A link or picture that means a file of the repository, by the rules of its dialect, has to lead there. Its meaning is
 * determined here without the product, from the paths of the repository alone. Shares may not fall below `links.json`;
 * `--update` rewrites them; `--list` prints each link that leads elsewhere.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import markdownIt from 'markdown-it'
import { renderPage } from '../../dist/lib/operations/render-page.js'
import { openWiki } from '../../dist/lib/operations/wiki.js'

const ratchet = fileURLToPath(new URL('links.json', import.meta.url))
const sources = process.argv.slice(2).filter(argument => !argument.startsWith('--'))
const lists = process.argv.includes('--list')
const known = JSON.parse(readFileSync(ratchet, 'utf8'))
const markdown = markdownIt({ html: true, linkify: false })
let isWorse = false

for (const source of sources) {
  const name = basename(source).replace(/\.bundle$/, '')
  const counts = await lookAt(source)
  const missing = counts.wanted - counts.led
  const least = known[name] ?? { led: 0 }
  isWorse ||= counts.led < least.led
  known[name] = counts
  const share = counts.wanted === 0 ? 100 : (100 * counts.led) / counts.wanted
  console.log(
    `${name}: ${counts.led} of ${counts.wanted} links and pictures lead to their file (${share.toFixed(1)} %), ${missing} do not`,
  )
}
if (process.argv.includes('--update')) writeFileSync(ratchet, `${JSON.stringify(known, null, 2)}\n`)
else if (isWorse) {
  console.error('fewer than links.json says')
  process.exitCode = 1
}

/** Counts the links of a repository. */
async function lookAt(source) {
  const folder = mkdtempSync(join(tmpdir(), 'gitwiki-links-'))
  try {
    execFileSync('git', ['clone', '-q', source, folder], { stdio: 'ignore' })
    const wiki = await openWiki({ directory: folder })
    await wiki.store.refresh()
    const places = placesOf(wiki.store)
    const counts = { wanted: 0, led: 0 }
    for (const page of wiki.store.pages()) {
      if (page.model !== 'markdown' && page.model !== 'wikitext') continue
      const text = readFileSync(join(folder, page.path), 'utf8')
      const wanted = (page.model === 'markdown' ? linksOfMarkdown : linksOfWikitext)(text)
        .map(link => ({ link, means: meantBy(link, page.path, places) }))
        .filter(({ means }) => means.length > 0)
      if (wanted.length === 0) continue
      const { html } = await renderPage(wiki, { title: page.title, redirect: false })
      const led = destinations(html)
      counts.wanted += wanted.length
      for (const { link, means } of wanted) {
        if (means.some(({ key }) => led.has(key))) counts.led++
        else if (lists)
          console.log(
            `  ${page.path}: ${link.target} (${link.syntax}) means ${means.map(({ path }) => path).join(' or ')}`,
          )
      }
    }
    await wiki.close()
    return counts
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function placesOf(store) {
  const all = [...store.pages(), ...store.files()].map(({ key, path }) => ({ key, path }))
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

/** Keys that the links and pictures of a page resolve to; red links resolve to nothing. */
function destinations(html) {
  const hrefs = [...html.matchAll(/\s(?:href|resource)="\.\/([^"]*)"/g)].map(([, href]) => href)
  const led = hrefs
    .filter(href => !href.includes('redlink=1'))
    .map(href => decode(href.replace(/[#?].*/s, '').replaceAll('&amp;', '&')))
  return new Set(led)
}
