/** Stores the written text as a draft, and offers drafts that were never saved. */

import {
  type Choices,
  type Draft,
  draftOf,
  draftsWith,
  newDraftId,
  removeDrafts,
  stashDraft,
  storeDraft,
  takeStashed,
} from './draft-store.ts'
import { button, type EditForm, isSent, timeText } from './edit-form.ts'
import type { Newer } from './newer-revisions.ts'
import { closedElsewhere, type OwnDraft, openElsewhere, ownDraft } from './open-forms.ts'
import { markSaved } from './saved-forms.ts'
import { changesBetween } from './server-view.ts'
import type { TextBox } from './text-box.ts'

/** Milliseconds after the last keystroke before a draft is stored. */
const pause = 300

/** Milliseconds after which a draft is stored while the user types without a pause. */
const longestWait = 1000

export interface Drafts {
  /** Deletes the draft of this form and the drafts that it continued, because their content is saved. */
  readonly saved: () => Promise<void>
}

/** A draft whose text the form now contains, with its context. */
interface ContinuedDrafts {
  readonly ids: Set<string>
  /** Choices of the conflict that the draft was in. */
  choices?: Choices | undefined
}

/** Starts storing drafts of a form. */
export function startDrafts(edit: EditForm, box: TextBox, newer: Newer): Drafts {
  const own = ownDraft(edit.field('draft'))
  const continued: ContinuedDrafts = { ids: new Set() }
  const keeper = startStoring(edit, own, () => draftIn(edit, box, { own, continued }), continued.ids)
  box.onChange(keeper.touched)
  edit.field('summary')?.addEventListener('input', keeper.touched)
  // On return to the page the browser restores the written text and summary.
  const restored = wordsIn(edit, box)
  if (edit.data.isFresh) void startFresh(edit, box, { newer, continued, own, restored, touched: keeper.touched })
  else keeper.touched()
  return {
    saved: () => {
      markSaved()
      return keeper.saved()
    },
  }
}

export interface DraftKeeper {
  /** Reports that the text was changed. */
  readonly touched: () => void
  /** Stops, and deletes the draft and those that it replaces, because their content is saved. Never fails. */
  readonly saved: () => Promise<void>
}

/**
 * Stores a draft soon after a change, and at once when the page is closed. `draftNow` returns null if the text needs no
 * draft. `replaced` are the ids of the drafts whose words the form contains now: they are deleted when its own is stored.
 */
export function startStoring(
  edit: Pick<EditForm, 'form' | 'say'>,
  own: OwnDraft,
  draftNow: () => Draft | null,
  replaced: Set<string>,
): DraftKeeper {
  // A page that was left may have stashed a draft that replaces others.
  const begun = Promise.all([own.ready, takeStashed().catch(() => {})])
  const status = statusOf(edit.form)
  let state: 'kept' | 'touched' | 'writing' | 'failed' = 'kept'
  let timer = 0
  let due = 0
  let turn = 0
  let isOver = false
  // On return to the page the browser may show its previous state.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) isOver = false
  })
  const keepNow = async (): Promise<void> => {
    clearTimeout(timer)
    if (state === 'kept') return
    state = 'writing'
    const thisTurn = ++turn
    await begun
    // A later write contains this one, and what is saved needs none.
    if (thisTurn !== turn || isOver) return
    const replaces = [...replaced]
    const draft = withReplaced(draftNow(), replaces)
    const isStored = await (draft === null ? removeDrafts(own.id, ...replaces) : storeDraft(draft)).then(
      () => {
        for (const one of replaces) replaced.delete(one)
        return true
      },
      () => isOver || draft === null || stashDraft(draft),
    )
    // A later write, or `saved`, reports the state.
    if (thisTurn !== turn || state !== 'writing') return
    state = isStored ? 'kept' : 'failed'
    if (!isStored) status.textContent = edit.say('draftNotKept')
    else status.textContent = draft === null ? '' : edit.say('draftKept', timeText(draft.time))
  }
  const leave = (): void => {
    const draft = state === 'kept' ? null : withReplaced(draftNow(), [...replaced])
    if (draft !== null) stashDraft(draft)
    // The form's draft may get another id.
    if (draft !== null) void own.ready.then(() => draft.id !== own.id && replaced.add(draft.id))
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
      // The revision that was saved may still be merged into the form before the page is left.
      if (isOver) return
      const now = Date.now()
      // A clock that is set back must not postpone the write.
      if (state !== 'touched' || due > now + longestWait) due = now + longestWait
      state = 'touched'
      clearTimeout(timer)
      timer = window.setTimeout(() => void keepNow(), Math.min(pause, due - now))
    },
    saved: async () => {
      clearTimeout(timer)
      isOver = true
      state = 'kept'
      await begun
      await removeDrafts(own.id, ...replaced).catch(() => {})
    },
  }
}

function withReplaced(draft: Draft | null, replaces: readonly string[]): Draft | null {
  return draft === null || replaces.length === 0 ? draft : { ...draft, replaces }
}

function statusOf(form: HTMLFormElement): HTMLElement {
  const status = document.createElement('span')
  status.className = 'draft-status'
  status.setAttribute('role', 'status')
  form.querySelector('.actions')?.append(status)
  return status
}

interface FormDraft {
  readonly own: OwnDraft
  readonly continued: ContinuedDrafts
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
function draftIn(edit: EditForm, box: TextBox, { own: { id }, continued }: FormDraft): Draft | null {
  const { data, field } = edit
  if (data.isFresh && isAsServed(edit, box)) return null
  const { text, summary } = wordsIn(edit, box)
  const minor = field('minor')?.checked ?? false
  const { choices } = continued
  const time = Date.now()
  return { ...{ id, text, summary, minor, time }, ...aboutForm(edit), ...(choices !== undefined && { choices }) }
}

/** The fields of a draft that identify its text. */
export function aboutForm({
  data,
  field,
}: EditForm): Pick<Draft, 'name' | 'page' | 'address' | 'title' | 'base' | 'made'> {
  const { draft, pageId: page, edit, title } = data
  const base = Number(field('base')?.value)
  // A merge may have given the section another number.
  const section = field('section')?.value ?? ''
  const [wiki, , ...key] = draft.split(' ')
  const address = section === '' ? edit : edit.replace(/(?<=[?&]section=)\d+/, section)
  return { name: [wiki, section, ...key].join(' '), page, address, title, base, made: field('made')?.value }
}

interface Offered extends FormDraft {
  readonly newer: Newer
  /** Words of the form when it was opened. */
  readonly restored: Words
  /** Reports that the form's own draft has to be stored. */
  readonly touched: () => void
}

/** Keeps words that the browser has restored, and offers drafts. */
async function startFresh(edit: EditForm, box: TextBox, offered: Offered): Promise<void> {
  await Promise.all([offered.own.ready, takeStashed().catch(() => {})])
  const drafts = await draftsAbout(edit).catch(() => [])
  const open = await openElsewhere(drafts.map(draft => draft.id).filter(id => id !== offered.own.id))
  const found = { ...offered, drafts, open }
  if (!isAsServed(edit, box)) {
    await returnToBase(edit, box, found).catch(() => {})
    // They go when the form's own draft, of the same words, is stored.
    for (const draft of restoredDrafts(edit, found)) offered.continued.ids.add(draft.id)
    offered.touched()
  }
  await offer(edit, box, found)
}

/**
 * Returns to the revision that restored words are based on. A form that the browser has requested again has a later one, and saving
 * the words as an edit of that one would revert the edits between.
 */
async function returnToBase(edit: EditForm, box: TextBox, { newer, restored, drafts }: FoundDrafts): Promise<void> {
  const section = sectionOf(edit.data.draft)
  const base = Number(edit.field('base')?.value)
  const same = drafts.filter(draft => isSame(restored, draft) && sectionOf(draft.name) === section)
  const [draft] = same
  if (draft) takeMade(edit, draft)
  if (!draft || same.some(one => one.base === base)) return
  await newer.goOnFrom(draft.base, box.read(), section)
}

/** A draft's text comes from the form that it was written in: the server may have served another branch then. */
function takeMade({ field }: EditForm, { made = '' }: Draft): void {
  field('made')!.value = made
}

interface FoundDrafts extends Offered {
  /** All drafts about the form's text, the form's own too. */
  readonly drafts: readonly Draft[]
  /** Ids of those that are open in other tabs. */
  readonly open: ReadonlySet<string>
}

/** Returns the drafts of earlier openings of the form whose words the browser has restored. */
function restoredDrafts({ data }: EditForm, { own, restored, drafts, open }: FoundDrafts): Draft[] {
  const section = sectionOf(data.draft)
  const isRestored = (draft: Draft): boolean =>
    isSame(restored, draft) && sectionOf(draft.name) === section && draft.choices === undefined
  return drafts.filter(draft => draft.id !== own.id && !open.has(draft.id) && isRestored(draft))
}

/** Shows a bar for each draft that differs from the form and from the drafts before it. */
async function offer(
  edit: EditForm,
  box: TextBox,
  { newer, continued, own, open, ...found }: FoundDrafts,
): Promise<void> {
  const served = { text: box.original, summary: edit.field('summary')?.defaultValue ?? '' }
  const shown: Words[] = [served]
  const drafts = found.drafts.filter(draft => draft.id !== own.id && !continued.ids.has(draft.id))
  const section = sectionOf(edit.data.draft)
  const showOffer = (draft: Draft): void =>
    edit.form.before(
      draftBar(
        edit.say,
        draft,
        () => goOn(draft),
        () => changesBetween(edit, draft),
      ),
    )
  const goOn = async (draft: Draft): Promise<boolean> => {
    const aside = await setAside(draftIn(edit, box, { own, continued }), continued.ids)
    if (aside !== null) showOffer(aside)
    if (!(await newer.goOnFrom(draft.base, draft.text, sectionOf(draft.name)))) return false
    takeMade(edit, draft)
    const [summary, minor] = [edit.field('summary'), edit.field('minor')]
    if (summary !== null) summary.value = draft.summary
    if (minor !== null) minor.checked = draft.minor
    continued.ids.add(draft.id)
    continued.choices = draft.choices
    showWritten(edit, writtenIn(draft.choices))
    box.changed()
    box.focus()
    return true
  }
  const place = async (draft: Draft | undefined): Promise<void> => {
    if (draft === undefined) return
    const isOwn = sectionOf(draft.name) === section
    const isShown = shown.some(words => isSame(words, draft)) || isSaved(edit, draft, served.text)
    if (isOwn && isShown && draft.choices === undefined) await removeDrafts(draft.id).catch(() => {})
    else showOffer(draft)
    if (isOwn) shown.push(draft)
  }
  for (const draft of drafts) {
    if (open.has(draft.id)) void showElsewhere(edit, draft).then(place, () => {})
    else await place(draft)
  }
}

/** Shows that a draft is open in another tab, until that is closed. Returns the draft that it leaves, if any. */
async function showElsewhere(edit: EditForm, { id, time }: Draft): Promise<Draft | undefined> {
  const bar = document.createElement('div')
  bar.className = 'notice draft-offer'
  bar.textContent = edit.say('draftElsewhere', timeText(time))
  edit.form.before(bar)
  await closedElsewhere(id)
  bar.remove()
  return draftOf(id)
}

/**
 * Stores the words of a form as a draft of its own, before another draft takes their place, and deletes the drafts that they continued.
 * Returns it; null if the form has no words of its own. Errors: those of a browser that stores nothing.
 */
export async function setAside(draft: Draft | null, continued: Set<string>): Promise<Draft | null> {
  if (draft === null) return null
  const aside = { ...draft, id: newDraftId(), replaces: [...continued] }
  await storeDraft(aside).catch(error => {
    if (!stashDraft(aside)) throw error
  })
  continued.clear()
  return aside
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
async function draftsAbout({ data }: EditForm): Promise<Draft[]> {
  const [wiki = '', section = '', ...key] = data.draft.split(' ')
  const isOfPage = ({ name, page }: Draft): boolean =>
    page !== undefined && page !== 0 ? page === data.pageId : name.split(' ').slice(2).join(' ') === key.join(' ')
  return (await draftsWith(`${wiki} `)).filter(
    draft => draft.name === data.draft || (isOfPage(draft) && (section === '' || sectionOf(draft.name) === section)),
  )
}

/**
 * Creates the bar that offers a draft. `goOn` resolves with false if the form cannot continue it now; the bar then stays. `changes` returns
 * a comparison of the draft, for forms of a text.
 */
export function draftBar(
  say: EditForm['say'],
  draft: Draft,
  goOn: () => Promise<boolean>,
  changes?: () => Promise<Element | null>,
): HTMLElement {
  const bar = document.createElement('div')
  bar.className = 'notice draft-offer'
  const about = document.createElement('p')
  const isOfSection = changes !== undefined && sectionOf(draft.name) !== ''
  about.textContent = say(isOfSection ? 'draftOfSection' : 'draftFound', timeText(draft.time))
  const ways = document.createElement('p')
  ways.className = 'actions'
  const taken = button(say('continueDraft'), () => {
    taken.disabled = true
    void goOn().then(
      isTaken => (isTaken ? bar.remove() : refuse()),
      () => refuse(),
    )
  })
  const refuse = (): void => {
    taken.disabled = false
    bar.append(say('noServer'))
  }
  const compare = button(say('compareDraft'), () => {
    compare.disabled = true
    void changes?.().then(shown => bar.append(shown ?? say('noServer')))
  })
  const drop = button(say('discardDraft'), () => {
    void removeDrafts(draft.id)
    bar.remove()
  })
  ways.append(taken, ...(changes === undefined ? [] : [compare]), drop)
  bar.append(about, ways)
  return bar
}

/** Returns the texts that a user wrote for conflicts. */
export function writtenIn(choices: Choices | undefined): string[] {
  const { fields = {}, written = [] } = choices ?? {}
  const own = Object.entries(fields).filter(
    ([name]) => name.startsWith('edit-') && fields[name.replace('edit', 'choice')] === 'edit',
  )
  return [...written, ...own.map(([, text]) => text)]
}

/** Shows texts that were written for conflicts that may no longer exist, so that they can be copied. */
export function showWritten({ form, say }: EditForm, texts: readonly string[]): void {
  form.parentElement?.querySelector(':scope > .written')?.remove()
  if (texts.length === 0) return
  const details = document.createElement('details')
  details.className = 'written'
  const summary = document.createElement('summary')
  summary.textContent = say('draftChoices')
  details.append(summary)
  for (const text of texts) {
    const block = document.createElement('pre')
    block.className = 'settled'
    block.textContent = text
    details.append(block)
  }
  form.before(details)
}
