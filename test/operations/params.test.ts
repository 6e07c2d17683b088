import { describe, expect, test } from 'vitest'
import { WikiError } from '../../src/core/errors.ts'
import {
  boundedInteger,
  enumParam,
  integerParam,
  limitParam,
  optionalInteger,
  requiredParam,
} from '../../src/operations/resources/params.ts'

function errorOf(run: () => unknown): WikiError {
  try {
    run()
  } catch (error) {
    if (error instanceof WikiError) return error
  }
  throw new Error('no WikiError was thrown')
}

describe('integerParam', () => {
  test.each([
    ['5', 5],
    ['+5', 5],
    ['007', 7],
    ['-1', -1],
    ['0', 0],
    ['-0', 0],
    ['9223372036854775807', 2 ** 63],
    [`${'0'.repeat(1000)}12`, 12],
  ])('reads %j', (text, value) => {
    expect(integerParam('id', text)).toBe(value)
  })

  test.each([
    '',
    ' 5',
    '5 ',
    '1.5',
    '1e2',
    '0x10',
    'abc',
    '--1',
    '+',
    '9223372036854775808',
    '99999999999999999999',
    '٣',
    '5\n',
  ])("refuses %j with MediaWiki's error", text => {
    const error = errorOf(() => integerParam('older_than', text))
    expect(error.code).toBe('badinteger')
    expect(error.status).toBe(400)
    expect(error.message).toBe(`Invalid value "${text}" for integer parameter "older_than"`)
    expect(error.data).toEqual({
      error: 'parameter-validation-failed',
      name: 'older_than',
      value: text,
      failureCode: 'badinteger',
      failureData: null,
    })
  })

  test('an optional integer may be missing, but not empty', () => {
    expect(optionalInteger('from', undefined)).toBeUndefined()
    expect(optionalInteger('from', '3')).toBe(3)
    expect(errorOf(() => optionalInteger('from', '')).code).toBe('badinteger')
  })

  test('a megabyte of digits is refused', () => {
    expect(errorOf(() => integerParam('id', '1'.repeat(1_000_000))).code).toBe('badinteger')
  })
})

describe('limitParam', () => {
  test.each([
    [undefined, 50],
    ['1', 1],
    ['100', 100],
    ['+5', 5],
    ['005', 5],
  ])('reads %j as %i', (text, limit) => {
    expect(limitParam(text)).toBe(limit)
  })

  test.each(['0', '101', '-1'])('%j is out of range, and the error says which range', text => {
    const error = errorOf(() => limitParam(text))
    expect(error.code).toBe('outofrange')
    expect(error.message).toBe(`The value "${text}" for parameter "limit" must be between 1 and 100`)
    const range = { min: 1, curmax: 100, max: 100, highmax: 100 }
    expect(error.data).toEqual({
      error: 'parameter-validation-failed',
      name: 'limit',
      value: text,
      failureCode: 'outofrange',
      failureData: range,
      ...range,
    })
  })

  test.each(['', 'abc', '1.5'])('%j is not an integer', text => {
    expect(errorOf(() => limitParam(text)).code).toBe('badinteger')
  })

  test('the members of the error are in the documented order', () => {
    const data = errorOf(() => limitParam('0')).data
    expect(Object.keys(data).slice(0, 5)).toEqual(['error', 'name', 'value', 'failureCode', 'failureData'])
  })

  test('other limits are reported unchanged', () => {
    expect(boundedInteger('port', '8080', { min: 0, max: 65535 })).toBe(8080)
    const error = errorOf(() => boundedInteger('port', '70000', { min: 0, max: 65535 }))
    expect(error.data.failureData).toEqual({ min: 0, curmax: 65535, max: 65535, highmax: 65535 })
  })
})

describe('enumParam', () => {
  const allowed = ['minor', 'bot'] as const

  test('returns the value', () => {
    expect(enumParam('filter', 'bot', allowed)).toBe('bot')
  })

  test.each(['', 'MINOR', 'minor|bot', 'toString'])('refuses %j', text => {
    const error = errorOf(() => enumParam('filter', text, allowed))
    expect(error.code).toBe('badvalue')
    expect(error.message).toBe(`Unrecognized value for parameter "filter": ${text}`)
    expect(error.data).toEqual({
      error: 'parameter-validation-failed',
      name: 'filter',
      value: text,
      failureCode: 'badvalue',
      failureData: [],
    })
  })
})

describe('requiredParam', () => {
  test('returns the value, also if it is blank', () => {
    expect(requiredParam('q', '  ')).toBe('  ')
  })

  test.each([
    [undefined, null],
    ['', ''],
  ])('%j is missing', (text, value) => {
    const error = errorOf(() => requiredParam('q', text))
    expect(error.code).toBe('missingparam')
    expect(error.data).toMatchObject({ name: 'q', value, failureCode: 'missingparam', failureData: null })
  })
})
