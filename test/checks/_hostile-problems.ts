/** Problems whose texts contain special characters of every format. */

import type { Problem } from '../../src/checks/problem.ts'
import { numbersFrom } from '../store/_random-history.ts'
import { problem } from './_problem.ts'

const hostile = [
  '%',
  '\r\n',
  ':',
  ',',
  '::',
  '|',
  '<',
  '&',
  ']]>',
  '"',
  '\x00',
  '\x1b[2J',
  '\n',
  '\x9b',
  '\x7f',
  '\u202e',
  '\u2028',
  '\ufffe',
  '\ud800',
  '@you',
  '`',
  '\\',
  'é😀',
  '#1',
  'a b',
]

/** The same problems for the same `seed`. */
export function hostileProblems(seed: number, count: number): Problem[] {
  const random = numbersFrom(seed)
  const word = (): string =>
    Array.from({ length: 1 + Math.floor(random() * 6) }, () => hostile[Math.floor(random() * hostile.length)]).join('')
  const severity = (): Problem['severity'] => (['note', 'warning', 'error'] as const)[Math.floor(random() * 3)]!
  return Array.from({ length: count }, () =>
    problem({
      path: `${word()}.wiki`,
      title: word(),
      message: word(),
      hint: word(),
      text: word(),
      severity: severity(),
    }),
  )
}
