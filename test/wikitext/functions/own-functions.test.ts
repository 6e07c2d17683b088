import { expect, test } from 'vitest'
import { type FunctionDefinition, memoryWiki, wikitextToHtml } from '../../../src/wikitext/index.ts'

const functions: readonly FunctionDefinition[] = [
  { name: '#knots', run: call => `${call.text(0)} kn` },
  { name: '#tide', isVariable: true, run: () => "'''high'''" },
  { name: 'lc', run: call => `low:${call.text(0)}` },
]

async function html(text: string, describesFunctions = false): Promise<string> {
  const settings = { sections: false, elementIds: false, functions, describesFunctions }
  return (await wikitextToHtml(text, { title: 'Boats', wiki: memoryWiki(), bodyOnly: true, settings })).html
}

test.each([
  ['{{#knots:12}}', '12 kn'],
  ['{{#KNOTS: 12 }}', '12 kn'],
  ['{{＃knots：12}}', '12 kn'],
  ['{{#tide}}', '>high</b>'],
  ['{{lc:ABC}}', 'low:ABC'],
  ['{{uc:{{#knots:a}}}}', 'A KN'],
])('%s is what the caller provides', async (text, expected) => {
  expect(await html(text)).toContain(expected)
})

test('the page describes such a function with its parameters in order', async () => {
  const page = await html('{{#knots:12|of=sea|13}}')
  expect(page).toContain('typeof="mw:Transclusion mw:ParserFunction/knots"')
  const params = '{"1":{"wt":"12"},"of":{"wt":"sea","order":2},"2":{"wt":"13","order":3}}'
  expect(page).toContain(
    `{"parts":[{"parserfunction":{"target":{"wt":"#knots","key":"knots"},"params":${params},"i":0}}]}`,
  )
})

test('other functions are described in the same form on request', async () => {
  expect(await html('{{#if:a|b}}')).toContain('"template":{"target":{"wt":"#if:a","function":"if"}')
  expect(await html('{{#if:a|b}}', true)).toContain('"parserfunction":{"target":{"wt":"#if","key":"if"}')
})
