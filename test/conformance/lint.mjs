/**
 * Compares lint with recorded responses of MediaWiki.
 *
 *     node test/conformance/lint.mjs [--update | --other] [--show <n>] exchanges.jsonl.gz wiki.xml.gz
 *
 * It uses the successful exchanges of the section `lint` that contain wikitext; the export has the templates. Exit status 1 if
 * one differs. `--update` rewrites lint.json, `--other` does without it (ratchet.mjs).
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { bundleWikitext } from './bundle-wikitext.mjs'
import { isSameAnswer } from './compare.mjs'
import { Cases, judgeCases, readCommandLine } from './ratchet.mjs'

const { sources, show, update, other } = readCommandLine('<exchanges.jsonl.gz> <wiki.xml.gz>', {
  show: { type: 'string', default: '0' },
})
const [exchangesFile, wikiFile] = sources
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

let shown = Number(show)
const cases = new Cases()
for (const line of unzip(exchangesFile).split('\n')) {
  if (line === '') continue
  const { section, name, request, mw143 } = JSON.parse(line)
  if (section !== 'lint' || mw143?.status !== 200 || !Array.isArray(mw143.body)) continue
  const body = typeof request.body === 'string' ? JSON.parse(request.body) : request.body
  const text = body?.wikitext?.body ?? body?.wikitext
  // The API uses other units than the engine.
  if (typeof text !== 'string' || body.offsetType !== undefined) continue
  const got = await lintWikitext(text, { title: 'RT Target', wiki })
  const isEqual = isSameAnswer(got, mw143.body)
  cases.add('lint', name, isEqual)
  if (!isEqual && shown-- > 0) {
    console.log(`${name}: ${JSON.stringify(text)}`)
    for (const lint of mw143.body) console.log(`  want ${short(lint)}`)
    for (const lint of got) console.log(`  got  ${short(lint)}`)
  }
}

function short({ type, dsr, templateInfo, params }) {
  return `${type} ${JSON.stringify(dsr)} ${JSON.stringify(params)} ${templateInfo === null ? '' : JSON.stringify(templateInfo)}`
}

judgeCases('lint.json', cases, { update, other })
