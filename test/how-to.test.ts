// @module-tag long
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { hasShellTools, runDocument } from './_document.ts'
import { firstOf } from './_rounds.ts'
import { git, hasGit, temporaryDirectory } from './_setup.ts'

const bin = fileURLToPath(new URL('../bin/wiki.cjs', import.meta.url))

/** Documents whose blocks run in order, and some of their output. */
const documents: readonly [name: string, expected: readonly string[]][] = [
  ['docs/tutorial.md', ['High water is at', 'Harbour map', '"title":"Tides"', '<title>Tides']],
  ['docs/how-to/serve-a-team.md', ['Ada Example', 'Tuesday: Bob', '"key":"Rota"']],
  ['docs/how-to/move-from-mediawiki.md', ['Tides']],
  ['docs/how-to/back-up.md', ['refs/wiki/main/acknowledged', 'At one.']],
  ['docs/how-to/large-wikis.md', ['Page 1', '120']],
  [
    'docs/how-to/adopt-a-wiki.md',
    [
      '"links":"gollum"',
      'Nowhere',
      '+[Tides](Tide-times#Today)',
      'Neap.md',
      'tides: 200',
      'chart: 200 image/',
      'High at noon',
      'wiki.json',
    ],
  ],
]

/** Each starts some twenty commands: `npm test` runs the tutorial alone. */
const tried = firstOf(documents, 1)

test.for(tried)(
  'every command of %s works, in order',
  { tags: ['rounds', 'long'] },
  async ([name, expected], context) => {
    context.skip(!hasGit || !hasShellTools, 'the document is for a shell with git and curl')
    const directory = await temporaryDirectory()
    const { status, stdout, stderr } = await runDocument(name, { directory, env: environmentOf(name, directory) })
    expect(status, `${stdout}\n${stderr}`).toBe(0)
    for (const text of expected) expect(stdout).toContain(text)
  },
)

/** The environment of the blocks of a document. */
function environmentOf(name: string, directory: string): Record<string, string> {
  if (name.endsWith('move-from-mediawiki.md')) return { DUMP: makeDump(directory) }
  if (!name.endsWith('adopt-a-wiki.md')) return {}
  return {
    GOLLUM: makeRepository(join(directory, 'gollum'), gollum),
    NOTES: makeRepository(join(directory, 'old'), notes),
  }
}

const gollum = {
  'Home.md':
    'Read the [[Tide tables]] and the [plan](Harbour-plan#Piers).\n\n![Chart](images/Chart.svg) [gone](Nowhere)\n',
  'Tide-tables.md': '# Today\n\nHigh at noon. [[Home]]\n',
  'guides/Harbour-plan.md': '## Piers\n\n[Tides](Tide-tables#Today) ![](/images/Chart.svg)\n',
  '_Sidebar.md': '* [[Home]]\n* [[Tides|Tide-tables]]\n',
  '_Footer.md': 'Ours.\n',
  'images/Chart.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n',
}

const notes = {
  'Index.md': '---\ntags: [start]\n---\n[[Moon]] [[Springtide|spring tides]] ![[map.svg|200]] [[Sun]]\n',
  'sky/Moon.md': '---\naliases: [Luna]\n---\nPulls the sea. [[Index]]\n',
  'sea/Springtide.md': 'Large tides, by [[Luna#Pull]].\n',
  'pictures/map.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n',
}

function makeRepository(directory: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), text)
  }
  git(directory, 'init', '-q', '-b', 'main')
  git(directory, 'add', '-A')
  git(directory, 'commit', '-q', '-m', 'Begin')
  return directory
}

/** An export of a wiki of two pages. */
function makeDump(directory: string): string {
  const run = (input: string, ...words: string[]) =>
    execFileSync(process.execPath, [bin, ...words, '--quiet'], {
      cwd: directory,
      input,
      env: { ...process.env, GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org' },
    })
  const dump = join(directory, 'dump.xml.gz')
  run('', 'init', 'old')
  for (const text of ['At noon.', 'At one. {{Tide table}}'])
    run(text, '-C', 'old', 'page', 'edit', 'Tides', '-f', '-', '-m', 'A text')
  run('', '-C', 'old', 'export', '-o', dump)
  return dump
}
