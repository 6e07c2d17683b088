/**
 * Generates a wiki for benchmarks through `git fast-import`; the same arguments give the same repository.
 *
 *     node test/bench/generate-wiki.mjs <folder> [pages] [commits] [flat|folders|sharded] [simple|lifelike|linked]
 *
 * `simple`: each page is created once, then edited, one commit after the other, `batch` pages in each. Texts have few different
 * words, about 3 KB a page; with `prose` they resemble those of real wikis, with titles of words: see prose.mjs. `lifelike`
 * (lifelike.mjs): sizes from 200 bytes to 60 KB, 2 KB on average; edits that change a line, most of them of few pages (Zipf: of
 * a million edits to 100,000 pages the first page has 60,000); merged side branches, moves with and without a redirect,
 * deletions, minor edits, five hundred users.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { devNull } from 'node:os'
import { fileURLToPath } from 'node:url'
import { pathOf } from './generated-paths.mjs'
import { lifelikeCommits } from './lifelike.mjs'
import { linkedCommits } from './linked.mjs'
import { proseOf, randomNumbers, titleOf } from './prose.mjs'

export { keyOf, pathOf } from './generated-paths.mjs'

const words =
  'harbour tide boat gull salt rope mast keel wind wave sand reef pilot chart light bell fog moor quay crew'.split(' ')

/** Makes the repository if it does not exist yet; returns its folder. */
export async function generateWiki(folder, options = {}) {
  const { pages = 10_000, commits = 50_000, layout = 'folders', style = 'simple', ...rest } = options
  if (existsSync(`${folder}/HEAD`)) return folder
  await run('git', ['init', '-q', '--bare', '-b', 'main', folder])
  const settings = ['-c', 'core.compression=1', '-c', 'pack.compression=1']
  const importer = ['fast-import', '--quiet', '--force', '--depth=20', '--big-file-threshold=1m']
  const git = spawn('git', [`--git-dir=${folder}`, ...settings, ...importer], { stdio: ['pipe', 'inherit', 'inherit'] })
  const source = { simple: simpleCommits, lifelike: lifelikeCommits, linked: linkedCommits }[style]
  for (const chunk of inChunks(source({ pages, commits, layout, ...rest })))
    if (!git.stdin.write(chunk)) await once(git.stdin, 'drain')
  git.stdin.end()
  const [status] = await once(git, 'close')
  if (status !== 0) throw new Error(`git fast-import ended with ${status}`)
  await run('git', [`--git-dir=${folder}`, 'update-ref', '-d', 'refs/heads/side'])
  return folder
}

const chunkCharacters = 1 << 18

/** Few large writes instead of many small ones. */
function* inChunks(blocks) {
  let chunk = ''
  for (const block of blocks) {
    chunk += block
    if (chunk.length < chunkCharacters) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

function* simpleCommits({ pages, commits, layout, prose = false, batch = 1 }) {
  const random = randomNumbers(7)
  const data = text => `data ${Buffer.byteLength(text)}\n${text}\n`
  for (let commit = 0, edit = 0; commit < commits; commit++) {
    const author = `Writer ${commit % 97} <writer${commit % 97}@example.org> ${1_600_000_000 + commit * 60} +0000`
    yield `commit refs/heads/main\nauthor ${author}\ncommitter ${author}\n${data(`edit ${commit} of the wiki`)}`
    for (const end = edit + batch; edit < end; edit++) {
      // Every page is created once; then a few pages get most of the edits, as in real wikis.
      const page = edit < pages ? edit : Math.floor(pages * random() ** 3)
      const text = prose ? proseOf(page, pages, edit < pages ? 0 : edit) : plainText(page, edit, random)
      yield `M 100644 inline ${prose ? pathOfProse(page) : pathOf(page, layout)}\n${data(text)}`
    }
  }
}

function pathOfProse(page) {
  return `${titleOf(page).replace('Talk:', 'Talk/').replaceAll(' ', '_')}.wiki`
}

function plainText(page, commit, random) {
  const lines = [`'''Page ${page}''' in its state ${commit}.`, '']
  for (let line = 0; line < 40; line++)
    lines.push(Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(' '))
  return lines.join('\n')
}

async function run(command, parameters) {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' }
  await once(spawn(command, parameters, { stdio: 'inherit', env }), 'close')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder, pages = 10_000, commits = 50_000, layout, style] = process.argv
  await generateWiki(folder, { pages: Number(pages), commits: Number(commits), layout, style })
}
