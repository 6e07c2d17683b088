/** People who write one page in real browsers, controlled by random numbers. Each word that they type occurs once. */

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { removeFolder } from '../_environment.ts'
import { until } from '../_wait.ts'
import { startBrowser } from './_chromium.ts'
import { type KillableBrowser, startKillable } from './_killable.ts'

/** Integer at least 0 and below `below`. */
export type Random = (below: number) => number

/** The page of a writer: the form of a text, the choices of a conflict, or any other page. */
export type Place = 'form' | 'conflict' | 'elsewhere'

/** A word that a writer types. No other text of the wiki has this form. */
const typedWord = /\bq\d+x\b/g

export const wordsIn = (text: string): string[] => text.match(typedWord) ?? []

/** The texts of all boxes of a form. */
const allTexts = "[...new FormData(document.querySelector('form[data-ui-edit]'))].map(([, value]) => value).join(' ')"

/** Waits until a condition holds. A page that is being left gives no result yet. */
async function untilHolds(holds: () => Promise<boolean>): Promise<void> {
  await until(`${holds}`, async () => (await holds().catch(() => false)) || undefined)
}

/** A draft as the browser stores it. */
interface Stored {
  readonly id: string
}

/** Reads the drafts of the open page from both stores of the browser. */
const storedDrafts = `(async () => {
  const database = await new Promise((resolve, reject) => {
    const request = indexedDB.open('wiki', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('drafts', { keyPath: 'id' }).createIndex('name', 'name')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const rows = await new Promise(resolve => {
    const request = database.transaction('drafts').objectStore('drafts').getAll()
    request.onsuccess = () => resolve(request.result)
  })
  database.close()
  const stashed = Object.keys(localStorage).filter(name => name.startsWith('wiki-draft ')).map(name => JSON.parse(localStorage.getItem(name)))
  return [...rows, ...stashed]
})()`

export interface Scene {
  readonly origin: string
  /** URL of the form at the current title. */
  readonly form: () => string
  readonly random: Random
  /** A word that nobody has typed before. */
  readonly newWord: () => string
  readonly log: (entry: string) => void
}

export type Writer = Awaited<ReturnType<typeof startWriter>>

/** Starts a writer in a browser that can be killed, or in a window of the shared one. `box` is the writer's preferred box. */
export async function startWriter(
  name: string,
  scene: Scene,
  { box, kills }: { box: 'plain' | 'editor'; kills: boolean },
) {
  const profile = kills ? mkdtempSync(join(tmpdir(), 'wiki-profile-')) : null
  // The pages of the browser itself have no storage.
  const prepared = `location.protocol === 'http:' && localStorage.setItem('wiki-box', '${box}')`
  let killable: KillableBrowser | null = null
  let page: Page
  const faults: string[] = []
  /** Words that were typed and not removed again. */
  const live = new Set<string>()
  /** Words of saves that the server acknowledged. */
  const acknowledged = new Set<string>()
  let isOffline = false

  const begin = async (): Promise<void> => {
    let context: BrowserContext
    if (profile === null) context = await startBrowser()
    else {
      killable = await startKillable(profile)
      context = killable.page.context()
    }
    await context.addInitScript(prepared)
    page = context.pages()[0]!
    page.on('pageerror', error => faults.push(`${name}: ${error.message}`))
  }
  await begin()

  const note = (entry: string): void => scene.log(`${name} ${entry}`)
  const place = async (): Promise<Place> => {
    let found: Place = 'elsewhere'
    await untilHolds(async () => {
      found = await page.evaluate<Place>(
        "document.querySelector('form.conflict') ? 'conflict' : document.querySelector('#text') ? 'form' : 'elsewhere'",
      )
      return true
    })
    return found
  }
  const text = (): Promise<string> =>
    page.evaluate<string>(
      "String(new FormData(document.querySelector('form[data-ui-edit]')).get('text')).replaceAll('\\r\\n', '\\n')",
    )
  const ready = (): Promise<unknown> => page.locator('.draft-status').waitFor({ state: 'attached' })

  const open = async (section: number | null = null): Promise<void> => {
    note(`opens the form${section === null ? '' : ` of section ${section}`}`)
    await page.goto(`${scene.form()}${section === null ? '' : `&section=${section}`}`)
    await ready()
  }

  /** The box that shows the text: the editor replaces the text box once its script is loaded. */
  const visibleBox = async () => {
    const boxes = page.locator('#text:visible, .cm-content:visible')
    await boxes.first().waitFor()
    return boxes.first()
  }

  /** Puts the cursor at the end of a random line, as a person does. */
  const type = async (): Promise<void> => {
    const word = scene.newWord()
    const field = await visibleBox()
    await field.focus()
    await page.keyboard.press('Control+Home')
    const down = scene.random(8)
    for (let times = 0; times < down; times++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.keyboard.type(` ${word}`)
    note(`types ${word} in line ${down}`)
    live.add(word)
    if (scene.random(3) === 0) await stored()
    if (!wordsIn(await text()).includes(word)) faults.push(`${name}: ${word} is not in the box`)
  }
  /** Waits until the words of the form are in a draft on disk. */
  const stored = (): Promise<void> =>
    untilHolds(async () => {
      const words = wordsIn(await page.evaluate<string>(allTexts)).filter(word => live.has(word))
      const kept = new Set(wordsIn(JSON.stringify(await page.evaluate<Stored[]>(storedDrafts))))
      return words.every(word => kept.has(word) || acknowledged.has(word))
    })

  /** Presses a submit button, and waits for the next page. Returns true if the text is saved. */
  const submit = async (button: string): Promise<boolean> => {
    await page.evaluate("document.querySelector('.silence')?.remove(); window.isOld = true")
    await page.getByRole('button', { name: button, exact: true }).click()
    await untilHolds(() =>
      page.evaluate<boolean>(
        "window.isOld ? document.querySelector('.silence') !== null : document.readyState === 'complete' && document.querySelector('h1') !== null",
      ),
    )
    return (await place()) === 'elsewhere'
  }
  const save = async (): Promise<void> => {
    const sent = wordsIn(await text())
    const isSaved = await submit('Save')
    note(`${isSaved ? 'saves' : 'fails to save'} ${sent.join(' ')}`)
    if (isSaved) for (const word of sent) acknowledged.add(word)
    else if ((await place()) === 'form') await ready()
  }

  /** Types again the text of a conflict that the form no longer has. */
  const copyWritten = async (): Promise<void> => {
    const shown = wordsIn((await page.locator('.written').allTextContents()).join(' '))
    const own = new Set(wordsIn(await page.evaluate<string>(allTexts)))
    const missing = [...new Set(shown)].filter(word => live.has(word) && !acknowledged.has(word) && !own.has(word))
    if (missing.length === 0) return
    const field = (await place()) === 'form' ? await visibleBox() : page.locator('#place-1 textarea')
    await field.press('Control+End')
    await page.keyboard.type(` ${missing.join(' ')}`)
    note(`copies ${missing.join(' ')}`)
  }

  const continueDraft = async (): Promise<boolean> => {
    const button = page.getByRole('button', { name: 'Continue with the draft' })
    if ((await button.count()) === 0) return false
    const bars = await button.count()
    const chosen = scene.random(bars)
    const taken = (await button.nth(chosen).elementHandle())!
    await taken.click()
    note(`continues draft ${chosen + 1} of ${bars}`)
    // The offer disappears when the form has the draft's text. Without a network it may stay.
    await untilHolds(async () => isOffline || !(await taken.isVisible()))
    await copyWritten()
    return true
  }

  /** Chooses a side at each conflict, and sometimes writes there. */
  const resolve = async (isCareful: boolean): Promise<void> => {
    await ready()
    await copyWritten()
    const count = await page.locator('fieldset.place').count()
    const dropped: string[] = []
    for (let number = 1; number <= count; number++) {
      const set = page.locator(`#place-${number}`)
      const choice = isCareful ? 'both' : (['theirs', 'mine', 'both', 'edit'] as const)[scene.random(4)]!
      const field = set.locator('textarea')
      if (choice === 'edit') {
        const word = scene.newWord()
        await field.press('Control+End')
        await page.keyboard.type(` ${word}`)
        live.add(word)
        note(`types ${word} at place ${number}`)
      } else await set.locator(`input[value=${choice}]`).check()
      // Choosing the other side discards the user's own words there, and the words in the box below.
      if (choice === 'theirs')
        dropped.push(...wordsIn((await set.textContent()) ?? ''), ...wordsIn(await field.inputValue()))
      note(`chooses ${choice} at place ${number} of ${count}`)
    }
    if (!isCareful && scene.random(3) === 0) return
    note((await submit('Save the chosen text')) ? 'saves the choices' : 'fails to save the choices')
    for (const word of dropped) live.delete(word)
  }

  return {
    name,
    live,
    acknowledged,
    faults,
    place,
    open,
    type,
    save,
    stored,
    continueDraft,
    resolve,
    page: () => page,
    isOffline: () => isOffline,
    canBeKilled: kills,
    goOffline: async (offline: boolean): Promise<void> => {
      note(offline ? 'goes offline' : 'is online again')
      isOffline = offline
      await page.context().setOffline(offline)
    },
    reload: async (): Promise<void> => {
      note('reloads')
      await page.reload().catch(() => {})
    },
    leave: async (): Promise<void> => {
      note('leaves')
      await page.goto(`${scene.origin}/wiki/Special:AllPages`).catch(() => {})
    },
    goBack: async (): Promise<void> => {
      note('goes back')
      await page.goBack().catch(() => {})
    },
    undo: async (): Promise<void> => {
      const before = wordsIn(await text())
      await (await visibleBox()).press('Control+z')
      const after = new Set(wordsIn(await text()))
      const gone = before.filter(word => !after.has(word))
      note(`undoes ${gone.join(' ')}`)
      for (const word of gone) {
        if (live.has(word)) live.delete(word)
        else faults.push(`${name}: undo removes ${word}, which another user wrote`)
      }
    },
    kill: async (): Promise<void> => {
      if ((await place()) !== 'elsewhere') await stored()
      note('is killed')
      await killable!.kill()
      await begin()
    },
    /** Continues with the first draft that the form offers, also of a section; false if the browser has none. */
    takeDraft: async (): Promise<boolean> => {
      const bars = page.locator('.draft-offer')
      await untilHolds(async () => (await page.evaluate<Stored[]>(storedDrafts)).length <= (await bars.count()))
      if ((await bars.count()) === 0) return false
      return continueDraft()
    },
    close: async (): Promise<void> => {
      if (profile === null) await page.context().close()
      else {
        await killable!.kill()
        removeFolder(profile)
      }
    },
  }
}
