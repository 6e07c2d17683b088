import { expect, test } from 'vitest'
import { countSlips, nearest } from '../../src/core/nearest-name.ts'

test.each([
  ['histroy', 'history', 1],
  ['page', 'page', 0],
  ['', 'ab', 2],
  ['ab', '', 2],
  ['search', 'serve', 3],
])('from %j to %j are %i typing errors', (from, to, slips) => {
  expect(countSlips(from, to)).toBe(slips)
})

test.each([
  ['histroy', 'history'],
  ['HISTORY', 'history'],
  ['mvoe', 'move'],
  ['xyz', undefined],
  ['ls', undefined],
])('%j may mean %j', (typed, name) => {
  expect(nearest(typed, ['page', 'history', 'move', 'list', 'compare'])).toBe(name)
})
