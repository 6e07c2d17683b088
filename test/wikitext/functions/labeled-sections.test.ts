import { expect, test } from 'vitest'
import { expand } from '../_expand.ts'

const pages = {
  Log: `lead {{Wind}}
<section begin="mon"/>calm<section end="mon"/>
<section begin=tue />gale<section end=tue />
<section begin="mon"/>again<section end="mon"/>
== Ports ==
quay
=== North ===
pier
== Crew ==
six
== <!-- n --> Cargo <!-- {{Wind}} -->==
salt
== Wind {{Wind}} ==<!-- m -->
light
== ${'x'.repeat(600)} ==
long`,
  'Template:Wind': 'west',
  Loop: '<section begin="a"/>{{#lst:Loop|a}}<section end="a"/>',
}

test.each([
  ['{{#lst:Log|mon}}', 'calmagain'],
  ['{{#section:Log|tue}}', 'gale'],
  ['{{#lst:Log|none}}', ''],
  ['{{#lst:Nowhere|a}}', '[[:Nowhere]]'],
  ['{{#lsth:Log|ports}}', '\nquay\n=== North ===\npier\n'],
  ['{{#lsth:Log|North}}', '\npier\n'],
  ['{{#section-h:Log|Ports|North}}', '\nquay\n'],
  ['{{#lsth:Log|Nowhere}}', ''],
  ['{{#lsth:Log|Cargo}}', '\nsalt\n'],
  ['{{#lsth:Log|Crew}}', '\nsix\n'],
  [`{{#lsth:Log|${'x'.repeat(600)}}}`, '\nlong'],
])('%s', async (text, expected) => {
  expect(await expand(text, { pages, tags: new Set(['section']) })).toBe(expected)
})

test('a page without a section, and with a section replaced', async () => {
  const setting = { pages, tags: new Set(['section']) }
  expect(await expand('{{#lstx:Log|mon}}', setting)).not.toMatch(/calm|again/)
  expect(await expand('{{#lstx:Log|tue|storm}}', setting)).toContain('\nstorm\n')
  expect(await expand('{{#lstx:Log|tue|storm}}', setting)).toContain('lead west\n')
})

test('a section that contains itself reports it', async () => {
  const text = await expand('{{#lst:Loop|a}}', { pages, tags: new Set(['section']) })
  expect(text).toContain('Template loop detected: [[:Loop]]')
})
