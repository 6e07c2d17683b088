// @module-tag long
/**
 * Random schedules of two people who write one page in real browsers, while its server restarts, a network fails, a browser is killed,
 * and others save and move the page: every acknowledged word is in the history, and every typed word can still be saved.
 */

import { afterEach, describe, expect, test } from 'vitest'
import { movePage } from '../../src/operations/move-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { serve } from '../../src/rest/serve.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { firstOf } from '../_rounds.ts'
import { randomNumbers } from '../html2wt/_convert.ts'
import { bob, create, edit, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, whereBrowser } from './_chromium.ts'
import { type Random, type Scene, startWriter, type Writer, wordsIn } from './_writers.ts'

const served = ['lead', '', '== Ebb ==', 'low', 'lower', '', '== Flood ==', 'high'].join('\n')
const steps = 30
/** Titles that the page moves between. */
const titles = ['Tides', 'Sea tides']

async function startScene(seed: number) {
  const numbers = randomNumbers(seed)
  const random: Random = below => Math.floor(numbers() * below)
  const entries: string[] = []
  const { wiki } = await newWiki()
  await create(wiki, titles[0]!, served)
  let title = 0
  let words = 0
  const start = (port: number) =>
    serve(wiki, { port, pages: async () => handlePage, allowAnonymous: true, closeWithin: 500 })
  let server = await start(0)
  const { origin, port } = new URL(server.url)
  const scene: Scene = {
    origin,
    random,
    form: () => `${origin}/wiki/${titles[title]!.replace(' ', '_')}?action=edit`,
    newWord: () => `q${++words}x`,
    log: entry => void entries.push(entry),
  }
  return {
    ...{ wiki, scene, random, entries },
    restart: async (): Promise<void> => {
      scene.log('the server restarts')
      await server.close()
      server = await start(Number(port))
    },
    move: async (): Promise<void> => {
      const [from, to] = [titles[title]!, titles[1 - title]!]
      title = 1 - title
      scene.log(`the page moves to ${to}`)
      await movePage(wiki, { from, to, redirect: random(2) === 0, comment: null, author: bob })
    },
    /** Another user adds a word to a line, or replaces a word at its end. */
    save: async (): Promise<void> => {
      const key = titles[title]!.replace(' ', '_')
      await wiki.store.refresh()
      const lines = (await wiki.store.text(wiki.store.revision(wiki.store.findPage(key)!.latest)!)).split('\n')
      const at = random(lines.length)
      const word = `b${++words}`
      if (random(2) === 0) lines[at] = `${lines[at]} ${word}`
      else lines.splice(at, 0, word)
      scene.log(`Bob writes ${word} in line ${at}`)
      await edit(wiki, titles[title]!, lines.join('\n'), { author: bob })
    },
    close: () => server.close(),
  }
}

type Setting = Awaited<ReturnType<typeof startScene>>

/** One step of a writer in the form, by its share of a hundred. */
async function writeStep(setting: Setting, writer: Writer): Promise<void> {
  const { random } = setting
  const chance = random(100)
  if (chance < 40) return writer.type()
  if (chance < 60) return writer.save()
  if (chance < 66) return writer.reload()
  if (chance < 72) return writer.leave()
  if (chance < 82) return void (await writer.continueDraft())
  if (chance < 88) return writer.undo()
  if (chance < 94) return writer.goOffline(!writer.isOffline())
  if (writer.canBeKilled) return writer.kill()
}

async function step(setting: Setting, writers: readonly Writer[]): Promise<void> {
  const { random } = setting
  const chance = random(100)
  if (chance < 12) return setting.save()
  if (chance < 16) return setting.restart()
  if (chance < 19) return setting.move()
  const writer = writers[random(writers.length)]!
  const place = await writer.place()
  if (place === 'form') return writeStep(setting, writer)
  if (place === 'conflict') {
    if (random(4) === 0) return random(2) === 0 ? writer.reload() : writer.leave()
    return writer.resolve(false)
  }
  if (writer.isOffline()) return writer.goOffline(false)
  if (random(4) === 0) return writer.goBack()
  return writer.open(random(4) === 0 ? random(3) : null)
}

/** Saves the text of the form and all drafts in the browser, as a patient person would. */
async function saveEverything(writer: Writer): Promise<void> {
  if (writer.isOffline()) await writer.goOffline(false)
  for (let times = 0; times < 40; times++) {
    const place = await writer.place()
    if (place === 'conflict') await writer.resolve(true)
    else if (place === 'form') await writer.save()
    else {
      await writer.open()
      if (!(await writer.takeDraft())) return
    }
  }
  throw new Error('the drafts never end')
}

async function history(wiki: Wiki): Promise<ReadonlySet<string>> {
  await wiki.store.refresh()
  const words = new Set<string>()
  for (let id = 1; id <= wiki.store.lastRevisionId; id++) {
    const revision = wiki.store.revision(id, { deleted: true })
    for (const word of revision === undefined ? [] : wordsIn(await wiki.store.text(revision))) words.add(word)
  }
  return words
}

describe.skipIf(!hasBrowser)(`schedules of writers (${whereBrowser})`, () => {
  const ends: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  // Slow: each step waits for a browser. Seeds 4, 6, 8 and 11 to 13 pass, too; one of the twelve failed once on a loaded
  // machine.
  const seeds = [1, 2, 3, 5, 7, 9]

  test.each(firstOf(seeds, 2, 3))(
    'lose no word, seed %i',
    { tags: ['rounds', 'long'], timeout: 600_000 },
    async seed => {
      const setting = await startScene(seed)
      ends.push(setting.close)
      const writers: Writer[] = []
      for (const [name, box, kills] of [
        ['Ann', 'plain', seed % 2 === 0],
        ['Ben', 'editor', false],
      ] as const) {
        const writer = await startWriter(name, setting.scene, { box, kills })
        ends.push(writer.close)
        writers.push(writer)
        await writer.open()
      }
      try {
        for (let times = 0; times < steps; times++) await step(setting, writers)
        for (const writer of writers) await saveEverything(writer)
      } catch (error) {
        throw new Error(setting.entries.join('\n'), { cause: error })
      }
      const saved = await history(setting.wiki)
      const lost = writers.flatMap(({ name, live, acknowledged }) => ({
        name,
        typed: [...live].filter(word => !saved.has(word)),
        acknowledged: [...acknowledged].filter(word => !saved.has(word)),
      }))
      const faults = writers.flatMap(writer => writer.faults)
      const nothing = writers.map(({ name }) => ({ name, typed: [], acknowledged: [] }))
      expect({ lost, faults }, setting.entries.join('\n')).toEqual({ lost: nothing, faults: [] })
    },
  )
})
