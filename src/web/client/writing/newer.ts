/** Notices that somebody else saved the page, and puts both edits together as saving would. */

import { mergeTexts } from '../../../diff/merge.ts'
import { createWorkLimit } from '../../../diff/work-limit.ts'
import type { EditFacts, EditForm } from './edit-form.ts'
import type { TextBox } from './text-box.ts'

/** Milliseconds between two looks at the page. */
const between = 60_000
/** Milliseconds without a key before the text is changed under somebody's hands. */
const rest = 1500

interface Revision {
  readonly id: number
  readonly source: string
  readonly user: { readonly name: string } | null
}

export interface Newer {
  /** Looks whether there is a newer revision, and merges it. */
  readonly look: () => Promise<void>
  /** Goes on with a text that was made from an older revision. */
  readonly goOnFrom: (base: number, text: string) => Promise<void>
}

/** Begins to look for newer revisions. */
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
    if (latest === null || latest <= told || base === null) return
    const from = Number(base.value)
    const [old, now] = await Promise.all([revisionOf(from), revisionOf(latest)])
    if (old === null || now === null) return
    while (Date.now() - lastKey < rest) await new Promise(resolve => setTimeout(resolve, rest))
    told = latest
    const mine = box.read()
    const merged = isPart ? null : mergeOf(old.source, mine, now.source, facts.merges)
    if (merged !== null) {
      base.value = String(latest)
      if (mine === box.original) box.original = merged
      box.change(merged)
    }
    tell(edit, now, { from, kind: isPart ? 'mergeAhead' : merged === null ? 'conflictAhead' : 'mergedIn' })
  }
  const lookOnce = async (): Promise<void> => {
    if (isBusy || document.visibilityState === 'hidden') return
    isBusy = true
    // A server that does not answer now may do so the next time.
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

/** Returns the merged text; null where both changed the same words, or the comparison would take too long. */
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

/** Id of the page's latest revision; null where there is no page. */
async function latestOf(key: string): Promise<number | null> {
  const answer = await fetch(`/v1/page/${encodeURIComponent(key)}/bare`)
  if (answer.status === 404) return null
  const { latest }: { latest: { id: number } } = await answer.json()
  return latest.id
}

/** Reads a revision; an empty one for a page that was not there. Null for one that cannot be read. */
async function revisionOf(id: number): Promise<Revision | null> {
  if (id === 0) return { id, source: '', user: null }
  const answer = await fetch(`/v1/revision/${id}`)
  return answer.ok ? answer.json() : null
}

function tell({ form, say, facts }: EditForm, { id, user }: Revision, about: { from: number; kind: string }): void {
  form.previousElementSibling?.matches('.newer') && form.previousElementSibling.remove()
  const box = document.createElement('div')
  box.className = `notice newer${about.kind === 'conflictAhead' ? ' warning' : ''}`
  box.setAttribute('role', 'status')
  const link = document.createElement('a')
  link.href = `${facts.page}?diff=${id}&oldid=${about.from}`
  link.target = '_blank'
  link.textContent = say('seeChanges')
  box.append(`${say(about.kind, user?.name ?? '?')} `)
  if (about.from !== 0) box.append(link)
  form.before(box)
}
