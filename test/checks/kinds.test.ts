/** docs/reference/checks.md and its examples. */

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { type ExampleFiles, type KindRow, kinds } from '../../src/checks/kinds.ts'
import { checkChange } from '../../src/operations/check-change.ts'
import { ensureBuilt } from '../_built.ts'
import { hasShellTools } from '../_document.ts'
import { isProof } from '../_rounds.ts'
import { hasGit, temporaryDirectory } from '../_setup.ts'
import { commitFiles, newWiki } from '../operations/_wiki.ts'

const bin = fileURLToPath(new URL('../../bin/wiki.cjs', import.meta.url))

beforeAll(ensureBuilt)

const rows = Object.entries<KindRow>(kinds)

/** A page with a section, which the examples link to. */
const other = { 'Ebb.wiki': 'Ebb.\n\n== Spring ==\nAt full moon.\n' }

async function kindsOf(files: ExampleFiles): Promise<string[]> {
  const { wiki } = await newWiki()
  await commitFiles(wiki, { ...other, ...files })
  const { problems } = await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })
  return problems.map(({ kind }) => kind)
}

describe('every kind is found in its example, and not in the fixed one', () => {
  const inFiles = rows.flatMap(([kind, { bad, good }]) =>
    typeof bad === 'string' || typeof good === 'string' ? [] : [{ kind, bad, good }],
  )
  test.each(inFiles)('$kind', async ({ kind, bad, good }) => {
    expect(await kindsOf(bad)).toEqual([kind])
    expect(await kindsOf(good)).toEqual([])
  })

  const inSteps = rows.flatMap(([kind, { bad, good }]) =>
    typeof bad === 'string' && typeof good === 'string' ? [{ kind, bad, good }] : [],
  )
  // Slow: a folder that is too large has thousands of files, 6 s of CPU. `npm test` finds one in test/operations/check-wiki.test.ts.
  const tried = inSteps.filter(({ kind }) => isProof || kind !== 'large-folder')
  test.for(tried)('$kind, by commands', { tags: ['rounds', 'long'] }, async ({ kind, bad, good }, context) => {
    context.skip(!hasGit || !hasShellTools, 'the example is for a shell with git')
    const cwd = await temporaryDirectory()
    expect(shell('wiki init -q .', cwd)).toMatchObject({ status: 0 })
    const [found, fixed] = [shell(bad, cwd), shell(good, cwd)]
    expect(found.stdout, found.stderr).toMatch(new RegExp(`(?:^|: )${kind}(?:: |\t)`, 'm'))
    expect([fixed.status, fixed.stdout], fixed.stderr).toEqual([0, ''])
  })
})

/** Runs commands of an example. */
function shell(commands: string, cwd: string) {
  const wiki = `wiki() { "${process.execPath}" "${bin}" "$@"; }`
  const who = { GIT_AUTHOR_NAME: 'DraftKeeper', GIT_AUTHOR_EMAIL: 'keeper@example.org' }
  const env = { ...process.env, ...who, GIT_COMMITTER_NAME: 'DraftKeeper', GIT_COMMITTER_EMAIL: 'keeper@example.org' }
  return spawnSync('bash', ['-c', `${wiki}\n${commands}`], { cwd, env, encoding: 'utf8' })
}

test('docs/reference/checks.md describes every kind', async () => {
  const text = `${head}${rows.map(section).join('')}`
  await expect(text).toMatchFileSnapshot('../../docs/reference/checks.md')
})

const head = `# Checks

\`wiki check\` finds these kinds of problems, and those of wikitext described in [lint](../lint.md): there, high priority is an
error, medium a warning, low a note, and kinds without a priority are not checked. This page is generated from \`src/checks/kinds.ts\`; each
example runs as a test.

\`wiki.json\` sets the severity of kinds in a wiki, and excludes paths:

\`\`\`json
{ "checks": { "levels": { "obsolete-tag": "off", "unclosed-link": "error" }, "exclude": ["drafts/**"] } }
\`\`\`

A comment in a page silences kinds there; it must give a reason:

\`\`\`
<!-- wiki-check-ignore obsolete-tag, stripped-tag: an old letter, quoted as it was -->
\`\`\`

A problem is the same in two states of a wiki if its file, its kind and the faulty markup are equal, on any line. Among
several equal problems, those on new lines count as new. The problems of a moved file move with it, even if
a part of its text was edited.
`

function section([kind, { severity, says, why, hint, bad, good }]: [string, KindRow]): string {
  const file = (label: string, [path, content]: [string, string | Buffer]): string => {
    const text = typeof content === 'string' ? content : escaped(content)
    const bytes = typeof content === 'string' ? '' : ', where `\\xE9` is the byte'
    return `\n${label}, \`${path}\`${bytes}:\n\n\`\`\`\`\n${text}\`\`\`\`\n`
  }
  const example = (label: string, files: ExampleFiles | string): string =>
    typeof files === 'string'
      ? `\n${label === 'Wrong' ? 'Wrong, in a new wiki' : 'Right, then'}:\n\n\`\`\`sh\n${files}\`\`\`\n`
      : Object.entries(files)
          .map(one => file(label, one))
          .join('')
  const examples = `${example('Wrong', bad)}${example('Right', good)}`
  return `\n## ${kind}\n\n**${severity}.** ${says} ${why}\n\nTo fix it: ${hint}\n${examples}`
}

function escaped(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\xff]/g, byte => `\\x${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}
