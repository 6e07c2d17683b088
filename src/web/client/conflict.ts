/** Script of the page on which two edits are combined: stores the choices like drafts, and adds keyboard shortcuts. */

import { chooseByKeys } from './writing/conflict-keys.ts'
import { type Draft, draftOf, storeDraft, takeStashed } from './writing/draft-store.ts'
import { aboutForm, showWritten, startStoring, writtenIn } from './writing/drafts.ts'
import { button, type EditForm, findEditForm } from './writing/edit-form.ts'
import { ownDraft } from './writing/open-forms.ts'
import { leaveIfSaved, markSaved } from './writing/saved-forms.ts'
import { saveInBackground } from './writing/saving.ts'

const edit = findEditForm()
if (edit !== null && !leaveIfSaved(edit)) void start(edit)

async function start(edit: EditForm): Promise<void> {
  const { form, field, say, data } = edit
  const named = field('draft')?.value ?? ''
  const own = ownDraft(field('draft'))
  const [base, current] = ['base', 'current'].map(name => Number(field(name)?.value)) as [number, number]
  const text = form.querySelector<HTMLTextAreaElement>('textarea[name="text"]')?.value ?? ''

  await Promise.all([own.ready, takeStashed().catch(() => {})])
  // Another tab with the same conflict keeps the draft, and both begin from it.
  const draft = await draftOf(named).catch(() => undefined)
  const written = [...(draft?.choices?.written ?? [])]
  if (draft?.choices !== undefined) {
    if (draft.base === base && draft.choices.current === current && draft.text === text)
      fill(form, draft.choices.fields)
    else written.push(...writtenIn({ ...draft.choices, written: [] }))
  }
  showWritten(edit, written)
  leaveOutKnowingly(form)
  const shownChoice = chooseByKeys(edit)
  const draftNow = (): Draft => {
    const [summary, minor] = [field('summary')?.value ?? '', field('minor') !== null]
    const choices = { current, fields: choicesOf(form), ...(written.length > 0 && { written }) }
    return { ...{ id: own.id, text, summary, minor, time: Date.now() }, ...aboutForm(edit), choices }
  }
  const keeper = startStoring(edit, own, draftNow, new Set())
  keeper.touched()
  form.addEventListener('input', event => {
    chooseWritten(event.target)
    shownChoice()
    keeper.touched()
  })
  saveInBackground(edit, () => {
    markSaved()
    return keeper.saved()
  })
  form
    .querySelector('.actions')
    ?.append(
      button(
        say('keepDraftButton'),
        () => void storeDraft(draftNow()).then(() => location.assign(data.page), keeper.touched),
      ),
    )
}

/** Choices and texts of the conflicts, by field name. */
function choicesOf(form: HTMLFormElement): Record<string, string> {
  const fields = [...new FormData(form)].filter(([name]) => /^(?:choice|edit)-\d+$/.test(name))
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]))
}

function fill(form: HTMLFormElement, fields: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(fields)) {
    const field = form.elements.namedItem(name)
    if (field instanceof RadioNodeList || field instanceof HTMLTextAreaElement) field.value = value
  }
}

/** Typing selects the written text, so a user who then chooses another one leaves it out on purpose: the server need not ask. */
function leaveOutKnowingly(form: HTMLFormElement): void {
  const field = form.querySelector<HTMLInputElement>('input[name="left-out"]') ?? document.createElement('input')
  Object.assign(field, { type: 'hidden', name: 'left-out', value: 'all' })
  form.append(field)
}

/** Selects "own text" for a conflict when the user types in its field. */
function chooseWritten(target: EventTarget | null): void {
  if (!(target instanceof HTMLTextAreaElement) || !target.name.startsWith('edit-')) return
  const choice = target.closest('fieldset')?.querySelector<HTMLInputElement>('input[value="edit"]')
  if (choice) choice.checked = true
}
