/** Keeps what is written as a draft, and offers drafts that were never saved. */

import { type Draft, draftsOf, keepDraft, removeDraft } from './draft-store.ts'
import { button, type EditForm, timeText } from './edit-form.ts'
import type { Newer } from './newer.ts'
import type { TextBox } from './text-box.ts'

/** Milliseconds after the last key at which a draft is kept. */
const pause = 300

export interface Drafts {
  /** Forgets the draft of this form, and those that it went on with: what they hold is saved. */
  readonly saved: () => Promise<void>
}

/** Begins to keep drafts of a form. */
export function startDrafts(edit: EditForm, box: TextBox, newer: Newer): Drafts {
  const id = idOf(edit)
  const status = statusOf(edit.form)
  /** Drafts that the text of the form holds now. */
  const held = new Set<string>()
  let state: 'kept' | 'touched' | 'failed' = 'kept'
  let timer = 0

  const keep = async (): Promise<void> => {
    clearTimeout(timer)
    if (state === 'kept') return
    state = 'kept'
    try {
      status.textContent = await keepOrRemove(edit, box, id)
      for (const other of held) await removeDraft(other)
      held.clear()
    } catch {
      state = 'failed'
      status.textContent = edit.say('draftNotKept')
    }
  }
  const touched = (): void => {
    state = 'touched'
    clearTimeout(timer)
    timer = window.setTimeout(() => void keep(), pause)
  }
  box.onChange(touched)
  edit.field('summary')?.addEventListener('input', touched)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && void keep())
  window.addEventListener('pagehide', () => void keep())
  window.addEventListener('beforeunload', event => {
    if (state === 'failed') event.preventDefault()
    void keep()
  })

  if (edit.facts.isFresh) void offer(edit, box, { newer, held })
  return {
    saved: async () => {
      clearTimeout(timer)
      state = 'kept'
      await Promise.allSettled([id, ...held].map(removeDraft))
    },
  }
}

/** Name of the form's draft, which comes back with the form where the server shows it again. */
function idOf({ field }: EditForm): string {
  const own = field('draft')
  const id = own?.value || `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
  if (own !== null) own.value = id
  return id
}

function statusOf(form: HTMLFormElement): HTMLElement {
  const status = document.createElement('span')
  status.className = 'draft-status'
  status.setAttribute('role', 'status')
  form.querySelector('.actions')?.append(status)
  return status
}

/** Keeps the text of the form; one that is the page's needs no draft. Returns what is said about it. */
async function keepOrRemove({ facts, field, say }: EditForm, box: TextBox, id: string): Promise<string> {
  const text = box.read()
  if (facts.isFresh && text === box.original) {
    await removeDraft(id)
    return ''
  }
  const time = Date.now()
  await keepDraft({
    id,
    name: facts.draft,
    text,
    summary: field('summary')?.value ?? '',
    minor: field('minor')?.checked ?? false,
    base: Number(field('base')?.value),
    time,
  })
  return say('draftKept', timeText(time))
}

interface Offered {
  readonly newer: Newer
  readonly held: Set<string>
}

/** Shows a bar for each draft that holds something else than the page and those before it. */
async function offer(edit: EditForm, box: TextBox, { newer, held }: Offered): Promise<void> {
  const shown = new Set([box.original])
  for (const draft of await draftsOf(edit.facts.draft).catch(() => [])) {
    if (shown.has(draft.text)) await removeDraft(draft.id)
    else edit.form.before(offerBar(edit, draft, () => void goOn(draft)))
    shown.add(draft.text)
  }
  const goOn = async (draft: Draft): Promise<void> => {
    const [summary, minor] = [edit.field('summary'), edit.field('minor')]
    if (summary !== null) summary.value = draft.summary
    if (minor !== null) minor.checked = draft.minor
    held.add(draft.id)
    await newer.goOnFrom(draft.base, draft.text)
    box.focus()
  }
}

function offerBar({ say }: EditForm, draft: Draft, goOn: () => void): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'notice draft-offer'
  const about = document.createElement('p')
  about.textContent = say('draftFound', timeText(draft.time))
  const ways = document.createElement('p')
  ways.className = 'actions'
  const end = (act: () => void) => (): void => {
    act()
    bar.remove()
  }
  ways.append(
    button(say('continueDraft'), end(goOn)),
    button(
      say('discardDraft'),
      end(() => void removeDraft(draft.id)),
    ),
  )
  bar.append(about, ways)
  return bar
}
