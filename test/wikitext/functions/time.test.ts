import { describe, expect, test } from 'vitest'
import { createLocales } from '../../../src/wikitext/expansion/locale.ts'
import { write } from '../../../src/wikitext/functions/time-format.ts'
import { parseTime } from '../../../src/wikitext/functions/time-parse.ts'
import { zonedDate } from '../../../src/wikitext/functions/zoned-date.ts'
import { expand } from '../_expand.ts'

/** A Tuesday. */
const now = Date.parse('2024-03-05T07:08:09Z')

describe('dates in common notations', () => {
  test.each([
    ['2024-01-31', '2024-01-31T00:00:00Z'],
    ['2024-01-31 12:34', '2024-01-31T12:34:00Z'],
    ['2024-01-31T12:34:56Z', '2024-01-31T12:34:56Z'],
    ['20240131123456', '2024-01-31T12:34:56Z'],
    ['20240131', '2024-01-31T00:00:00Z'],
    ['31 January 2024', '2024-01-31T00:00:00Z'],
    ['31st of Jan. 2024', '2024-01-31T00:00:00Z'],
    ['January 31, 2024 5:06 pm', '2024-01-31T17:06:00Z'],
    ['Jan 2024', '2024-01-01T00:00:00Z'],
    ['2024 Jan 31', '2024-01-31T00:00:00Z'],
    ['1/31/2024', '2024-01-31T00:00:00Z'],
    ['31.1.2024', '2024-01-31T00:00:00Z'],
    ['4 May', '2024-05-04T00:00:00Z'],
    ['1999', '1999-03-05T00:00:00Z'],
    ['2024-W02-3', '2024-01-10T00:00:00Z'],
    ['@86400', '1970-01-02T00:00:00Z'],
    ['now', '2024-03-05T07:08:09Z'],
    ['today', '2024-03-05T00:00:00Z'],
    ['tomorrow noon', '2024-03-06T12:00:00Z'],
    ['+1 day', '2024-03-06T07:08:09Z'],
    ['2 weeks ago', '2024-02-20T07:08:09Z'],
    ['2024-01-31 -1 month', '2023-12-31T00:00:00Z'],
    ['next month', '2024-04-05T07:08:09Z'],
    ['last day of february 2024', '2024-02-29T00:00:00Z'],
    ['first day of next month', '2024-04-01T07:08:09Z'],
    ['friday', '2024-03-08T00:00:00Z'],
    ['next tuesday', '2024-03-12T00:00:00Z'],
    ['last monday', '2024-03-04T00:00:00Z'],
    ['12:00 +02:00', '2024-03-05T10:00:00Z'],
    ['2024-07-01 12:00 Europe/Paris', '2024-07-01T10:00:00Z'],
    ['2024-07-01 12:00 EST', '2024-07-01T17:00:00Z'],
  ])('%j is %s', (text, expected) => {
    expect(new Date(parseTime(text, now) ?? Number.NaN).toJSON()).toBe(expected.replace('Z', '.000Z'))
  })

  test.each(['soonish', '2024-13-01', '31 Boat 2024', '25:00', 'a'.repeat(400)])('%j is not a date', text => {
    expect(parseTime(text, now)).toBeUndefined()
  })
})

test.each([
  ['Y-m-d H:i:s', '2024-03-05 07:08:09'],
  ['j F Y, l', '5 March 2024, Tuesday'],
  ['D d M y', 'Tue 05 Mar 24'],
  ['N w z W t L o', '2 2 64 10 31 1 2024'],
  ['g:i a, h A, G', '7:08 am, 07 AM, 7'],
  ['U', '1709622489'],
  ['c', '2024-03-05T07:08:09+00:00'],
  ['r', 'Tue, 05 Mar 2024 07:08:09 +0000'],
  ['e T O P Z I', 'UTC UTC +0000 +00:00 0 0'],
  ['\\Y "of Y" xx', 'Y of Y x'],
  ['xrY xkY', 'MMXXIV 2567'],
  ['!', '!'],
])('the format %j writes %j', (format, expected) => {
  expect(write(format, zonedDate(now), createLocales()('en'))).toBe(expected)
})

test.each([
  ['{{#time:Y-m-d}}', '2024-03-05'],
  ['{{#time:j F Y|2024-02-29|de}}', '29 Februar 2024'],
  ['{{#time:H:i|2024-02-29 10:00||1}} {{#timel:H:i|2024-02-29 10:00}}', '11:00 11:00'],
  ['{{#timef:2024-02-29|date}} {{#timef:2024-02-29|time}}', '29 February 2024 00:00'],
  ['{{#time:Y|boats}}', '<strong class="error">Error: Invalid time.</strong>'],
  ['{{#time:Y|+9000 years}}', '<strong class="error">Error: #time only supports years up to 9999.</strong>'],
])('%j gives %j', async (text, expected) => {
  expect(await expand(text, { timeZone: 'Europe/Paris' })).toBe(expected)
})

test.each([
  ['2024-01-05 +1 weekday', '2024-01-08'],
  ['2024-01-05 +6 weekdays', '2024-01-15'],
  ['2024-01-06 +1 weekday', '2024-01-08'],
  ['2024-01-07 +5 weekdays', '2024-01-12'],
  ['2024-01-08 -1 weekday', '2024-01-05'],
  ['2024-01-06 -1 weekday', '2024-01-05'],
  ['2024-01-05 1 week', '2024-01-12'],
])('days of work: %s', async (text, expected) => {
  expect(await expand(`{{#time:Y-m-d|${text}}}`, {})).toBe(expected)
})
