/** The conformance commands, with wrong results and wrong answers of our own: a file of known results excuses none, and each comparison reports each. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { compareTexts } from '../src/diff/compare-texts.ts'
import { falseElements, withBothOffsets } from './conformance/_diff-elements.ts'

// biome-ignore lint/suspicious/noExplicitAny: the commands are scripts without types.
type Any = any

const folder = new URL('conformance/', import.meta.url)
const load = async (name: string): Promise<Any> => import(new URL(name, folder).href)
const { Cases, compareFigures, compareFindings, compareSets } = await load('ratchet.mjs')
const { countProblems, differences, factsOf, gateDifferences, isSameAnswer } = await load('compare.mjs')
const { placesOf, wantedLinks, whichLead } = await load('links-compare.mjs')
const { reasonOf } = await load('bips-compare.mjs')
const { findWords, lineOfEdit, newWord, throughBrowser } = await load('roundtrip-edits.mjs')
const { meaningOf } = await load('roundtrip-equal.mjs')

type Results = Readonly<Record<string, Readonly<Record<string, boolean>>>>

function summary(results: Results): Any {
  const cases = new Cases()
  for (const [set, own] of Object.entries(results)) {
    cases.expect(set)
    for (const [name, passed] of Object.entries(own)) cases.add(set, name, passed)
  }
  return cases.summary()
}

const known = summary({ a: { one: true, two: false }, b: { three: true } })
const reported = (results: Results, options = {}): string[] => compareSets(summary(results), known, options).faults

describe('sets of cases', () => {
  test('are accepted as they were, and reported if they have become better', () => {
    expect(compareSets(known, known)).toEqual({ faults: [], better: [] })
    const better = summary({ a: { one: true, two: true }, b: { three: true } })
    expect(compareSets(better, known)).toEqual({ faults: [], better: ['a: 1 cases pass that failed'] })
  })

  test.each<[string, Results, string]>([
    ['fewer passed', { a: { one: true, two: false }, b: { three: false } }, 'b: 1 of 1 cases fail'],
    ['another one passed', { a: { one: false, two: true }, b: { three: true } }, 'a: 1 of 2 cases fail'],
    ['a set is missing', { a: { one: true, two: false } }, 'b: not run'],
    ['a set has nothing', { a: { one: true, two: false }, b: {} }, 'b: no cases'],
    ['a set is unknown', { a: { one: true, two: false }, b: { three: true }, c: { four: true } }, 'c: not in the file'],
    ['other names', { a: { one: true, two: false }, b: { four: true } }, 'b: 1 other cases'],
    ['fewer cases', { a: { two: false }, b: { three: true } }, 'a: 1 other cases'],
    ['nothing at all', {}, 'no cases'],
  ])('are reported: %s', (_, results, fault) => {
    expect(reported(results).join('\n')).toContain(fault)
  })

  test('of a part are judged by name, those of other data without the file', () => {
    expect(reported({ a: { two: false } }, { isPart: true })).toEqual([])
    expect(reported({ a: { one: false } }, { isPart: true })).toEqual(['a: 1 of 1 cases fail that must pass'])
    expect(reported({ c: { four: true } }, { isOther: true })).toEqual([])
    expect(reported({ a: { two: false } }, { isOther: true })).toEqual(['a: 1 of 1 cases fail that must pass'])
    for (const options of [{ isPart: true }, { isOther: true }]) {
      expect(reported({}, options)).toEqual(['no cases'])
      expect(reported({ a: {} }, options)).toEqual(['a: no cases'])
    }
  })

  test('count cases of one name one by one', () => {
    const cases = new Cases()
    for (const passed of [true, false, true]) cases.add('a', 'one', passed)
    expect(cases.summary().a).toMatchObject({ total: 3, open: [expect.any(String)] })
  })
})

test('figures that fall, are missing or are no numbers are reported, and those that rise', () => {
  const before = { share: 0.9, other: 0.5 }
  const faults = (measured: object): string[] => compareFigures(measured, before).faults
  expect(faults(before)).toEqual([])
  expect(faults({ share: 0.89, other: 0.5 })).toEqual(['share: 0.89, was 0.9'])
  expect(faults({ share: 0.9 })).toEqual(['other: not measured'])
  expect(faults({ share: 0.9, other: Number.NaN })).toEqual(['other: not measured'])
  expect(faults({ ...before, more: 1 })).toEqual(['more: not in the file'])
  expect(compareFigures({ share: 0.95, other: 0.5 }, before).better).toEqual(['share: 0.95, was 0.9'])
})

test('findings that are new, more frequent or without a reason are reported, and a judge that sees less', () => {
  const before = { judged: 100, accepted: { odd: { count: 2, reason: 'as the standard has it' } } }
  const faults = (counts: object, judged = 100, file: object = before): string[] =>
    compareFindings({ counts, judged }, file).faults
  expect(faults({ odd: 2 })).toEqual([])
  expect(faults({ odd: 3 })).toEqual(['odd: 3, accepted are 2'])
  expect(faults({ odd: 2, even: 1 })).toEqual(['even: 1, accepted are 0'])
  expect(faults({ odd: 2 }, 100, { judged: 100, accepted: { odd: { count: 2, reason: '' } } })).toHaveLength(1)
  for (const judged of [89, 0, Number.NaN]) expect(faults({ odd: 2 }, judged)).toHaveLength(1)
  expect(compareFindings({ counts: {}, judged: 100 }, before).better).toHaveLength(1)
})

test('each file excuses neither a case that fails nor a set that is not run', () => {
  for (const file of readdirSync(folder).filter(name => name.endsWith('.json'))) {
    const content = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
    if ('accepted' in content) continue
    if (typeof Object.values(content)[0] === 'number') {
      expect(compareFigures({}, content).faults, file).toHaveLength(Object.keys(content).length)
      continue
    }
    expect(compareSets(content, content).faults, file).toEqual([])
    for (const [name, set] of Object.entries<Any>(content)) {
      const { [name]: _, ...rest } = content
      expect(compareSets(rest, content).faults).toContain(`${name}: not run`)
      const failing = { ...content, [name]: { ...set, open: [...set.open, 'another'] } }
      expect(compareSets(failing, content).faults, `${file}: ${name}`).toHaveLength(1)
    }
  }
})

test('a command ends with status 1 for a fault, and says what has become better', () => {
  const file = pathToFileURL(join(mkdtempSync(join(tmpdir(), 'gitwiki-ratchet-')), 'known.json'))
  const run = (passed: boolean, more = {}): { status: number | null; stdout: string } => {
    const script = `import { Cases, judgeCases } from ${JSON.stringify(new URL('ratchet.mjs', folder).href)}
      const cases = new Cases()
      cases.add('a', 'one', ${passed})
      judgeCases(${JSON.stringify(file.href)}, cases, ${JSON.stringify({ update: false, other: false, ...more })})`
    return spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' })
  }
  writeFileSync(file, '{}')
  expect(run(true)).toMatchObject({ status: 1, stdout: expect.stringContaining('FAILED: a: not in the file') })
  expect(run(false, { update: true }).status).toBe(0)
  expect(run(true)).toMatchObject({ status: 0, stdout: expect.stringContaining('raise the ratchet') })
  expect(run(true, { faults: ['x'], update: true }).status).toBe(1)
  expect(run(false)).toMatchObject({ status: 1, stdout: expect.stringContaining('FAILED: a: 1 of 1') })
})

/** Every text that differs from a text in one character. */
function* oneWrong(text: string): Generator<string> {
  for (let at = 0; at < text.length; at++) yield `${text.slice(0, at)}~${text.slice(at + 1)}`
}

describe('a round trip', () => {
  const html = '<p id="mwAg">Tides <b>rise</b> and fall.</p><ul><li><a href="./Ebb" title="Ebb">ebb</a></li></ul>'

  test('reports each wrong character of the text, the elements and their attributes', () => {
    const meaning = meaningOf(html)
    const isOther = (other: string): boolean => throughBrowser(other) !== throughBrowser(html)
    const isMeant = (other: string): boolean => JSON.stringify(meaningOf(other)) === JSON.stringify(meaning)
    expect([...oneWrong(html)].filter(other => isOther(other) && isMeant(other))).toEqual([])
    expect(isMeant(html.replace('mwAg', 'mwBg'))).toBe(true)
    expect(meaningOf(html.replaceAll(/<ul>.*/g, ''))).not.toEqual(meaning)
  })

  test('reports each wrong byte of a line in which a word is edited', () => {
    const [before, after] = ['a\nThe tides rise.\nb', `a\nThe ${newWord} rise.\nb`]
    expect(lineOfEdit(before, after, 'tides')).toBe('word')
    const accepted = [...oneWrong(after)].filter(other => lineOfEdit(before, other, 'tides') === 'word')
    expect(accepted).toEqual([])
    expect(lineOfEdit(before, `${after}\n`, 'tides')).toBe('more')
    expect(lineOfEdit(before, before, 'tides')).toBe('none')
  })

  test('edits words of each kind, and knows those of links', () => {
    const found = findWords(throughBrowser(html))
    expect(found.paragraph.map(({ isLink }: Any) => isLink)).toEqual([false, false, false])
    expect(findWords('<p><a href="./Ebb">Ebbing</a></p>').paragraph[0].isLink).toBe(true)
  })
})

describe('links', () => {
  const places = placesOf(['Tide.md', 'Ebb.md', 'pictures/Moon.png'].map(path => ({ key: path, path })))
  const text = '[ebb](Ebb.md), [again](Ebb.md) and ![moon](pictures/Moon.png), [elsewhere](https://example.org)'
  const wanted = wantedLinks({ text, path: 'Tide.md', model: 'markdown' }, places)
  const moon = '<a href="./pictures/Moon.png"><img resource="./pictures/Moon.png"></a>'
  const ebb = '<a href="./Ebb.md">ebb</a>'
  const led = (html: string): boolean[] => whichLead(wanted, html)

  test('are those that mean a file', () => expect(wanted).toHaveLength(3))

  test('have to lead there, each of them', () => {
    expect(led(`${ebb}${ebb}${moon}`)).toEqual([true, true, true])
    expect(led(`${ebb}<a href="./Tide.md">again</a>${moon}`)).toEqual([true, false, true])
    expect(led(`${ebb}<a href="./Ebb.md?action=edit&amp;redlink=1">again</a>${moon}`)).toEqual([true, false, true])
    expect(led(`${ebb}again${moon}`)).toEqual([true, false, true])
    expect(led(`${ebb}${ebb}<img src="pictures/Moon.png">`)).toEqual([true, true, false])
    expect(led('')).toEqual([false, false, false])
  })
})

test('the gate: a problem that is left out, added or another is reported', () => {
  const problem = (path: string, kind = 'broken-link') => ({ path, kind, text: 'x' })
  const [before, after] = [[problem('a')], [problem('a'), problem('b'), problem('b'), problem('c')]]
  const gate = (...problems: object[]): Any[] => gateDifferences(problems, { before, after })
  const due = [problem('b'), problem('b'), problem('c')]
  expect(gate(...due)).toEqual([])
  expect(gate(...due.slice(1))).toEqual([['b broken-link x', 2, 1]])
  expect(gate(...due, problem('a'))).toEqual([['a broken-link x', undefined, 1]])
  expect(gate(problem('b'), problem('b'), problem('c', 'broken-file'))).toHaveLength(2)
  expect(gate()).toHaveLength(countProblems(due).size)
})

describe('a dump', () => {
  const revision = (id: number, more = {}) => ({
    kind: 'revision',
    revision: {
      id,
      parent: id - 1,
      time: 7,
      contributor: 'Ada',
      minor: false,
      comment: '',
      model: 'wikitext',
      ...more,
    },
  })
  const page = (title: string) => ({ kind: 'page', page: { namespace: 0, title } })
  const items = [page('A'), revision(1, { text: 'x' }), revision(2, { text: 'y' }), page('B'), revision(3)]
  const differ = async (other: object[]): Promise<string[]> =>
    differences(await factsOf(items), await factsOf(other)).map(([key]: string[]) => key)

  test('may have its pages in another order', async () => {
    expect(await differ([...items.slice(3), ...items.slice(0, 3)])).toEqual([])
  })

  test.each<readonly [string, readonly object[]]>([
    ['a revision less', items.toSpliced(1, 1)],
    ['a page less', items.slice(0, 3)],
    ['a revision twice', items.toSpliced(1, 0, items[1]!)],
    ['another order', [items[0]!, items[2]!, items[1]!, ...items.slice(3)]],
    ['a revision of another page', [...items.slice(0, 2), ...items.slice(3), items[2]!]],
    ...['parent', 'time', 'contributor', 'minor', 'comment', 'model', 'format', 'text'].map(
      name => [`another ${name}`, items.with(1, revision(1, { text: 'x', [name]: 'other' }))] as const,
    ),
  ])('is reported with %s', async (_, other) => {
    expect(await differ([...other])).not.toEqual([])
  })
})

test('lint: another range, type or number of findings is reported', () => {
  const lint = { type: 'missing-end-tag', dsr: [0, 7, 3, 0], params: { name: 'b' }, templateInfo: null }
  expect(isSameAnswer([{ ...lint, more: undefined }], [lint])).toBe(true)
  for (const other of [
    [],
    [lint, lint],
    [{ ...lint, dsr: [0, 8, 3, 0] }],
    [{ ...lint, type: 'x' }],
    [{ ...lint, params: {} }],
  ])
    expect(isSameAnswer(other, [lint])).toBe(false)
})

test('comparisons: an element that is left out, added or changed is not the recorded one, and not true', () => {
  const texts = { from: 'one\ntwo\nthree\nfour', to: 'one\nsecond two\nthree\nfour\nfive' }
  const recorded = compareTexts(texts.from, texts.to)
  const isSame = (ours: Any): boolean => JSON.stringify(withBothOffsets(recorded, ours, texts)) === JSON.stringify(ours)
  expect(isSame(recorded)).toBe(true)
  for (const [at, element] of recorded.entries())
    for (const wrong of [
      recorded.toSpliced(at, 1),
      recorded.toSpliced(at, 0, element),
      recorded.with(at, { ...element, text: `${element.text}.` }),
      recorded.with(at, { ...element, lineNumber: 9 }),
      recorded.with(at, { ...element, offset: { from: 1, to: 1 } }),
    ]) {
      expect(isSame(wrong)).toBe(false)
      expect(falseElements(wrong, texts)).not.toEqual([])
    }
})

test('histories: a commit without a reason is reported', () => {
  const commit = (place: number, changed: object, taken = changed) => ({
    place,
    changed: new Map(Object.entries(changed)),
    taken: new Map(Object.entries(taken)),
    merge: `c${place}`,
  })
  const commits = new Map(
    [
      commit(0, { a: 'content' }),
      commit(1, { a: 'content' }),
      commit(2, { b: 'content' }),
      commit(3, { a: 'deletion' }),
    ].map((one, at) => [`c${at}`, one]),
  )
  const reason = (hash: string, ours: string[], theirs: string[]): string | undefined =>
    reasonOf(hash, { ours: new Set(ours), theirs: new Set(theirs), first: 'c0', path: 'a' }, commits)
  expect(reason('c1', ['c0', 'c1'], ['c0', 'c1'])).toBe('agreed')
  expect(reason('c1', ['c0'], ['c0', 'c1'])).toBeUndefined()
  expect(reason('c1', ['c0', 'c1'], ['c0'])).toBeUndefined()
  expect(reason('c3', ['c0'], ['c0', 'c3'])).toBe('only git: the deletion of a file')
})
