import { describe, expect, test } from 'vitest'
import {
  blockEdit,
  emptyRows,
  hasTool,
  markupEdit,
  pictureText,
  rowsIn,
  type Selection,
  type ToolName,
  tableText,
  toolEdit,
} from '../../src/web/client/writing/tools.ts'

/** Applies a tool to the text between | signs, and returns the text with its new selection between such signs. */
function used(model: string, tool: ToolName, marked: string): string {
  const [before = '', inner = '', after = ''] = marked.split('¦')
  const selection: Selection = { from: before.length, to: before.length + inner.length }
  const text = before + inner + after
  const edit = toolEdit(model, tool, text, selection)!
  const changed = text.slice(0, edit.from) + edit.insert + text.slice(edit.to)
  const { from, to } = edit.select
  return `${changed.slice(0, from)}¦${changed.slice(from, to)}¦${changed.slice(to)}`
}

describe('a tool', () => {
  test.each([
    ['wikitext', 'bold', 'a ¦b¦ c', "a '''¦b¦''' c"],
    ['wikitext', 'bold', "a '''¦b¦''' c", 'a ¦b¦ c'],
    ['wikitext', 'italic', "a '''¦b¦''' c", "a '''''¦b¦''''' c"],
    ['wikitext', 'italic', "a ''¦b¦'' c", 'a ¦b¦ c'],
    ['wikitext', 'link', '¦Sea¦', '[[¦Sea¦]]'],
    ['wikitext', 'template', '¦¦', '{{¦¦}}'],
    ['wikitext', 'note', 'x¦y¦', 'x<ref>¦y¦</ref>'],
    ['wikitext', 'heading', 'a\nTi¦¦des\nb', 'a\n== ¦Tides¦ ==\nb'],
    ['wikitext', 'heading', '== Ti¦¦des ==', '¦Tides¦'],
    ['wikitext', 'heading', '=== Ti¦¦des ===\n', '== ¦Tides¦ ==\n'],
    ['markdown', 'bold', '¦b¦', '**¦b¦**'],
    ['markdown', 'italic', '**¦b¦**', '***¦b¦***'],
    ['markdown', 'link', '¦Sea¦', '[Sea](¦¦)'],
    ['markdown', 'heading', '¦¦', '## ¦¦'],
    ['markdown', 'heading', '# a¦¦\nb', '## ¦a¦\nb'],
  ] as const)('of %s, %s, makes of %j %j', (model, tool, before, after) => {
    expect(used(model, tool, before)).toBe(after)
  })

  test('exists where the content model has markup for it', () => {
    expect([hasTool('wikitext', 'template'), hasTool('markdown', 'template'), hasTool('json', 'bold')]).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('a table', () => {
  test('is created from copied cells of a spreadsheet', () => {
    const rows = rowsIn('Day\tHeight\nMon\t3|4\n')!
    expect(tableText('wikitext', rows)).toBe('{| class="wikitable"\n! Day !! Height\n|-\n| Mon || 3{{!}}4\n|}')
    expect(tableText('markdown', rows)).toBe('| Day | Height |\n| --- | --- |\n| Mon | 3\\|4 |')
    expect([rowsIn('no cells'), rowsIn('a\tb\nc'), rowsIn('')]).toEqual([null, null, null])
  })

  test('is on separate lines', () => {
    const block = tableText('wikitext', emptyRows(2, 1))
    expect(block).toBe('{| class="wikitable"\n!  \n|-\n|  \n|}'.replaceAll('  \n', ' \n'))
    expect(blockEdit('ab', { from: 1, to: 1 }, 'X').insert).toBe('\nX\n')
    expect(blockEdit('a\n\nb', { from: 2, to: 2 }, 'X').insert).toBe('X')
  })
})

test('a picture is shown in the same form as others on the page', () => {
  const picture = { name: 'File:Low tide.png', path: 'File/Low tide.png', words: 'Boats [on] mud' }
  expect(pictureText('wikitext', picture)).toBe('[[File:Low tide.png|thumb|Boats [on] mud]]')
  expect(pictureText('markdown', picture)).toBe('![Boats \\[on\\] mud](/File/Low%20tide.png)')
})

describe('pasted markup', () => {
  test.each([
    ['wikitext', 'Before.¦¦', '{|\n|a\n|}', 'Before.\n{|\n|a\n|}¦¦'],
    ['wikitext', 'a\n¦¦b', '== H ==\n\n* x', 'a\n== H ==\n\n* x¦¦\nb'],
    ['wikitext', 'a ¦old¦ b', "'''new'''", "a '''new'''¦¦ b"],
    ['wikitext', 'a¦¦b', 'words\n\n* x', 'awords\n\n* x¦¦\nb'],
    ['markdown', 'a¦¦ b', '| x |\n| - |', 'a\n\n| x |\n| - |¦¦\n\n b'],
    ['json', 'a¦¦b', '* x', 'a* x¦¦b'],
  ])('of %s goes into %j with blocks on their own lines', (model, marked, markup, after) => {
    const [before = '', inner = '', behind = ''] = marked.split('¦')
    const text = before + inner + behind
    const { from, to, insert, select } = markupEdit(
      ...([model, text, { from: before.length, to: before.length + inner.length }, markup] as const),
    )
    const changed = text.slice(0, from) + insert + text.slice(to)
    expect(`${changed.slice(0, select.from)}¦¦${changed.slice(select.to)}`).toBe(after)
  })
})
