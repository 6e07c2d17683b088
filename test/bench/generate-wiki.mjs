/**
 * Generates a wiki for benchmarks through `git fast-import`: `node generate-wiki.mjs <folder> [pages] [commits] [flat|folders]`.
 * The same arguments give the same repository. Texts are made of a few words, about 3 KB a page; with `prose` they are like
 * those of real wikis, with titles of words: see prose.mjs. A commit changes `batch` pages.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { proseOf, randomNumbers, titleOf } from './prose.mjs'

const words =
  'harbour tide boat gull salt rope mast keel wind wave sand reef pilot chart light bell fog moor quay crew'.split(' ')

/** Makes the repository where there is none yet; gives its folder. */
export async function generateWiki(
  folder,
  { pages = 10_000, commits = 50_000, layout = 'folders', prose = false, batch = 1 } = {},
) {
  if (existsSync(`${folder}/HEAD`)) return folder
  await run('git', ['init', '-q', '--bare', '-b', 'main', folder])
  const git = spawn('git', [`--git-dir=${folder}`, '-c', 'core.compression=1', 'fast-import', '--quiet'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  const random = randomNumbers(7)
  const data = text => `data ${Buffer.byteLength(text)}\n${text}\n`
  for (let commit = 0, edit = 0; commit < commits; commit++) {
    const author = `Writer ${commit % 97} <writer${commit % 97}@example.org> ${1_600_000_000 + commit * 60} +0000`
    git.stdin.write(
      `commit refs/heads/main\nauthor ${author}\ncommitter ${author}\n${data(`edit ${commit} of the wiki`)}`,
    )
    for (const end = edit + batch; edit < end; edit++) {
      // Every page is created once; then a few pages get most of the edits, as in real wikis.
      const page = edit < pages ? edit : Math.floor(pages * random() ** 3)
      const text = prose ? proseOf(page, pages, edit < pages ? 0 : edit) : plainText(page, edit, random)
      const block = `M 100644 inline ${prose ? pathOfProse(page) : pathOf(page, layout)}\n${data(text)}`
      if (!git.stdin.write(block)) await once(git.stdin, 'drain')
    }
  }
  git.stdin.end()
  await once(git, 'close')
  return folder
}

function pathOfProse(page) {
  return `${titleOf(page).replace('Talk:', 'Talk/').replaceAll(' ', '_')}.wiki`
}

/** Path of the page with this number. */
export function pathOf(page, layout) {
  return layout === 'flat' ? `Page_${page}.wiki` : `Part_${page % 256}/Page_${page}.wiki`
}

/** Key of its title. */
export function keyOf(page, layout) {
  return pathOf(page, layout).replace(/\.wiki$/, '')
}

function plainText(page, commit, random) {
  const lines = [`'''Page ${page}''' in its state ${commit}.`, '']
  for (let line = 0; line < 40; line++)
    lines.push(Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(' '))
  return lines.join('\n')
}

async function run(command, parameters) {
  await once(spawn(command, parameters, { stdio: 'inherit' }), 'close')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , folder, pages, commits, layout] = process.argv
  await generateWiki(folder, {
    pages: Number(pages ?? 10_000),
    commits: Number(commits ?? 50_000),
    layout: layout ?? 'folders',
  })
}
