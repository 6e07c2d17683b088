/** Stores the written text as a draft, and offers drafts that were never saved. */

import { type Choices, type Draft, draftsOf, keepDraft, removeDraft, stashDraft, takeStashed } from './draft-store.ts'
import { button, type EditForm, isSent, timeText } from './edit-form.ts'
import type { Newer } from './newer-revisions.ts'
import { announceForm, openElsewhere } from './open-forms.ts'
import { changesBetween } from './server-view.ts'
import type { TextBox } from './text-box.ts'

/** Milliseconds after the last keystroke before a draft is stored. */
const pause = 300

export interface Drafts {
  /** Deletes the draft of this form and the drafts that it continued, because their content is saved. */
  readonly saved: () => Promise<void>
}

/** A draft whose text the form now contains, with its context. */
interface Held {
  readonly ids: Set<string>
  /** Choices of the conflict that the draft was in. */
  choices?: Choices
}

/** Starts storing drafts of a form. */
export function startDrafts(edit: EditForm, box: TextBox, newer: Newer): Drafts {
  const id = idOf(edit)
  const held: Held = { ids: new Set() }
  const keeper = startKeeping(
    edit,
    id,
    () => draftIn(edit, box, { id, held }),
    async () => {
      await Promise.allSettled([...held.ids].map(removeDraft))
      held.ids.clear()
    },
  )
  box.onChange(keeper.touched)
  edit.field('summary')?.addEventListener('input', keeper.touched)
  announceForm(edit.facts.draft, id)
  // On return to the page the browser restores the written text.
  if (box.field.value !== box.original || !edit.facts.isFresh) keeper.touched()
  if (edit.facts.isFresh) void offer(edit, box, { newer, held, id })
  return {
    saved: async () => {
      keeper.stop()
      await Promise.allSettled([id, ...held.ids].map(removeDraft))
    },
  }
}

export interface Keeper {
  /** Reports that the text was changed. */
  readonly touched: () => void
  /** Stops; nothing is left to store. */
  readonly stop: () => void
}

/**
 * Stores a draft soon after a change, and at once when the page is closed. `draftNow` returns null if the text needs no
 * draft.
 */
export function startKeeping(
  edit: EditForm,
  id: string,
  draftNow: () => Draft | null,
  kept: () => Promise<void>,
): Keeper {
  const status = statusOf(edit.form)
  let state: 'kept' | 'touched' | 'writing' | 'failed' = 'kept'
  let timer = 0
  let turn = 0
  const keepNow = async (): Promise<void> => {
    clearTimeout(timer)
    if (state === 'kept') return
    state = 'writing'
    const own = ++turn
    const draft = draftNow()
    const isKept = await (draft === null ? removeDraft(id) : keepDraft(draft)).then(
      () => kept().then(() => true),
      () => draft === null || stashDraft(draft),
    )
    // A later write, or `stop`, reports the state.
    if (own !== turn || state !== 'writing') return
    state = isKept ? 'kept' : 'failed'
    if (!isKept) status.textContent = edit.say('draftNotKept')
    else status.textContent = draft === null ? '' : edit.say('draftKept', timeText(draft.time))
  }
  const leave = (): void => {
    const draft = state === 'kept' ? null : draftNow()
    if (draft !== null) stashDraft(draft)
    void keepNow()
  }
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && leave())
  window.addEventListener('pagehide', leave)
  window.addEventListener('beforeunload', event => {
    // The form submits its text along.
    if (state === 'failed' && !isSent(edit)) event.preventDefault()
    leave()
  })
  return {
    touched: () => {
      state = 'touched'
      clearTimeout(timer)
      timer = window.setTimeout(() => void keepNow(), pause)
    },
    stop: () => {
      clearTimeout(timer)
      state = 'kept'
    },
  }
}

/** Id of the form's draft. The server repeats it when it shows the form again. */
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

interface Own {
  readonly id: string
  readonly held: Held
}

/** Returns the text of the form as a draft; null if it equals the page's own text. */
function draftIn(edit: EditForm, box: TextBox, { id, held }: Own): Draft | null {
  const { facts, field } = edit
  const text = box.read()
  if (facts.isFresh && text === box.original) return null
  const [summary, minor] = [field('summary')?.value ?? '', field('minor')?.checked ?? false]
  const { choices } = held
  const time = Date.now()
  return { ...{ id, text, summary, minor, time }, ...aboutForm(edit), ...(choices !== undefined && { choices }) }
}

/** The fields of a draft that identify its text. */
export function aboutForm({ facts, field }: EditForm): Pick<Draft, 'name' | 'address' | 'title' | 'base'> {
  return { name: facts.draft, address: facts.edit, title: facts.title, base: Number(field('base')?.value) }
}

interface Offered extends Own {
  readonly newer: Newer
}

/** Shows a bar for each draft that differs from the page and from the drafts before it. */
async function offer(edit: EditForm, box: TextBox, { newer, held, id }: Offered): Promise<void> {
  const shown = new Set([box.original])
  await takeStashed().catch(() => {})
  const drafts = (await draftsOf(edit.facts.draft).catch(() => [])).filter(draft => draft.id !== id)
  const open: ReadonlySet<string> = drafts.length === 0 ? new Set() : await openElsewhere(edit.facts.draft)
  for (const draft of drafts) {
    if (open.has(draft.id)) edit.form.before(elsewhereBar(edit, draft))
    else if (shown.has(draft.text) && draft.choices === undefined) await removeDraft(draft.id).catch(() => {})
    else edit.form.before(offerBar(edit, draft, () => void goOn(draft)))
    shown.add(draft.text)
  }
  const goOn = async (draft: Draft): Promise<void> => {
    const [summary, minor] = [edit.field('summary'), edit.field('minor')]
    if (summary !== null) summary.value = draft.summary
    if (minor !== null) minor.checked = draft.minor
    held.ids.add(draft.id)
    if (draft.choices !== undefined) held.choices = draft.choices
    await newer.goOnFrom(draft.base, draft.text)
    box.focus()
  }
}

function elsewhereBar({ say }: EditForm, { time }: Draft): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'notice draft-offer'
  bar.textContent = say('draftElsewhere', timeText(time))
  return bar
}

function offerBar(edit: EditForm, draft: Draft, goOn: () => void): HTMLElement {
  const { say } = edit
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
  const compare = button(say('compareDraft'), () => {
    compare.disabled = true
    void changesBetween(edit, draft).then(changes => bar.append(changes ?? say('noServer')))
  })
  ways.append(
    button(say('continueDraft'), end(goOn)),
    compare,
    button(
      say('discardDraft'),
      end(() => void removeDraft(draft.id)),
    ),
  )
  bar.append(about, ways)
  return bar
}
