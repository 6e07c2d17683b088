import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { configKeys, defaultConfig } from '../src/core/config.ts'
import { commandsPage, errorsPage } from './_reference.ts'

test('docs/reference/commands.md is generated from the table of commands', async () => {
  await expect(await commandsPage()).toMatchFileSnapshot('../docs/reference/commands.md')
})

test('docs/reference/errors.md is generated from the table of errors', async () => {
  await expect(errorsPage()).toMatchFileSnapshot('../docs/reference/errors.md')
})

test('docs/reference/settings.md has each key of wiki.json with its default', () => {
  const document = readFileSync('docs/reference/settings.md', 'utf8')
  const config = defaultConfig()
  for (const key of configKeys) expect(document).toContain(`| \`${key}\` | \`${JSON.stringify(config[key])}\` |`)
  expect(document.match(/^\| `\w+` \| `/gm)).toHaveLength(configKeys.length)
})
