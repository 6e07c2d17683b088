import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { functionNames } from '../../../src/wikitext/functions/registry.ts'
import { expand } from '../_expand.ts'

const text = readFileSync(new URL('../../../docs/templates.md', import.meta.url), 'utf8')

/** Rows of the tables that pair wikitext with its result. */
const rows = text
  .split('\n')
  .map(line => /^\| (`\{\{.*`) \| `(.*)` \|$/.exec(line))
  .filter(row => row !== null)
  .filter(([, , outcome]) => !/^(?:Template:|Help:)?Boat$/.test(outcome!))
  .flatMap(([, examples, outcome]) =>
    [...examples!.matchAll(/`(\{\{.*?\}\})`(?=,|$)/g)].map(
      ([, example]) => [plain(example!), plain(outcome!)] as const,
    ),
  )

function plain(cell: string): string {
  return cell.replaceAll('\\|', '|')
}

describe('the examples of docs/templates.md', () => {
  test.each(rows)('%s gives %s', async (example, outcome) => {
    expect(await expand(example, { title: 'Help talk:Ropes/Knots' })).toBe(outcome)
  })
})

test('docs/templates.md names every function', () => {
  const words = new Set(text.match(/#?[\p{L}\d]+(?:-\p{L})?|[!=](?=\}\})/gu))
  const names = functionNames().filter(name => !/^LOCAL[A-Z]/.test(name) && !isForAddresses(name))
  expect(names.filter(name => !words.has(name) && !words.has(name.toLowerCase()))).toEqual([])
})

/** `PAGENAMEE` beside `PAGENAME`. */
function isForAddresses(name: string): boolean {
  return /[A-Z]E$/.test(name) && functionNames().includes(name.slice(0, -1))
}
