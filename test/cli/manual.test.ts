import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { commandTree, isGroup } from '../../src/cli/commands.ts'
import { manualPages, roff } from '../../src/cli/manual.ts'

let pages: ReadonlyMap<string, string>

beforeAll(async () => {
  pages = await manualPages('1.2.3')
})

test('each command has a manual page that names each of its arguments and options', async () => {
  let commands = 0
  for (const [word, entry] of Object.entries(commandTree)) {
    for (const [name, load] of Object.entries(isGroup(entry) ? entry.commands : { '': entry })) {
      const page = pages.get(`wiki-${[word, name].filter(Boolean).join('-')}.1`) as string
      const { arguments: notations = {}, options = [], details = '' } = await load()
      // Lines are broken where they are printed.
      expect(details).not.toMatch(/\n/)
      for (const term of [...Object.keys(notations), ...options.map(({ flags }) => flags)])
        expect(page).toContain(roff(term))
      commands++
    }
  }
  expect(pages.size).toBe(commands + 1)
})

test('wiki(1) names each page and the version', () => {
  const overview = pages.get('wiki.1') as string
  expect(overview).toContain('wiki 1.2.3')
  for (const name of pages.keys()) expect(overview).toContain(roff(name.replace(/\.1$/, '')))
})

test('no text is interpreted as a request or an escape', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), text => {
      const escaped = roff(text)
      expect(escaped).not.toMatch(/^[.']/)
      expect(escaped.replaceAll(/\\(?:e|-|&)/g, '')).not.toContain('\\')
    }),
  )
})

test.for([
  { program: 'mandoc', options: ['-Tlint', '-Wwarning'] },
  { program: 'groff', options: ['-man', '-Tutf8', '-ww', '-z'] },
])('$program finds no error in any page', { tags: 'long' }, ({ program, options }, context) => {
  context.skip(spawnSync(program, { input: '' }).error !== undefined, `${program} is not installed`)
  for (const [name, text] of pages) {
    const { stdout, stderr } = spawnSync(program, options, { input: text, encoding: 'utf8' })
    expect(`${stdout}${stderr}`, name).toBe('')
  }
})
