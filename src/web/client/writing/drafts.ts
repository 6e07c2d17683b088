/** Stores the written text as a draft, and offers drafts that were never saved. */

import { type Choices, type Draft, draftsWith, keepDraft, removeDraft, stashDraft, takeStashed } from './draft-store.ts'
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
  announceForm(() => aboutForm(edit).name, id)
  // On return to the page the browser restores the written text and summary.
  const restored = wordsIn(edit, box)
  if (!edit.facts.isFresh || !isAsServed(edit, box)) keeper.touched()
  if (edit.facts.isFresh) void offer(edit, box, { newer, held, id, restored })
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
  edit: Pick<EditForm, 'form' | 'say'>,
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

/** Text and summary, which a draft keeps and another one may repeat. */
type Words = Pick<Draft, 'text' | 'summary'>

function wordsIn({ field }: EditForm, box: TextBox): Words {
  return { text: box.read(), summary: field('summary')?.value ?? '' }
}

/** Returns true if the form has no words but those that the server put into it. */
function isAsServed(edit: EditForm, box: TextBox): boolean {
  const { text, summary } = wordsIn(edit, box)
  return text === box.original && summary === (edit.field('summary')?.defaultValue ?? '')
}

/** Returns the text of the form as a draft; null if it has no words of its own. */
function draftIn(edit: EditForm, box: TextBox, { id, held }: Own): Draft | null {
  const { facts, field } = edit
  if (facts.isFresh && isAsServed(edit, box)) return null
  const { text, summary } = wordsIn(edit, box)
  const minor = field('minor')?.checked ?? false
  const { choices } = held
  const time = Date.now()
  return { ...{ id, text, summary, minor, time }, ...aboutForm(edit), ...(choices !== undefined && { choices }) }
}

/** The fields of a draft that identify its text. */
export function aboutForm({ facts, field }: EditForm): Pick<Draft, 'name' | 'page' | 'address' | 'title' | 'base'> {
  const { draft, pageId: page, edit, title } = facts
  const base = Number(field('base')?.value)
  // A merge may have given the section another number.
  const section = field('section')?.value ?? ''
  const [wiki, , ...key] = draft.split(' ')
  const address = section === '' ? edit : edit.replace(/(?<=[?&]section=)\d+/, section)
  return { name: [wiki, section, ...key].join(' '), page, address, title, base }
}

interface Offered extends Own {
  readonly newer: Newer
  /** Words of the form when it was opened. */
  readonly restored: Words
}

/** Shows a bar for each draft that differs from the form and from the drafts before it. */
async function offer(edit: EditForm, box: TextBox, { newer, held, id, restored }: Offered): Promise<void> {
  const served = { text: box.original, summary: edit.field('summary')?.defaultValue ?? '' }
  const shown: Words[] = [served]
  await takeStashed().catch(() => {})
  const drafts = (await draftsAbout(edit).catch(() => [])).filter(draft => draft.id !== id)
  const open = await openElsewhere(new Set(drafts.map(({ name }) => name)))
  for (const draft of drafts) {
    const isKnown = shown.some(words => isSame(words, draft)) || isSaved(edit, draft, served.text)
    if (open.has(draft.id)) edit.form.before(elsewhereBar(edit, draft))
    else if (sectionOf(draft.name) !== sectionOf(edit.facts.draft)) edit.form.before(sectionBar(edit, draft))
    else if (isKnown && draft.choices === undefined) await removeDraft(draft.id).catch(() => {})
    // It goes when the form's own draft, of the same words, is stored.
    else if (isSame(restored, draft) && draft.choices === undefined) held.ids.add(draft.id)
    else
      edit.form.before(
        draftBar(
          edit.say,
          draft,
          () => void goOn(draft),
          () => changesBetween(edit, draft),
        ),
      )
    if (sectionOf(draft.name) === sectionOf(edit.facts.draft)) shown.push(draft)
  }
  const goOn = async (draft: Draft): Promise<void> => {
    const [summary, minor] = [edit.field('summary'), edit.field('minor')]
    if (summary !== null) summary.value = draft.summary
    if (minor !== null) minor.checked = draft.minor
    held.ids.add(draft.id)
    if (draft.choices !== undefined) held.choices = draft.choices
    await newer.goOnFrom(draft.base, draft.text, sectionOf(draft.name))
    box.focus()
  }
}

/** Returns true if a text was saved after it was stored as a draft: its summary is saved too. */
function isSaved({ field }: EditForm, { text, base }: Draft, served: string): boolean {
  return text === served && base !== Number(field('base')?.value)
}

function isSame(one: Words, other: Words): boolean {
  return one.text === other.text && one.summary === other.summary
}

/** A draft is named by its wiki, section and page, in this order. */
function sectionOf(name: string): string | undefined {
  return name.split(' ')[1]
}

/**
 * Returns the drafts of the form's text, latest first: also those that were written before the page was moved, and, for a whole
 * page, those of its sections.
 */
async function draftsAbout({ facts }: EditForm): Promise<Draft[]> {
  const [wiki = '', section = '', ...key] = facts.draft.split(' ')
  const isOfPage = ({ name, page }: Draft): boolean =>
    page !== undefined && page !== 0 ? page === facts.pageId : name.split(' ').slice(2).join(' ') === key.join(' ')
  return (await draftsWith(`${wiki} `)).filter(
    draft => draft.name === facts.draft || (isOfPage(draft) && (section === '' || sectionOf(draft.name) === section)),
  )
}

/** The draft of a section, with the way to the section's form. */
function sectionBar({ say }: EditForm, { time, address = '' }: Draft): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'notice draft-offer'
  const link = document.createElement('a')
  link.href = address.startsWith('/') ? address : ''
  link.textContent = say('continueDraft')
  bar.append(`${say('draftOfSection', timeText(time))} `, link)
  return bar
}

function elsewhereBar({ say }: EditForm, { time }: Draft): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'notice draft-offer'
  bar.textContent = say('draftElsewhere', timeText(time))
  return bar
}

/** Creates the bar that offers a draft. `changes` returns a comparison of the draft, for forms of a text. */
export function draftBar(
  say: EditForm['say'],
  draft: Draft,
  goOn: () => void,
  changes?: () => Promise<Element | null>,
): HTMLElement {
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
    void changes?.().then(shown => bar.append(shown ?? say('noServer')))
  })
  ways.append(
    button(say('continueDraft'), end(goOn)),
    ...(changes === undefined ? [] : [compare]),
    button(
      say('discardDraft'),
      end(() => void removeDraft(draft.id)),
    ),
  )
  bar.append(about, ways)
  return bar
}
