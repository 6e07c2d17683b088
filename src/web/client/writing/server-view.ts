/** Parts of pages that the server makes of the form: a preview, and changes. */

import { pageOf } from '../reading/trusted.ts'
import type { EditForm } from './edit-form.ts'

/** Fields that differ from those of the form. */
type Fields = Readonly<Record<string, string>>

/** Returns what the server shows above the form for one of its buttons; null if it does not answer. */
export async function serverView({ form }: EditForm, fields: Fields, signal?: AbortSignal): Promise<Element | null> {
  const data = new FormData(form)
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  const answer = await fetch(form.action, { method: 'POST', body: data, ...(signal !== undefined && { signal }) })
  return (await pageOf(answer)).querySelector('.body > .preview')
}

/** Returns the changes of another text of the page against the revision that it was made from; null if nobody answers. */
export async function changesBetween(
  edit: EditForm,
  { text, base }: { readonly text: string; readonly base: number },
): Promise<Element | null> {
  const shown = await serverView(edit, { do: 'changes', text, base: String(base) }).catch(() => null)
  return shown === null ? null : document.importNode(shown, true)
}
