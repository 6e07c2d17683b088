import { expect, test } from 'vitest'
import { accepts } from '../../src/rest/accept.ts'

const html = { type: 'text/html', profile: 'https://www.mediawiki.org/wiki/Specs/HTML/2.8.0' }

test.each<[header: string | null, isAccepted: boolean]>([
  [null, true],
  ['', true],
  ['*/*', true],
  ['text/*', true],
  ['TEXT/HTML', true],
  ['application/json', false],
  ['application/json, text/html;q=0.5', true],
  ['text/html;q=0', false],
  ['text/html;q=0.000, */*', false],
  ['text/*;q=0, text/html', true],
  ['*/*;q=0', false],
  ['text/html;q=0, text/html;profile="https://www.mediawiki.org/wiki/Specs/HTML/2.0.0"', true],
  ['text/html; charset=utf-8; profile="https://www.mediawiki.org/wiki/Specs/HTML/2.6.0"', true],
  ['text/html; profile="https://www.mediawiki.org/wiki/Specs/HTML/1.0.0"', false],
  ['text/html; profile="https://other.example/a,b/HTML/2.0.0"', false],
  ['image/png', false],
  [',;="', false],
])('HTML for a client that accepts %j: %j', (header, isAccepted) => {
  expect(accepts(header, html)).toBe(isAccepted)
})
