/**
 * Times the import of a dump: revisions per second and memory, beside `git fast-import` of the same commits, which it need not
 * read from XML, sort or name; then the cost of reading packs that git did not write.
 *
 *     npm run build && node test/bench/import.mjs [--quick]
 */

import { once } from 'node:events'
import { createWriteStream, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importDump, openWiki } from '../../dist/lib/index.js'
import { initRepository } from '../../dist/lib/store/repository/init.js'
import * as bench from './measure.mjs'

const here = fileURLToPath(import.meta.url)
const size = bench.isQuick ? { pages: 200, revisions: 2000 } : { pages: 2000, revisions: 50_000 }
const cache = join(tmpdir(), 'gitwiki-bench')
const words = 'harbour tide boat gull salt rope mast keel wind wave sand reef pilot chart light bell fog moor'.split(
  ' ',
)

if (process.argv[2] === 'import') await importHere(process.argv[3], process.argv[4])
else if (process.argv[2] === 'generate') await generated()
else await measure()

async function measure() {
  const { dump, stream } = await generated()
  for (const backend of ['git', 'isomorphic-git']) {
    const { ours, beside } = await bench.interleave(
      { ours: () => importInChild(dump, backend), beside: () => fastImport(stream) },
      { warm: false, seconds: 1, least: bench.isQuick ? 3 : 1 },
    )
    const { revisions, rss } = ours.last
    bench.table(
      `Import: ${size.revisions} revisions of ${size.pages} pages through ${backend}, beside git fast-import`,
      [
        { what: 'all of it', ours, beside },
        { what: 'revisions a second of CPU time, index included', ours: perSecond(revisions, ours.cpu) },
        { what: 'the same of git fast-import alone', ours: perSecond(revisions, beside.cpu) },
        { what: 'revisions a second', ours: perSecond(revisions, ours.wall), target: '≥ 5000' },
        { what: 'peak memory of the process', ours: `${rss.toFixed(0)} MB`, target: '< 300 MB' },
      ],
    )
  }
  await readBack(dump, stream)
}

function perSecond(revisions, milliseconds) {
  return (revisions / (milliseconds / 1000)).toFixed(0)
}

/** Git reads packs with deltas that it did not make. */
async function readBack(dump, stream) {
  const [ours, beside] = [mkdtempSync(join(tmpdir(), 'gitwiki-')), mkdtempSync(join(tmpdir(), 'gitwiki-'))]
  importInto(ours, dump)
  fastImportInto(beside, stream)
  const log = folder => bench.command('git', '-C', folder, 'log', '--raw', '--no-abbrev', 'main')
  const read = await bench.interleave({ ours: log(ours), beside: log(beside) })
  bench.table('git log --raw of the imported wiki, beside what fast-import made', [{ what: 'all history', ...read }])
  for (const folder of [ours, beside]) rmSync(folder, { recursive: true, force: true })
}

function importInChild(dump, backend) {
  return JSON.parse(bench.run(process.execPath, [here, 'import', dump, backend]))
}

/** In a separate process: imports, and reports time and memory. */
async function importHere(dump, backend) {
  const directory = mkdtempSync(join(tmpdir(), 'gitwiki-'))
  initRepository(directory, { bare: true })
  const cpu = bench.cpuTime()
  const start = performance.now()
  const wiki = await openWiki({ directory, backend })
  const marks = {}
  const { revisions } = await importDump(wiki, {
    dump,
    progress: step => {
      marks[step] = performance.now() - start
    },
  })
  const wall = performance.now() - start
  await wiki.close()
  const rss = process.resourceUsage().maxRSS / 1024
  rmSync(directory, { recursive: true, force: true })
  console.log(JSON.stringify({ wall, cpu: bench.cpuTime() - cpu, rss, revisions, marks }))
}

function importInto(directory, dump) {
  initRepository(directory, { bare: true })
  bench.wikiCommand(directory, 'import', dump, '--quiet')()
}

function fastImport(stream) {
  const folder = mkdtempSync(join(tmpdir(), 'gitwiki-'))
  fastImportInto(folder, stream)
  rmSync(folder, { recursive: true, force: true })
}

function fastImportInto(folder, stream) {
  bench.run('git', ['init', '-q', '--bare', '-b', 'main', folder])
  bench.run('git', [`--git-dir=${folder}`, 'fast-import', '--quiet'], { input: readFileSync(stream) })
}

/** The same history as a dump, page by page, and as a stream, in order of time. */
async function generated() {
  const name = `dump-${size.pages}-${size.revisions}`
  const [dump, stream] = [join(cache, `${name}.xml`), join(cache, `${name}.fast-import`)]
  if (existsSync(dump) && existsSync(stream)) return { dump, stream }
  mkdirSync(cache, { recursive: true })
  await write(stream, streamOf(history()))
  await write(dump, dumpOf(history()))
  return { dump, stream }
}

async function write(path, pieces) {
  const file = createWriteStream(`${path}.part`)
  for (const piece of pieces) if (!file.write(piece)) await once(file, 'drain')
  file.end()
  await once(file, 'close')
  renameSync(`${path}.part`, path)
}

function history() {
  const random = randomNumbers(11)
  const texts = Array.from({ length: size.pages }, () => Array.from({ length: 12 }, () => line(random)))
  return Array.from({ length: size.revisions }, (_, at) => {
    const page = at < size.pages ? at : Math.floor(size.pages * random() ** 2)
    const lines = texts[page]
    lines[Math.floor(random() * lines.length)] = line(random)
    return { id: at + 1, page, text: lines.join('\n'), user: at % 97, time: 1_300_000_000 + at * 60 }
  })
}

function* streamOf(revisions) {
  const data = text => `data ${Buffer.byteLength(text)}\n${text}\n`
  for (const { id, page, text, user, time } of revisions) {
    const who = `Writer ${user} <writer${user}@example.org> ${time} +0000`
    yield `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\n${data(`edit ${id}`)}M 100644 inline Page_${page}.wiki\n${data(text)}\n`
  }
}

function* dumpOf(revisions) {
  yield '<mediawiki version="0.11" xml:lang="en">\n<siteinfo><sitename>Bench</sitename><base>http://bench.example/wiki/Main_Page</base></siteinfo>\n'
  for (let page = 0; page < size.pages; page++) {
    yield `  <page>\n    <title>Page ${page}</title>\n    <ns>0</ns>\n    <id>${page + 1}</id>\n`
    for (const revision of revisions) if (revision.page === page) yield revisionXml(revision)
    yield '  </page>\n'
  }
  yield '</mediawiki>\n'
}

function revisionXml({ id, text, user, time }) {
  const timestamp = `${new Date(time * 1000).toISOString().slice(0, -5)}Z`
  return `    <revision>
      <id>${id}</id>
      <timestamp>${timestamp}</timestamp>
      <contributor>
        <username>Writer ${user}</username>
        <id>${user + 1}</id>
      </contributor>
      <comment>edit ${id}</comment>
      <origin>${id}</origin>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="${Buffer.byteLength(text)}" xml:space="preserve">${text}</text>
    </revision>
`
}

function line(random) {
  return Array.from({ length: 9 }, () => words[Math.floor(random() * words.length)]).join(' ')
}

function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
