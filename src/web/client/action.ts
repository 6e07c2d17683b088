/** Script of the forms for one action, such as a move, an upload or the settings: drafts of their fields, and background submission. */

import { type Draft, draftsWith, takeStashed } from './writing/draft-store.ts'
import { draftBar, setAside, startStoring } from './writing/drafts.ts'
import { type DraftFormData, findForm, type ScriptedForm } from './writing/edit-form.ts'
import { type OwnDraft, openElsewhere, ownDraft } from './writing/open-forms.ts'
import { saveInBackground } from './writing/saving.ts'

// On return to the page the browser restores the fields after this script is loaded and before the page is shown.
if (document.readyState === 'complete') start(findForm())
else window.addEventListener('pageshow', () => start(findForm()), { once: true })

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

function start(scripted: ScriptedForm<DraftFormData> | null): void {
  if (scripted === null) return
  const { form, data, field } = scripted
  const own = ownDraft(field('draft'))
  // Drafts whose fields the form contains now; they go when its own draft is stored.
  const continued = new Set<string>()
  const draftNow = (): Draft | null =>
    data.isFresh && fieldsOf(form).every(isAsServed) ? null : draftOf(scripted, own.id)
  const keeper = startStoring(scripted, own, draftNow, continued)
  if (draftNow() !== null) keeper.touched()
  form.addEventListener('input', keeper.touched)
  saveInBackground(scripted, keeper.saved)
  if (data.isFresh)
    void offer(scripted, own, {
      goOn: async draft => {
        const aside = await setAside(draftNow(), continued)
        continued.add(draft.id)
        fill(form, draft.fields ?? {})
        keeper.touched()
        return aside
      },
      // The browser has restored it. It goes when the form's own draft, of the same fields, is stored.
      restored: draft => {
        continued.add(draft.id)
        keeper.touched()
      },
    })
}

/** Fields that a user fills in. Secrets and files are not part of a draft. */
function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (one): one is Field =>
      one instanceof HTMLTextAreaElement ||
      one instanceof HTMLSelectElement ||
      (one instanceof HTMLInputElement && ['text', 'checkbox'].includes(one.type)),
  )
}

function isAsServed(field: Field): boolean {
  if (field instanceof HTMLSelectElement) return [...field.options].every(one => one.selected === one.defaultSelected)
  return (
    field.value === field.defaultValue &&
    (field instanceof HTMLTextAreaElement || field.checked === field.defaultChecked)
  )
}

function valueIn(field: Field): string {
  return field instanceof HTMLInputElement && field.type === 'checkbox' ? String(field.checked) : field.value
}

function draftOf({ form, data }: ScriptedForm<DraftFormData>, id: string): Draft {
  const fields = fieldsOf(form)
  const { pathname, search } = new URL(form.action)
  const written = fields
    .filter(one => !isAsServed(one) || !data.isFresh)
    .filter(one => !(one instanceof HTMLInputElement && one.type === 'checkbox'))
  return {
    ...{ id, name: data.draft, address: pathname + search, title: document.querySelector('h1')?.textContent ?? '' },
    ...{ text: written.map(valueIn).join('\n'), summary: '', minor: false, base: 0, time: Date.now() },
    fields: Object.fromEntries(fields.map(one => [one.name, valueIn(one)])),
  }
}

function fill(form: HTMLFormElement, values: Readonly<Record<string, string>>): void {
  for (const field of fieldsOf(form)) {
    const value = values[field.name]
    if (value === undefined) continue
    if (field instanceof HTMLInputElement && field.type === 'checkbox') field.checked = value === 'true'
    else field.value = value
  }
}

interface Offering {
  /** Fills the form with a draft. Returns the draft of the words that were in it, which is offered in turn. */
  readonly goOn: (draft: Draft) => Promise<Draft | null>
  /** Reports a draft whose fields the form has already. */
  readonly restored: (draft: Draft) => void
}

/** Offers the drafts of earlier openings of this form that are not open in another tab. */
async function offer(
  { form, data, say }: ScriptedForm<DraftFormData>,
  own: OwnDraft,
  { goOn, restored }: Offering,
): Promise<void> {
  const show = (draft: Draft): void => {
    const take = async (): Promise<boolean> => {
      const aside = await goOn(draft)
      if (aside !== null) show(aside)
      return true
    }
    form.before(draftBar(say, draft, take))
  }
  await Promise.all([own.ready, takeStashed().catch(() => {})])
  const drafts = await draftsWith(data.draft).catch(() => [])
  const found = drafts.filter(draft => draft.name === data.draft && draft.id !== own.id)
  const open = await openElsewhere(found.map(draft => draft.id))
  for (const draft of found) {
    if (open.has(draft.id)) continue
    if (fieldsOf(form).every(field => valueIn(field) === draft.fields?.[field.name])) restored(draft)
    else show(draft)
  }
}
