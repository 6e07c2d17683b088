import { expect, test } from 'vitest'
import { endOfMoment, parseDate, parseMoment } from '../../src/operations/resources/dates.ts'

const now = Date.parse('2026-03-15T10:30:00Z')

test.each([
  ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ['2026-01-31 12:00', '2026-01-31T12:00:00.000Z'],
  ['2026-01-31T12:00:00+02:00', '2026-01-31T10:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['0 days ago', '2026-03-15T10:30:00.000Z'],
  ['00h', '2026-03-15T10:30:00.000Z'],
  ['now', '2026-03-15T10:30:00.000Z'],
  ['today', '2026-03-15T00:00:00.000Z'],
  ['Yesterday', '2026-03-14T10:30:00.000Z'],
  ['3 days ago', '2026-03-12T10:30:00.000Z'],
  ['3.days.ago', '2026-03-12T10:30:00.000Z'],
  ['2h', '2026-03-15T08:30:00.000Z'],
  ['2 weeks', '2026-03-01T10:30:00.000Z'],
  ['an hour ago', '2026-03-15T09:30:00.000Z'],
  ['last month', '2026-02-13T10:30:00.000Z'],
])('%s is %s', (text, iso) => {
  expect(new Date(parseMoment(text, now) ?? 0).toISOString()).toBe(iso)
})

test.each([
  '',
  'soon',
  '2026-13-01',
  '2026-1-1',
  '2026-02-29',
  '2026-04-31 12:00',
  '3',
  'days',
  '999999 years ago',
  '2026-01-31T25:00',
  'x'.repeat(100_000),
])('%.20s is not a time', text => {
  expect(parseMoment(text, now)).toBeNull()
})

test('programs write numeric dates', () => {
  expect(parseDate('yesterday')).toBeNull()
})

test('a day ends at its end, a time at itself', () => {
  expect(new Date(endOfMoment('2026-01-31', now) ?? 0).toISOString()).toBe('2026-01-31T23:59:59.999Z')
  expect(new Date(endOfMoment('2026-01-31 12:00', now) ?? 0).toISOString()).toBe('2026-01-31T12:00:00.000Z')
  expect(endOfMoment('yesterday', now)).toBe(now - 86_400_000)
})
