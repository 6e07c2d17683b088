/**
 * Compares lint with recorded responses of MediaWiki.
 *
 *     node test/conformance/lint.mjs [--update] [--show <n>] exchanges.jsonl.gz wiki.xml.gz
 *
 * It uses the successful exchanges of the section `lint` that contain wikitext; the export has the templates. Exit status 1 if
 * fewer are equal than lint.json states. `--update` rewrites lint.json.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { bundleWikitext } from './bundle-wikitext.mjs'

const ratchetFile = new URL('lint.json', import.meta.url)
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { update: { type: 'boolean', default: false }, show: { type: 'string', default: '0' } },
})
if (positionals.length !== 2) {
  console.error('usage: node test/conformance/lint.mjs [--update] [--show <n>] exchanges.jsonl.gz wiki.xml.gz')
  process.exit(2)
}

const [exchangesFile, wikiFile] = positionals
const unzip = file => gunzipSync(readFileSync(file)).toString('utf8')
const { lintWikitext, memoryWiki } = await bundleWikitext()

const decoded = text =>
  text.replace(/&(lt|gt|quot|amp);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name])

/** The last text of each page of an export. */
function pagesOf(xml) {
  const pages = {}
  for (const [, page] of xml.matchAll(/<page>([\s\S]*?)<\/page>/g)) {
    const title = decoded(/<title>(.*?)<\/title>/.exec(page)[1])
    const texts = [...page.matchAll(/<text[^>]*?(?:\/>|>([\s\S]*?)<\/text>)/g)]
    if (/^[^<>[\]{}|#]+$/.test(title)) pages[title] = decoded(texts.at(-1)?.[1] ?? '')
  }
  return pages
}

const small = {
  name: 'Small.png',
  mediatype: 'BITMAP',
  mime: 'image/png',
  size: 100,
  width: 200,
  height: 100,
  duration: null,
  url: '/Small.png',
  thumbnail: width => `/${width}px-Small.png`,
}
const wiki = memoryWiki({
  pages: pagesOf(unzip(wikiFile)),
  files: [small],
  config: { interwiki: { wikipedia: 'https://en.wikipedia.org/wiki/$1' }, languages: { de: 'https://de.example/$1' } },
})

let show = Number(values.show)
const counts = { equal: 0, total: 0 }
for (const line of unzip(exchangesFile).split('\n')) {
  if (line === '') continue
  const { section, name, request, mw143 } = JSON.parse(line)
  if (section !== 'lint' || mw143?.status !== 200 || !Array.isArray(mw143.body)) continue
  const body = typeof request.body === 'string' ? JSON.parse(request.body) : request.body
  const text = body?.wikitext?.body ?? body?.wikitext
  // The API uses other units than the engine.
  if (typeof text !== 'string' || body.offsetType !== undefined) continue
  const got = await lintWikitext(text, { title: 'RT Target', wiki })
  counts.total++
  if (isDeepStrictEqual(JSON.parse(JSON.stringify(got)), mw143.body)) counts.equal++
  else if (show-- > 0) {
    console.log(`${name}: ${JSON.stringify(text)}`)
    for (const lint of mw143.body) console.log(`  want ${short(lint)}`)
    for (const lint of got) console.log(`  got  ${short(lint)}`)
  }
}

function short({ type, dsr, templateInfo, params }) {
  return `${type} ${JSON.stringify(dsr)} ${JSON.stringify(params)} ${templateInfo === null ? '' : JSON.stringify(templateInfo)}`
}

console.log(`lint: ${counts.equal} of ${counts.total} answers equal`)
if (values.update) writeFileSync(ratchetFile, `${JSON.stringify(counts, null, 2)}\n`)
else process.exitCode = isLess(counts, JSON.parse(readFileSync(ratchetFile, 'utf8'))) ? 1 : 0

/** With another number of answers all must be equal. */
function isLess({ equal, total }, known) {
  return equal < (total === known.total ? known.equal : total) || total === 0
}
