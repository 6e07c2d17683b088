/** Queries that are not plain words: numbers, symbols, initials, only excluded words. */

import { expect, test } from 'vitest'
import { searchPages } from '../../src/operations/search-pages.ts'
import { searchTitles } from '../../src/operations/search-titles.ts'
import { newWiki } from './_wiki.ts'

const pages = {
  'Bip-0341': '<pre>\n  Layer: Consensus\n  Title: Taproot\n</pre>\nSee 342 and 340.\n',
  'Bip-0342': 'It needs 341, 341 and 341.\n',
  'Notes 2019': 'In 2018 and 2019.\n',
  '2019': 'A year.\n',
  Languages: 'We use C++, F# and C.\n',
  Letters: 'C is a letter, and so is F. C C C C.\n',
  Heights: 'Up to 2^256 stones.\n',
  Raised: "Few of the 2<sup>256</sup> and x<SUP class='a'>2</SUP>, the 1<sup>st</sup>.\n",
  Lists: '256 stones in 2 rows, 256 and 2.\n',
  'Partially signed boat tickets': 'How to sign.\n',
  Tickets: 'A boat ticket is no PSBT.\n',
  'Bip-0174': '<pre>\n  Layer: Uses\n  Title: Long Signal Harbour Tables\n</pre>\nThey are called LSHT, or longsig.\n',
  'Bip-0370': '<pre>\n  Layer: Uses\n  Title: LSHT of longsig\n</pre>\nLSHT, longsig LSHT and longsig: LSHT.\n',
  'Only harbour tables': 'Whoever reads oht, says oht.\n',
}
const { wiki } = await newWiki(pages)

const found = async (q: string) => (await searchPages(wiki, { q })).pages.map(({ title }) => title)
const titled = async (q: string) => (await searchTitles(wiki, { q, match: 'words' })).pages.map(({ title }) => title)

test('a number finds the page with that number first, with or without leading zeros', async () => {
  expect((await found('341'))[0]).toBe('Bip-0341')
  expect((await found('0341'))[0]).toBe('Bip-0341')
  expect((await found('2019')).slice(0, 2)).toEqual(['2019', 'Notes 2019'])
})

test("titles are found by any of their words, numbers without leading zeros, and by a page's own names", async () => {
  expect(await titled('341')).toEqual(['Bip-0341'])
  expect(await titled('signed')).toEqual(['Partially signed boat tickets'])
  expect(await titled('taproot')).toEqual(['Bip-0341'])
})

test('names of languages are distinguished from their letters', async () => {
  expect(await found('C++')).toEqual(['Languages'])
  expect(await found('f#')).toEqual(['Languages'])
  expect(await found('C')).toContain('Letters')
})

test('a power matches adjacent numbers; without such a page its numbers are searched separately', async () => {
  expect((await found('2^256')).sort()).toEqual(['Heights', 'Raised'])
  expect(await found('1st')).toEqual(['Raised'])
  expect((await found('256^2')).sort()).toEqual(['Heights', 'Lists', 'Raised'])
})

test('the initials of a title find its page', async () => {
  expect((await found('psbt'))[0]).toBe('Partially signed boat tickets')
})

test('a short name that a page uses for its title finds it first', async () => {
  expect((await found('lsht')).slice(0, 2)).toEqual(['Bip-0174', 'Bip-0370'])
  expect((await found('longsig')).slice(0, 2)).toEqual(['Bip-0174', 'Bip-0370'])
})

test('a query with only excluded words finds the other pages', async () => {
  const others = await found('-stones')
  expect(others).not.toContain('Heights')
  expect(others.length).toBe(Object.keys(pages).length - 2)
  expect(await found('-"boat ticket" -stones -341 -letter')).not.toContain('Tickets')
})
