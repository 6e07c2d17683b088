/** A form that was opened on another branch, before the server was started again on this one. */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { git, needsGit } from '../_setup.ts'
import { onMain, onSide, twoBranches } from '../operations/_two-branches.ts'
import { gitText, openTestWiki } from '../operations/_wiki.ts'
import { attributeOf, type ShownPage, siteOf, textOf } from './_site.ts'

beforeEach(context => needsGit(context))

const names = ['base', 'made', 'section', 'text', 'token', 'summary']

function fieldsOf({ elements }: ShownPage): Record<string, string> {
  const named = elements.filter(element => names.includes(attributeOf(element, 'name') ?? ''))
  const wordsOf = (element: (typeof named)[number]) =>
    element.tagName === 'textarea' ? textOf(element.childNodes) : attributeOf(element, 'value')
  return Object.fromEntries(named.map(element => [attributeOf(element, 'name'), wordsOf(element) ?? '']))
}

function posted(fields: Readonly<Record<string, string>>): RequestInit {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return { method: 'POST', body, headers: { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' } }
}

const siteIn = async (directory: string) => siteOf(await openTestWiki(directory), { allowAnonymous: true })
const mine = onSide.replace('two', 'two of the writer')

test.each([
  ['as it was opened', (fields: Record<string, string>) => fields],
  ['without the text it was made from, as an older form', ({ made: _, ...fields }: Record<string, string>) => fields],
  ['after a script took newer revisions in', (fields: Record<string, string>) => ({ ...fields, base: '3' })],
])('is not saved over the page, and shows what it would change: %s', async (_, change) => {
  const directory = await twoBranches()
  const opened = fieldsOf(await (await siteIn(directory)).page('/wiki/Tides?action=edit'))
  expect(opened).toMatchObject({ base: '2', text: onSide })
  git(directory, 'switch', '-q', 'main')
  const site = await siteIn(directory)
  const newer = onMain.replace('one', 'one, newer')
  if (change(opened).base === '3')
    await site.ask(
      '/wiki/Tides?action=submit',
      posted({ ...fieldsOf(await site.page('/wiki/Tides?action=edit')), text: newer }),
    )
  const before = gitText(directory, 'Tides.wiki')
  const refused = await site.page('/wiki/Tides?action=submit', posted(change({ ...opened, text: mine })))
  expect(refused.status).toBe(409)
  expect(gitText(directory, 'Tides.wiki')).toBe(before)
  expect(refused.text).toContain('Git has switched branches')
  const again = fieldsOf(refused)
  expect(again.text).toBe(mine)
  const saved = await site.ask('/wiki/Tides?action=submit', posted(again))
  expect(saved.status).toBe(303)
  expect(gitText(directory, 'Tides.wiki').trim()).toBe(mine)
})

test('of the same branch is saved, although its number has another meaning on another one', async () => {
  const directory = await twoBranches()
  git(directory, 'switch', '-q', 'main')
  const site = await siteIn(directory)
  const opened = fieldsOf(await site.page('/wiki/Tides?action=edit'))
  const text = onMain.replace('one', 'one of the writer')
  expect((await site.ask('/wiki/Tides?action=submit', posted({ ...opened, text }))).status).toBe(303)
  expect(gitText(directory, 'Tides.wiki').trim()).toBe(text)
})

test('is not offered as the text of another page whose revision has its number here', async () => {
  const directory = await twoBranches()
  const opened = fieldsOf(await (await siteIn(directory)).page('/wiki/Tides?action=edit'))
  git(directory, 'switch', '-q', 'main')
  git(directory, 'reset', '-q', '--hard', 'HEAD^')
  writeFileSync(join(directory, 'Boats.wiki'), 'oars\n')
  git(directory, 'add', 'Boats.wiki')
  git(directory, 'commit', '-q', '-m', 'Boats')
  rmSync(join(directory, '.git/wiki/main'), { recursive: true })
  const site = await siteIn(directory)
  expect((await site.page('/wiki/Boats?action=edit')).text).toContain('oars')
  const refused = await site.page('/wiki/Tides?action=submit', posted({ ...opened, text: mine }))
  expect([refused.status, fieldsOf(refused).text]).toEqual([409, mine])
  expect(refused.text).toContain('Git has switched branches')
  expect(refused.text).not.toContain('was moved')
})
