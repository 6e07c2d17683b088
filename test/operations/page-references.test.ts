import { expect, test } from 'vitest'
import { defaultConfig } from '../../src/core/config.ts'
import { titleRules } from '../../src/core/title.ts'
import { pageReferences } from '../../src/operations/page-references.ts'

const rules = titleRules(defaultConfig())

test('hostile text is read in one pass', { timeout: 30_000 }, () => {
  const parts = ['[[', '[[File:', '<nowiki', '<nowiki>', '<!--', '<gallery', '<gallery>\n', '[[File:x|', '</pre', '{{']
  for (const part of parts) {
    const { files } = pageReferences(part.repeat(2_000_000 / part.length), rules)
    expect(files.length).toBeLessThan(2)
  }
})
