/** One user writes while others save: in any order of keys, responses and drafts, the merge loses no word of either. */

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeInPieces, mergeTexts } from '../../src/diff/merge.ts'
import type { Section } from '../../src/diff/same-section.ts'
import { type News, type Revision, startCatchUp } from '../../src/web/client/writing/catch-up.ts'

const start = 'one alpha\n\ntwo beta\n\nthree gamma\n\nfour delta\n'

/** Inserts a word at a line, as a separate line or after its last word. */
function withWord(text: string, { at, isLine }: Place, word: string): string {
  const lines = text.replace(/\n$/, '').split('\n')
  const index = at % lines.length
  if (isLine) lines.splice(index, 0, word, '')
  else lines[index] = `${lines[index]} ${word}`.trim()
  return `${lines.join('\n')}\n`
}

interface Place {
  readonly at: number
  readonly isLine: boolean
}

type Step =
  | { readonly do: 'theirs' | 'mine' | 'draft'; readonly place: Place }
  | { readonly do: 'poll' | 'answer' | 'key' }

const place = fc.record({ at: fc.nat(20), isLine: fc.boolean() })
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('theirs', 'mine'), place }),
  fc.record({ do: fc.constant('draft'), place }),
  fc.record({ do: fc.constantFrom('poll', 'answer', 'answer', 'answer', 'key') }),
)

/** A page with its revisions, and a form on it whose responses arrive on schedule. */
function scene() {
  const revisions: Revision[] = []
  const waiting: (() => void)[] = []
  const reported: News[] = []
  const form = { base: 1, text: start }
  let words = 0
  let isTyping = false
  const save = (source: string): void => {
    const page = { key: 'Tides', title: 'Tides' }
    revisions.push({ id: revisions.length + 1, source, page, user: { name: 'Ada' } })
  }
  const later = <Value>(value: () => Value): Promise<Value> =>
    new Promise(resolve => void waiting.push(() => resolve(value())))
  save(start)
  const catchUp = startCatchUp(
    {
      latest: () => later(() => revisions.length),
      revision: id => later(() => revisions[id - 1] ?? null),
      sections: async () => [],
    },
    {
      key: 'Tides',
      merges: 'words',
      section: () => null,
      base: () => form.base,
      read: () => form.text,
      take: (merged, { id }) => void Object.assign(form, { base: id, text: merged }),
      pause: async () => {
        while (isTyping) await later(() => null)
      },
    },
    news => void reported.push(news),
  )
  const latest = (): string => revisions.at(-1)!.source
  const theirs: string[] = []
  let mine: string[] = []
  const act = async (step: Step): Promise<void> => {
    if (step.do === 'theirs') {
      theirs.push(`their${++words}`)
      save(withWord(latest(), step.place, theirs.at(-1)!))
    } else if (step.do === 'mine') {
      mine.push(`mine${++words}`)
      form.text = withWord(form.text, step.place, mine.at(-1)!)
    } else if (step.do === 'draft') {
      // A draft of some older revision replaces the text.
      const base = 1 + (step.place.at % revisions.length)
      mine = [`mine${++words}`]
      Object.assign(form, { base, text: withWord(revisions[base - 1]!.source, step.place, mine[0]!) })
      catchUp.restart(base)
      void catchUp.poll()
    } else if (step.do === 'key') isTyping = !isTyping
    else if (step.do === 'poll') void catchUp.poll()
    else waiting.shift()?.()
    await settle()
  }
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await null
  }
  /** Delivers all responses. */
  const drain = async (): Promise<void> => {
    isTyping = false
    void catchUp.poll()
    await settle()
    while (waiting.length > 0) {
      waiting.shift()!()
      await settle()
    }
  }
  return { act, drain, form, reported, catchUp, revisions, theirs: () => theirs, mine: () => mine }
}

test('no word is lost, and each newer revision is reported', { tags: 'long' }, async () => {
  const run = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async steps => {
    const { act, drain, form, reported, catchUp, revisions, theirs, mine } = scene()
    for (const step of steps) await act(step)
    await drain()
    const latest = revisions.at(-1)!
    expect(catchUp.reported()).toBe(latest.id)
    if (form.base !== latest.id) expect(reported.at(-1)?.kind).toBe('conflict')
    // The text after saving, or after a choice of both sides at each conflict.
    const base = revisions[form.base - 1]!.source
    const merge = mergeTexts(base, form.text, latest.source)
    const pieces = mergeInPieces(base, form.text, latest.source)
    const whole = merge.merged
      ? merge.text
      : pieces.map(piece => (typeof piece === 'string' ? piece : piece.mine + piece.theirs)).join('')
    for (const word of [...theirs(), ...mine()]) expect(whole.split(/\s+/)).toContain(word)
    if (merge.merged) for (const word of mine()) expect(whole.split(/\s+/).filter(one => one === word)).toEqual([word])
  })
  await fc.assert(run, { numRuns: 400 })
})

/** Sections of a text whose headings are all of one level. */
function sectionsOf(source: string): Section[] {
  const starts = [...source.matchAll(/^==.*==$/gm)].map(({ index }) => index)
  const ends = [...starts, source.length]
  return ends.map((end, number) => ({ number, start: number === 0 ? 0 : starts[number - 1]!, end }))
}

/** Edits of another person: words in a section, a new section before it, a new heading, or none of its text. */
const theirEdit = fc.record({
  do: fc.constantFrom('word', 'word', 'word', 'add', 'rename', 'same heading', 'remove'),
  section: fc.nat(5),
})

function theirText(source: string, { do: what, section }: { do: string; section: number }, word: string): string {
  const sections = sectionsOf(source)
  const { start, end } = sections[1 + (section % Math.max(1, sections.length - 1))] ?? sections[0]!
  const text = source.slice(start, end)
  const changed: Record<string, string> = {
    word: `${text.trimEnd()}\n\n${word}\n\n`,
    add: `== New ${word} ==\n${word}\n\n${text}`,
    'same heading': `== Two ==\n${word}\n\n${text}`,
    rename: text.replace(/^== (.*) ==/, `== $1 ${word} ==`),
    remove: '',
  }
  return source.slice(0, start) + changed[what] + source.slice(end)
}

test('of a section, edits of others are merged into it wherever it goes, and no word is lost', {
  tags: 'long',
}, async () => {
  const page = { key: 'Tides', title: 'Tides' }
  const first =
    'lead alpha\n\n== One ==\none alpha\n\nend one\n\n== Two ==\ntwo beta\n\nend two\n\n== Three ==\nthree gamma\n'
  const counts = { merged: 0 }
  const run = fc.asyncProperty(
    fc.nat(3),
    fc.array(fc.oneof(theirEdit, fc.constant(null)), { maxLength: 8 }),
    async (number, steps) => {
      const revisions: Revision[] = [{ id: 1, source: first, page, user: null }]
      const sourceOf = (id: number): string => revisions[id - 1]!.source
      const rangeIn = (id: number, one: number): Section =>
        sectionsOf(sourceOf(id)).find(section => section.number === one)!
      const form = { base: 1, section: number, text: '' }
      const { start, end } = rangeIn(1, number)
      form.text = first.slice(start, end).trimEnd()
      const words: string[] = []
      const catchUp = startCatchUp(
        {
          latest: async () => revisions.length,
          revision: async id => revisions[id - 1] ?? null,
          sections: async id => sectionsOf(sourceOf(id)),
        },
        {
          ...{ key: 'Tides', merges: 'words' },
          section: () => form.section,
          base: () => form.base,
          read: () => form.text,
          take: (text, { id }, section) => Object.assign(form, { text, base: id, section }),
          pause: async () => {},
        },
        ({ kind }) => void (kind === 'merged' && counts.merged++),
      )
      for (const [index, step] of steps.entries()) {
        if (step === null) {
          words.push(`mine${index}`)
          form.text = form.text.replace(/^(.*)$/m, `$1\n\nmine${index}`)
        } else {
          const source = theirText(revisions.at(-1)!.source, step, `their${index}`)
          revisions.push({ id: revisions.length + 1, source, page, user: null })
        }
        await catchUp.poll()
      }
      // Saving replaces the section of the base, and merges the whole text.
      const own = rangeIn(form.base, form.section)
      const base = sourceOf(form.base)
      const whole = `${base.slice(0, own.start)}${form.text}\n\n${base.slice(own.end)}`
      const pieces = mergeInPieces(base, whole, revisions.at(-1)!.source)
      const saved = pieces.map(piece => (typeof piece === 'string' ? piece : piece.mine + piece.theirs)).join('')
      const latest = revisions.at(-1)!.source.split(/\s+/)
      const removed = steps.some(step => step?.do === 'remove')
      for (const word of words) expect(saved.split(/\s+/)).toContain(word)
      if (!removed) for (const word of latest) expect(saved.split(/\s+/)).toContain(word)
    },
  )
  await fc.assert(run, { numRuns: 300 })
  expect(counts.merged).toBeGreaterThan(0)
})

test('a page that is deleted, moved or unreadable is reported once, and the text stays', async () => {
  const tell = async (page: { latest: number | null; key?: string }, from: number) => {
    const reported: string[] = []
    const revision = (id: number): Revision => ({
      ...{ id, source: 'old', user: null },
      page: { key: page.key ?? 'Tides', title: page.key ?? 'Tides' },
    })
    const catchUp = startCatchUp(
      { latest: async () => page.latest, revision: async id => revision(id), sections: async () => [] },
      {
        ...{ key: 'Tides', merges: 'words', section: () => null },
        base: () => from,
        read: () => 'mine',
        take: () => void reported.push('taken'),
        pause: async () => {},
      },
      ({ kind }) => void reported.push(kind),
    )
    await catchUp.poll()
    await catchUp.poll()
    return reported
  }
  expect(await tell({ latest: null }, 1)).toEqual(['deleted'])
  expect(await tell({ latest: null }, 0)).toEqual([])
  expect(await tell({ latest: 2, key: 'Fog' }, 1)).toEqual(['moved'])
  expect(await tell({ latest: 1 }, 1)).toEqual([])
})

describe('a newer revision', () => {
  const page = { key: 'Tides', title: 'Tides' }
  const heading = (text: string) => `== One ==\none\n\n== Two ==\n${text}\n`

  /** Returns the reports of a newer revision of a whole page, or of its last section, and the text and base of the form after it. */
  async function told(
    typed: string,
    { old = 'one\n\ntwo\n', now = 'ONE\n\ntwo\n', merges = 'words', section = null as number | null },
  ) {
    const kinds: string[] = []
    const form = { text: typed, base: 1 }
    const source = (id: number) => (id === 1 ? old : now)
    const catchUp = startCatchUp(
      {
        latest: async () => 2,
        revision: async id => ({ id, source: source(id), page, user: null }),
        sections: async id => sectionsOf(source(id)),
      },
      {
        ...{ key: 'Tides', merges: merges as 'words', section: () => section },
        base: () => form.base,
        read: () => form.text,
        take: (text, { id }) => void Object.assign(form, { text, base: id }),
        pause: async () => {},
      },
      ({ kind }) => void kinds.push(kind),
    )
    await catchUp.poll()
    return [kinds, form.text, form.base]
  }

  test('is taken where nothing was typed, or the same, and is no merge', async () => {
    expect(await told('one\n\ntwo', {})).toEqual([['taken'], 'ONE\n\ntwo', 2])
    expect(await told('ONE\n\ntwo', {})).toEqual([['taken'], 'ONE\n\ntwo', 2])
    expect(await told('one\n\nTWO', {})).toEqual([['merged'], 'ONE\n\nTWO', 2])
  })

  test('is nothing new to a section that neither changed', async () => {
    const two = { old: heading('two'), section: 2 }
    const one = heading('two').replace('one', 'uno')
    expect(await told('== Two ==\ntwo', { ...two, now: one })).toEqual([[], '== Two ==\ntwo', 2])
    expect(await told('== Two ==\nTWO', { ...two, now: one })).toEqual([['ahead'], '== Two ==\nTWO', 2])
    expect(await told('== Two ==\ntwo', { ...two, now: heading('dos') })).toEqual([['taken'], '== Two ==\ndos', 2])
  })

  test('is never merged where the settings say so, but taken where nothing was typed', async () => {
    const never = { merges: 'never' }
    expect(await told('one\n\nTWO', never)).toEqual([['conflict'], 'one\n\nTWO', 1])
    expect(await told('one\n\ntwo', never)).toEqual([['taken'], 'ONE\n\ntwo', 2])
    const two = { ...never, old: heading('two'), now: heading('two').replace('one', 'uno'), section: 2 }
    expect(await told('== Two ==\nTWO', two)).toEqual([['conflict'], '== Two ==\nTWO', 1])
    expect(await told('== Two ==\ntwo', two)).toEqual([[], '== Two ==\ntwo', 2])
  })
})
