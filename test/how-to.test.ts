import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { hasShellTools, runDocument } from './_document.ts'
import { firstOf } from './_rounds.ts'
import { hasGit, temporaryDirectory } from './_setup.ts'

const bin = fileURLToPath(new URL('../bin/wiki.cjs', import.meta.url))

/** Documents whose blocks run in order, and a few of the things that they print. */
const documents: readonly [name: string, expected: readonly string[]][] = [
  ['docs/tutorial.md', ['High water is at', 'Harbour map', '"title":"Tides"', '<title>Tides']],
  ['docs/how-to/serve-a-team.md', ['Ada Example', 'Tuesday: Bob', '"key":"Rota"']],
  ['docs/how-to/move-from-mediawiki.md', ['Tides']],
  ['docs/how-to/back-up.md', ['refs/wiki/main/acknowledged', 'At one.']],
  ['docs/how-to/large-wikis.md', ['Page 1', '120']],
]

/** Each starts some twenty commands: `npm test` runs the tutorial alone. */
const tried = firstOf(documents, 1)

test.for(tried)('every command of %s works, in order', { timeout: 120_000 }, async ([name, expected], context) => {
  context.skip(!hasGit || !hasShellTools, 'the document is for a shell with git and curl')
  const directory = await temporaryDirectory()
  const { status, stdout, stderr } = await runDocument(name, { directory, env: { DUMP: makeDump(directory) } })
  expect(status, `${stdout}\n${stderr}`).toBe(0)
  for (const text of expected) expect(stdout).toContain(text)
})

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
