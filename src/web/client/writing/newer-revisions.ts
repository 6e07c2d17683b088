/** Detects that another user saved the page, and reports above the form how both edits were merged. */

import { ApiError } from '../../../client/client.ts'
import type { Section } from '../../../diff/same-section.ts'
import { currentApi } from '../server/api.ts'
import { followChanges } from '../server/change-stream.ts'
import type { CatchUp, News, PageNow, Revision } from './catch-up.ts'
import type { EditForm } from './edit-form.ts'
import type { TextBox } from './text-box.ts'

/** Milliseconds between two polls of the page, for servers that end or refuse the stream of changes. */
const between = 60_000
/** Milliseconds without a keystroke before the text is changed during editing. */
const rest = 1500

export interface Newer {
  /**
   * Continues with a text that is based on an older revision, and on a section of that revision. Returns false if the form cannot: the
   * form of a whole page asks the server for the text around a section.
   */
  readonly goOnFrom: (base: number, text: string, section?: string) => Promise<boolean>
}

/** Starts to follow the page. */
export function startNewer(edit: EditForm, box: TextBox): Newer {
  const { data, field } = edit
  const [base, section] = [field('base'), field('section')]
  const keys = watchKeys(edit.form)
  const pages = pageNow(edit)
  const follower = onDemand((startCatchUp: StartCatchUp) =>
    startCatchUp(
      pages,
      {
        key: data.key,
        merges: data.merges,
        section: () => (section === null ? null : Number(section.value)),
        base: () => Number(base?.value),
        read: box.read,
        take: (merged, { id }, number) => {
          if (base !== null) base.value = String(id)
          if (section !== null && number !== null) section.value = String(number)
          if (box.read() === box.original) box.original = merged
          box.change(merged)
        },
        pause: keys.pause,
      },
      news => showNews(edit, news),
    ),
  )
  const poll = (): Promise<void> =>
    follower.ready().then(
      ({ poll }) => poll(),
      () => {},
    )
  followPage(
    data.key,
    () => follower.now()?.reported() ?? Number(base?.value),
    () => void poll(),
  )
  return {
    goOnFrom: async (from, text, number) => {
      const isPart = section === null && number !== undefined && number !== ''
      const whole = isPart ? await wholeAround(pages, { from, number: Number(number), text }) : text
      if (whole === null) return false
      const isSame = from === Number(base?.value) && (section === null || section.value === number)
      if (section !== null && number !== undefined) section.value = number
      if (base !== null) base.value = String(from)
      box.change(whole)
      if (isSame) return true
      follower.now()?.restart(from)
      keys.forget()
      await poll()
      return true
    },
  }
}

interface Part {
  /** Id of the revision. */
  readonly from: number
  /** Number of the section. */
  readonly number: number
  readonly text: string
}

/** Returns a revision with another text of a section; null if the server does not return it. */
async function wholeAround(pages: PageNow, { from, number, text }: Part): Promise<string | null> {
  try {
    const { wholeWith } = await import('./catch-up.ts')
    const [revision, sections] = await Promise.all([pages.revision(from), pages.sections(from)])
    return revision && wholeWith({ ...revision, sections }, number, text)
  } catch {
    return null
  }
}

type StartCatchUp = typeof import('./catch-up.ts')['startCatchUp']

interface OnDemand {
  /** Resolves with the follower. Errors: a network error, if its script cannot be loaded; the next call tries again. */
  readonly ready: () => Promise<CatchUp>
  /** Null until it is loaded. */
  readonly now: () => CatchUp | null
}

/** Loads the code that merges texts after the form is usable: it is as large as the rest of the form's script. */
function onDemand(start: (startCatchUp: StartCatchUp) => CatchUp): OnDemand {
  let loaded: CatchUp | null = null
  return {
    ready: async () => {
      const { startCatchUp } = await import('./catch-up.ts')
      loaded ??= start(startCatchUp)
      return loaded
    },
    now: () => loaded,
  }
}

interface Keys {
  /** Resolves when no key has been pressed for `rest` milliseconds and no input method is composing. */
  readonly pause: () => Promise<void>
  /** Ignores the keystrokes so far. */
  readonly forget: () => void
}

function watchKeys(form: HTMLFormElement): Keys {
  let last = 0
  let isComposing = false
  const press = (): void => {
    last = Date.now()
  }
  form.addEventListener('keydown', press)
  form.addEventListener('compositionstart', () => {
    isComposing = true
  })
  form.addEventListener('compositionend', () => {
    isComposing = false
    press()
  })
  return {
    pause: async () => {
      while (isComposing || Date.now() - last < rest) await new Promise(resolve => setTimeout(resolve, rest))
    },
    forget: () => {
      last = 0
    },
  }
}

/** Calls `look` when the stream of changes names the page or begins again, when the window gets the focus, and each minute. */
function followPage(key: string, reported: () => number, poll: () => void): void {
  const isOfPage = ({ previous, page }: Change): boolean => page.key === key || previous === reported()
  const pollIfVisible = (): void => void (document.visibilityState === 'visible' && poll())
  pollIfVisible()
  followChanges(event => {
    if (event.kind !== 'changes') return poll()
    const { changes }: { readonly changes: readonly Change[] } = JSON.parse(event.data)
    if (changes.some(isOfPage)) poll()
  })
  setInterval(pollIfVisible, between)
  window.addEventListener('focus', pollIfVisible)
}

/** The part of a change that identifies its page. A moved page has another key. */
interface Change {
  readonly previous: number | null
  readonly page: { readonly key: string }
}

function pageNow({ data: { key, page } }: EditForm): PageNow {
  return {
    sections: async id => {
      const response = await fetch(`${page}?action=sections&oldid=${id}`)
      const { sections }: { readonly sections: readonly Section[] } = response.ok
        ? await response.json()
        : { sections: [] }
      return sections
    },
    latest: () =>
      found([404], async () => (await currentApi.get('/page/{title}/bare', { path: { title: key } })).body.latest.id),
    // A hidden revision cannot be merged.
    revision: id =>
      found([403, 404], async () => (await currentApi.get('/revision/{id}', { path: { id } })).body satisfies Revision),
  }
}

/** Returns null for a response with one of these statuses. */
async function found<Result>(statuses: readonly number[], ask: () => Promise<Result>): Promise<Result | null> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ApiError && statuses.includes(error.status)) return null
    throw error
  }
}

function showNews(edit: EditForm, news: News): void {
  if (news.kind === 'deleted') return void say(edit, edit.say('deletedAhead'))
  if (news.kind === 'moved') return void say(edit, edit.say('movedAhead', news.title))
  const { revision, from, kind } = news
  const sentence = edit.say(sentences[kind], revision.user?.name ?? '?')
  const box = say(edit, `${sentence} `, { isWarning: kind === 'conflict' })
  if (from !== 0) box.append(linkTo(edit, `${edit.data.page}?diff=${revision.id}&oldid=${from}`))
}

const sentences = { taken: 'takenIn', merged: 'mergedIn', ahead: 'mergeAhead', conflict: 'conflictAhead' } as const

function linkTo({ say }: EditForm, address: string): HTMLAnchorElement {
  const link = document.createElement('a')
  Object.assign(link, { href: address, target: '_blank', textContent: say('seeChanges') })
  return link
}

/** Shows a notice above the form, in place of the previous one. */
function say({ form }: EditForm, text: string, { isWarning = true } = {}): HTMLElement {
  form.parentElement?.querySelector(':scope > .newer')?.remove()
  const box = document.createElement('div')
  box.className = `notice newer${isWarning ? ' warning' : ''}`
  box.setAttribute('role', 'status')
  box.textContent = text
  form.before(box)
  return box
}
