/** Detects that another user saved the page, and merges both edits as saving would. */

import { ApiError, type Schemas } from '../../../client/client.ts'
import { mergeTexts } from '../../../diff/merge.ts'
import { createWorkLimit } from '../../../diff/work-limit.ts'
import { api } from '../server/api.ts'
import type { EditFacts, EditForm } from './edit-form.ts'
import type { TextBox } from './text-box.ts'

/** Milliseconds between two polls of the page. */
const between = 60_000
/** Milliseconds without a keystroke before the text is changed during editing. */
const rest = 1500

type Revision = Schemas['RevisionSource']

export interface Newer {
  /** Checks for a newer revision, and merges it. */
  readonly look: () => Promise<void>
  /** Continues with a text that is based on an older revision. */
  readonly goOnFrom: (base: number, text: string) => Promise<void>
}

/** Id of the latest revision of a page that does not exist. */
const gone = -1

/** Starts polling for newer revisions. */
export function startNewer(edit: EditForm, box: TextBox): Newer {
  const { facts, field } = edit
  const base = field('base')
  const isPart = field('section') !== null
  let told = Number(base?.value)
  let lastKey = 0
  let isBusy = false
  box.field.form?.addEventListener('keydown', () => {
    lastKey = Date.now()
  })

  const look = async (): Promise<void> => {
    const latest = await latestOf(facts.key)
    if (base === null || told === (latest ?? gone)) return
    const from = Number(base.value)
    if (latest !== null && latest < told) return
    const [old, now] = await Promise.all([revisionOf(from), revisionOf(latest ?? 0)])
    if (from !== 0 && old !== null && old.page.key !== facts.key) {
      told = latest ?? gone
      say(edit, edit.say('movedAhead', old.page.title))
    } else if (latest === null) {
      told = gone
      if (from !== 0) say(edit, edit.say('deletedAhead'))
    } else if (now !== null && (old !== null || from === 0)) {
      while (Date.now() - lastKey < rest) await new Promise(resolve => setTimeout(resolve, rest))
      told = latest
      takeIn(from, old?.source ?? '', now)
    }
  }
  const takeIn = (from: number, old: string, now: Revision): void => {
    const mine = box.read()
    const whole = isPart ? wholeOf(old, box.original, mine) : mine
    const merged = whole === null ? null : mergeOf(old, whole, now.source, facts.merges)
    if (merged !== null && !isPart && base !== null) {
      base.value = String(now.id)
      if (mine === box.original) box.original = merged
      box.change(merged)
    }
    tell(edit, now, { from, kind: kindOf(isPart, whole, merged) })
  }
  const lookOnce = async (): Promise<void> => {
    if (isBusy || document.visibilityState === 'hidden') return
    isBusy = true
    // A server that does not respond now may respond to the next poll.
    await look().catch(() => {})
    isBusy = false
  }
  setInterval(() => void lookOnce(), between)
  window.addEventListener('focus', () => void lookOnce())
  document.addEventListener('visibilitychange', () => void lookOnce())

  return {
    look: lookOnce,
    goOnFrom: async (from, text) => {
      const latest = Number(base?.value)
      box.change(text)
      if (from === latest || base === null) return
      base.value = String(from)
      told = from
      lastKey = 0
      await lookOnce()
    },
  }
}

/** Chooses the sentence about an edit. If a section's text occurs twice, its effect is unknown until saving. */
function kindOf(isPart: boolean, whole: string | null, merged: string | null): string {
  if (whole !== null && merged === null) return 'conflictAhead'
  return isPart ? 'mergeAhead' : 'mergedIn'
}

/** Returns the source with the edited section in it; null if the section's text occurs twice. */
function wholeOf(source: string, section: string, edited: string): string | null {
  const at = source.indexOf(section)
  if (at < 0 || section === '' || source.includes(section, at + 1)) return null
  return source.slice(0, at) + edited + source.slice(at + section.length)
}

/** Returns the merged text; null if both edits changed the same words, or the comparison would take too long. */
export function mergeOf(base: string, mine: string, theirs: string, by: EditFacts['merges']): string | null {
  if (by === 'never') return null
  try {
    const merge = mergeTexts(base, mine, theirs, { by, work: createWorkLimit() })
    if (!merge.merged) return null
    return mine.endsWith('\n') ? merge.text : merge.text.replace(/\n$/, '')
  } catch {
    return null
  }
}

/** Returns the id of the page's latest revision; null if the page does not exist. */
async function latestOf(key: string): Promise<number | null> {
  try {
    return (await api.get('/page/{title}/bare', { path: { title: key } })).body.latest.id
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null
    throw error
  }
}

/** Fetches a revision; null if it cannot be read. */
async function revisionOf(id: number): Promise<Revision | null> {
  if (id === 0) return null
  try {
    return (await api.get('/revision/{id}', { path: { id } })).body
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

function tell(edit: EditForm, { id, user }: Revision, about: { from: number; kind: string }): void {
  const { facts } = edit
  const link = document.createElement('a')
  link.href = `${facts.page}?diff=${id}&oldid=${about.from}`
  link.target = '_blank'
  link.textContent = edit.say('seeChanges')
  const isConflict = about.kind === 'conflictAhead'
  say(edit, `${edit.say(about.kind, user?.name ?? '?')} `, { isConflict }).append(about.from === 0 ? '' : link)
}

/** Shows a message above the form, replacing the previous one. */
function say({ form }: EditForm, text: string, { isConflict = true } = {}): HTMLElement {
  form.previousElementSibling?.matches('.newer') && form.previousElementSibling.remove()
  const box = document.createElement('div')
  box.className = `notice newer${isConflict ? ' warning' : ''}`
  box.setAttribute('role', 'status')
  box.textContent = text
  form.before(box)
  return box
}
