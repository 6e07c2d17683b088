// @module-tag long
import { describe, expect, test } from 'vitest'
import { comparePrecedence } from '../../src/store/pages.ts'
import type { Store } from '../../src/store/store.ts'
import { newStore, openFresh, type Texts, write } from './_store.ts'

/** Names that collide with one another, some of which make no title. */
const names = ['Apple', 'apple', 'Åpfel', 'Talk/Apple', 'Bad%7C', 'Pear', 'Plum', 'Pl um', 'Zoo']
const extensions = ['wiki', 'md', 'png']
const prefixes = ['', 'a', 'p', 'pl', 'talk:', 'z', 'zz', 'å']

describe('a changing catalog', () => {
  test.each([1, 2, 3])(
    'counts titles and finds collisions as a scan of every row does, seed %i',
    { tags: 'long' },
    async seed => {
      const random = randomNumbers(seed)
      const { store, directory } = await newStore({ bare: true })
      const paths = new Map<string, string>()
      for (let step = 0; step < 24; step++) {
        await write(store, nextTexts(paths, random, step))
        if (step % 8 === 7) await store.rebuild()
        expectCounted(store, paths)
      }
      expectCounted(await openFresh(directory), paths)
    },
  )
})

function nextTexts(paths: Map<string, string>, random: (below: number) => number, step: number): Texts {
  const texts: Record<string, string | null> = {}
  for (let at = 0; at <= random(3); at++) {
    const path = `${names[random(names.length)]}.${extensions[random(extensions.length)]}`
    const isDeleted = paths.has(path) && random(3) === 0
    if (isDeleted) paths.delete(path)
    else paths.set(path, `step ${step}`)
    texts[path] = isDeleted ? null : `step ${step} at ${at}`
  }
  return { ...texts, 'wiki.json': '{}' }
}

function expectCounted(store: Store, paths: ReadonlyMap<string, string>): void {
  for (const prefix of prefixes) expect(store.countPages(prefix), prefix).toBe([...store.pages({ prefix })].length)
  expect(store.countFiles()).toBe([...store.files()].length)
  const shown = new Set([...store.pages(), ...store.files()].map(({ path }) => path))
  const hidden = [...paths.keys()].filter(path => !shown.has(path)).sort()
  const problems = [...store.problems()]
  expect(problems.map(({ path }) => path).sort()).toEqual(hidden)
  for (const { path, shownAs } of problems)
    if (shownAs !== null) expect([shown.has(shownAs), comparePrecedence(shownAs, path) < 0]).toEqual([true, true])
}

function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
}
