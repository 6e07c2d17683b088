/** docs/reference/checks.md and its examples. */

import { describe, expect, test } from 'vitest'
import { type ExampleFiles, type KindRow, kinds } from '../../src/checks/kinds.ts'
import { checkChange } from '../../src/operations/check-change.ts'
import { commitFiles, newWiki } from '../operations/_wiki.ts'

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
  test.each(rows.flatMap(([kind, { bad, good }]) => (bad === null ? [] : [{ kind, bad, good: good! }])))(
    '$kind',
    async ({ kind, bad, good }) => {
      expect(await kindsOf(bad)).toEqual([kind])
      expect(await kindsOf(good)).toEqual([])
    },
  )
})

test('docs/reference/checks.md describes every kind', async () => {
  const text = `${head}${rows.map(section).join('')}`
  await expect(text).toMatchFileSnapshot('../../docs/reference/checks.md')
})

const head = `# Checks

\`wiki check\` finds these kinds of problems, beside those of wikitext, which [lint](../lint.md) describes: of these, high priority is an
error, medium a warning, low a note, and those of no priority are not looked for. This page is made from \`src/checks/kinds.ts\`; each
example runs as a test.

\`wiki.json\` sets how bad a kind is in a wiki, and leaves paths out:

\`\`\`json
{ "checks": { "levels": { "obsolete-tag": "off", "unclosed-link": "error" }, "exclude": ["drafts/**"] } }
\`\`\`

A page silences kinds for itself by a comment, which has to give a reason:

\`\`\`
<!-- wiki-check-ignore obsolete-tag, stripped-tag: an old letter, quoted as it was -->
\`\`\`

A problem is the same in two states of a wiki if its file, its kind and the markup that is wrong are the same, on whatever line. Of
several that are the same those count as new whose lines were not there before. The problems of a file that was moved go with it, also where
most of its text stayed and some was edited.
`

function section([kind, { severity, says, why, hint, bad, good }]: [string, KindRow]): string {
  const file = (label: string, [path, content]: [string, string | Buffer]): string => {
    const text = typeof content === 'string' ? content : escaped(content)
    const bytes = typeof content === 'string' ? '' : ', where `\\xE9` is the byte'
    return `\n${label}, \`${path}\`${bytes}:\n\n\`\`\`\`\n${text}\`\`\`\`\n`
  }
  const example = (label: string, files: ExampleFiles): string =>
    Object.entries(files)
      .map(one => file(label, one))
      .join('')
  const examples = bad === null ? '' : `${example('Wrong', bad)}${example('Right', good!)}`
  return `\n## ${kind}\n\n**${severity}.** ${says} ${why}\n\nTo mend it: ${hint}\n${examples}`
}

function escaped(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/[\x80-\xff]/g, byte => `\\x${byte.charCodeAt(0).toString(16).toUpperCase()}`)
}
