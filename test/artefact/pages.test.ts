// @module-tag long
/** Pages for browsers of the installed server: each is that of the sources, byte for byte and as Chromium shows it. */

import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { actionNames, specialNames } from '../../src/web/routes.ts'
import { wordLanguages, wordsFor } from '../../src/web/words/words.ts'
import { hasBrowser, startBrowser, whereBrowser } from '../browser/_chromium.ts'
import { create, edit, newWiki } from '../operations/_wiki.ts'
import { hasNpm, installed, serve } from './_installed.ts'
import { type Received, send, servePair } from './_pair.ts'
import { garbled, generatedScripts, scripts as known } from './_scripts.ts'

beforeAll(async () => void (hasNpm && (await installed())), 600_000)

const own = JSON.parse(readFileSync('package.json', 'utf8'))

const address = (title: string): string => `/wiki/${encodeURIComponent(title)}`
const scripts = [...known, ...generatedScripts(1)]
const first = scripts[0]!.title

/** Every page for browsers, those of a title about one page or about none. */
const pages = [
  ...actionNames.map(action => `${address(first)}?action=${action}`),
  ...specialNames.flatMap(name => [`/wiki/Special:${name}`, `/wiki/Special:${name}/${encodeURIComponent(first)}`]),
]

/** Pages that show what was written in each script, and the texts that they have to show. */
const written = scripts.flatMap(
  ({ title, text, words, summary, user }, at): [path: string, texts: readonly string[]][] => [
    [address(title), [title, text]],
    [`${address(title)}?action=history`, [title, summary, user]],
    [`${address(title)}?diff=cur&oldid=${2 * at + 1}`, [title, summary, user]],
    [`/wiki/Special:Search?search=${encodeURIComponent(words)}`, [title]],
    [`/wiki/Special:Contributions?user=${encodeURIComponent(user)}`, [title, user]],
  ],
)

const paths = [...pages, ...written.map(([path]) => path)]

/** Makes a wiki in which each page has two revisions. */
async function writtenInScripts(language: string): Promise<string> {
  const { wiki, directory } = await newWiki({}, { language, name: 'Guide 駅' })
  for (const { title, text, summary, user } of scripts) {
    const author = { name: user, address: 'user@example.org' }
    await create(wiki, title, text, { author, comment: summary })
    await edit(wiki, title, `${text}\n\n${summary}`, { author, comment: summary })
  }
  return directory
}

describe.skipIf(!hasNpm).each(wordLanguages)('pages in %s', language => {
  test('are those of the sources, byte for byte', async () => {
    const { shipped, tested } = await servePair(await writtenInScripts(language), [], { version: own.version })
    for (const target of paths.filter(path => !/:random/i.test(path))) {
      const answer = await send(shipped, { target })
      expect(answer, target).toEqual(await send(tested, { target }))
      expect(answer.status, target).toBeLessThan(500)
      expect(linesWith(garbled, answer), target).toEqual([])
    }
  })

  test.skipIf(!hasBrowser)(`show in Chromium what was written (${whereBrowser})`, async () => {
    const { url, stop } = await serve(await writtenInScripts(language))
    const context = await startBrowser()
    const page = context.pages()[0]!
    const shown = async (path: string): Promise<string> => {
      await page.goto(`${url}${path}`)
      return page.evaluate('document.characterSet + "\\n" + document.title + "\\n" + document.body.innerText')
    }
    const shell = [wordsFor(language).text('recentChanges'), 'Guide 駅', 'UTF-8']
    for (const [path, texts] of written) {
      const text = await shown(path)
      for (const part of [...shell, ...texts]) expect(text, path).toContain(part)
      expect(text, path).not.toMatch(garbled)
    }
    // Chromium saves feeds, and follows redirects.
    for (const path of pages) expect(await shown(path).catch(() => ''), path).not.toMatch(garbled)
    await context.close()
    expect(await stop()).toBe(0)
  })
})

const linesWith = (pattern: RegExp, { body }: Received): string[] => body.split('\n').filter(line => pattern.test(line))
