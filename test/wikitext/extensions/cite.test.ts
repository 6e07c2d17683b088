import { describe, expect, test } from 'vitest'
import { cite } from '../../../src/wikitext/extensions/cite/cite.ts'
import { type PageOptions, renderPage } from './_page.ts'

/** Marks and lists as readers see them: `[1]` in the text, `1 ↑ text` in a list. */
async function shown(text: string, options: PageOptions & Parameters<typeof cite>[0] = {}): Promise<string> {
  const html = await renderPage(text, [cite(options)], options)
  return html
    .replace(/<li [^>]*data-mw-footnote-number='([^']*)'[^>]*>/g, '($1) ')
    .replace(/<span[^>]*data-mw-i18n='[^']*"key":"cite_error_(\w+)"[^']*'[^>]*><\/span>/g, '!$1!')
    .replace(/<[^>]*>/g, '')
    .trim()
}

describe('the text for readers', () => {
  const cases: [name: string, text: string, shown: string, options?: PageOptions & Parameters<typeof cite>[0]][] = [
    ['marks are numbered in their order', 'a<ref>x</ref> b<ref>y</ref><references/>', 'a[1] b[2]\n(1) ↑ x\n(2) ↑ y'],
    ['one name is one reference', 'a<ref name="n">x</ref> b<ref name="n"/><references/>', 'a[1] b[1]\n(1) 1 2 x'],
    [
      'a use may come before the definition',
      'a<ref name="n"/> b<ref name="n">x</ref><references/>',
      'a[1] b[1]\n(1) 1 2 x',
    ],
    [
      'groups have numbers of their own',
      'a<ref>x</ref> b<ref group="note">y</ref><references/><references group="note"/>',
      'a[1] b[note 1]\n(1) ↑ x\n\n(1) ↑ y',
    ],
    [
      'the wiki may write numbers of a group as it likes',
      'a<ref group="moon">x</ref><references group="moon"/>',
      'a[new]\n(new) ↑ x',
      { messages: { 'cite_link_label_group-moon': 'new full' } },
    ],
    [
      'after a list numbers begin again',
      'a<ref>x</ref><references/>b<ref>y</ref><references/>',
      'a[1]\n(1) ↑ x\nb[1]\n(1) ↑ y',
    ],
    ['a missing list is added', 'a<ref>x</ref>', 'a[1]\n\n(1) ↑ x'],
    [
      'a missing list of a named group is added with a complaint',
      'a<ref group="note">x</ref>',
      'a[note 1]\n\n(1) ↑ x\n\n!group_refs_without_references!',
    ],
    [
      'definitions may stand in the list',
      'a<ref name="n"/><references><ref name="n">x</ref> lost </references>',
      'a[1]\n(1) ↑ x',
    ],
    [
      'an unused definition is listed and complained of',
      '<references><ref name="n">x</ref></references>',
      '(1)  x\n\n!references_missing_key!',
    ],
    [
      'a name never defined is complained of at its entry',
      'a<ref name="n"/><references/>',
      'a[1]\n(1) ↑  !references_no_text!',
    ],
    [
      'two different definitions of one name: the first counts',
      'a<ref name="n">x</ref><ref name="n">y</ref><references/>',
      'a[1][1]\n(1) 1 2 x !references_duplicate_key!',
    ],
    [
      'two like definitions of one name are fine',
      'a<ref name="n">x</ref><ref name="n">x</ref><references/>',
      'a[1][1]\n(1) 1 2 x',
    ],
    ['a continued reference grows', 'a<ref name="n">x</ref><ref follow="n">y</ref><references/>', 'a[1][1]\n(1) ↑ x y'],
    [
      'details stand below their reference',
      'a<ref name="n" details="p. 1">x</ref><ref name="n" details="p. 2"/><references/>',
      'a[1.1][1.2]\n(1)  x\n(1.1) ↑ p. 1\n(1.2) ↑ p. 2',
    ],
    [
      'the same details are one entry',
      'a<ref name="n" details="p. 1">x</ref><ref name="n" details="p. 1"/><references/>',
      'a[1.1][1.1]\n(1)  x\n(1.1) 1 2 p. 1',
    ],
  ]
  test.each(cases)('%s', async (_, text, expected, options) => {
    expect((await shown(text, options)).replace(/\n+/g, '\n')).toBe(expected.replace(/\n+/g, '\n'))
  })
})

describe('errors of a tag', () => {
  test.each([
    ['<ref></ref>', 'ref_no_input'],
    ['<ref/>', 'ref_no_key'],
    ['<ref name="7">x</ref>', 'ref_numeric_key'],
    ['<ref dir="up">x</ref>', 'ref_invalid_dir'],
    ['<ref name="a" follow="b">x</ref>', 'ref_follow_conflicts'],
    ['<ref colour="red">x</ref>', 'ref_too_many_keys'],
    ['<ref details="p. 1"/>', 'details_missing_parent'],
  ])('%s: %s', async (text, key) => {
    expect(await shown(`${text}<references/>`)).toContain(`!${key}!`)
  })
})

test('data-mw moves with the text to the list', async () => {
  const html = await renderPage('<ref name="n">x</ref><references/>', [cite()])
  expect(html).toContain(
    `<sup class='mw-ref reference' id='cite_ref-n_1-0' rel='dc:references' typeof='mw:Extension/ref' ` +
      `data-mw='{"name":"ref","attrs":{"name":"n"},"body":{"id":"mw-reference-text-cite_note-n-1"}}'>` +
      `<a href='./Tides#cite_note-n-1'>`,
  )
})

test('long lists have columns, and lists may be separate', async () => {
  const text = '<ref>x</ref><ref>y</ref>'
  expect(await renderPage(`${text}<references/>`, [cite({ responsiveThreshold: 1 })])).toContain(
    'mw-references-columns',
  )
  expect(await renderPage(`${text}<references responsive="0"/>`, [cite()])).not.toContain('mw-references-wrap')
  expect(await renderPage(text, [cite({ responsive: false })])).not.toContain('mw-references-wrap')
})

test('an empty list from a template is omitted', async () => {
  expect(await renderPage('a<references/>', [cite()], { inTemplate: true })).toBe('a')
})
