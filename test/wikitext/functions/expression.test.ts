import { describe, expect, test } from 'vitest'
import { evaluate } from '../../../src/wikitext/functions/expression.ts'

test.each([
  ['', ''],
  ['1+2*3', '7'],
  ['(1+2)*3', '9'],
  ['-2^2', '4'],
  ['2^3^2', '64'],
  ['7 mod 3', '1'],
  ['-7 mod 3', '-1'],
  ['5.5 fmod 2', '1.5'],
  ['1/3', '0.33333333333333'],
  ['2/3', '0.66666666666667'],
  ['0.1+0.2', '0.3'],
  ['1e3', '1000'],
  ['1.5e-3', '0.0015'],
  ['10^15', '1.0E+15'],
  ['1/100000', '1.0E-5'],
  ['2.345 round 2', '2.35'],
  ['-2.5 round 0', '-3'],
  ['1234 round -2', '1200'],
  ['1 = 1.0', '1'],
  ['1 <> 2', '1'],
  ['3 >= 3 and 2 < 1', '0'],
  ['not 0', '1'],
  ['1 or 0 and 0', '1'],
  ['trunc -2.7', '-2'],
  ['floor -2.5', '-3'],
  ['ceil 2.1', '3'],
  ['abs -3', '3'],
  ['sqrt 16', '4'],
  ['ln e', '1'],
  ['sin 0', '0'],
  ['pi', '3.1415926535898'],
  ['2 &lt; 3', '1'],
  ['4 − 1', '3'],
  ['.5 + 1.', '1.5'],
])('%j is %s', (expression, expected) => {
  expect(evaluate(expression)).toBe(expected)
})

describe('errors', () => {
  test.each([
    ['1/0', 'Division by zero.'],
    ['1 mod 0', 'Division by zero.'],
    ['1 2', 'Expression error: Unexpected number.'],
    ['1+', 'Expression error: Missing operand for +.'],
    ['*1', 'Expression error: Unexpected * operator.'],
    ['(1', 'Expression error: Unclosed bracket.'],
    ['1)', 'Expression error: Unexpected closing bracket.'],
    ['boat', 'Expression error: Unrecognized word "boat".'],
    ['1 ; 2', 'Expression error: Unrecognized punctuation character ";".'],
    ['asin 2', 'Invalid argument for asin: < -1 or > 1.'],
    ['('.repeat(200), 'Expression error: Stack exhausted.'],
  ])('%j: %s', (expression, sentence) => {
    expect(evaluate(expression)).toBe(`<strong class="error">${sentence}</strong>`)
  })
})
