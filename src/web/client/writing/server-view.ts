/** Views that the server renders from the form: a preview, and changes. */

import { pageOf } from '../reading/trusted.ts'
import type { EditForm } from './edit-form.ts'

/** Fields that override those of the form. */
type Fields = Readonly<Record<string, string>>

/** Returns the server's view for one of the form's buttons; null if it does not respond. */
export async function serverView({ form }: EditForm, fields: Fields, signal?: AbortSignal): Promise<Element | null> {
  const data = new FormData(form)
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  const response = await fetch(form.action, { method: 'POST', body: data, ...(signal !== undefined && { signal }) })
  return (await pageOf(response)).querySelector('[data-ui-body] > .preview')
}

/**
 * Returns the changes between a text of the page and the revision that it is based on; null if there is no response.
 */
export async function changesBetween(
  edit: EditForm,
  { text, base }: { readonly text: string; readonly base: number },
): Promise<Element | null> {
  const shown = await serverView(edit, { do: 'changes', text, base: String(base) }).catch(() => null)
  return shown === null ? null : document.importNode(shown, true)
}
