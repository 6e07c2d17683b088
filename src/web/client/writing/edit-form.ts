/** The form for a page's source, as the server wrote it, and its data for scripts. */

/** Data for the scripts of a form with drafts, in its attribute `data-ui-edit`. */
export interface DraftFormData {
  /** Identifies the wiki on this host and the form: for a text, the section and the page. All drafts of one form share this name. */
  readonly draft: string
  /** True if the form contains the wiki's own values; false if it contains submitted ones. */
  readonly isFresh: boolean
  /** Sentences by name, with `$1` placeholders. */
  readonly words: Readonly<Record<string, string>>
}

/** Data for the scripts of the form for a text. */
export interface EditFormData extends DraftFormData {
  /** Key of the page. */
  readonly key: string
  /** Title of the page. */
  readonly title: string
  /** Id of the page; 0 for a page that does not exist. */
  readonly pageId: number
  /** URL of the page. */
  readonly page: string
  /** URL of the form, including its section. */
  readonly edit: string
  readonly model: string
  /** Local names of the file and template namespaces. */
  readonly namespaces: { readonly file: string; readonly template: string }
  /** URL for uploads. */
  readonly upload: string
  /** Unit that must lie between two edits for a merge. */
  readonly merges: 'words' | 'lines' | 'never'
}

/** A form that scripts complete. */
export interface ScriptedForm<Data> {
  readonly form: HTMLFormElement
  readonly data: Data
  /** Returns the field of a name. */
  readonly field: (name: string) => HTMLInputElement | null
  /** Returns a sentence with `$1` and `$2` replaced. */
  readonly say: (name: string, ...params: readonly string[]) => string
}

export type EditForm = ScriptedForm<EditFormData>

/** Finds the form for a text; null if there is none. */
export function findEditForm(): EditForm | null {
  return findForm()
}

/** Finds the form on the page that has data for scripts; null if there is none. The script of a page knows its kind. */
export function findForm<Data extends DraftFormData>(): ScriptedForm<Data> | null {
  const form = document.querySelector<HTMLFormElement>('form[data-ui-edit]')
  if (form === null) return null
  const data: Data = JSON.parse(form.dataset.uiEdit ?? '')
  return {
    form,
    data,
    field: name => form.querySelector<HTMLInputElement>(`input[name="${name}"]`),
    say: (name, ...params) => (data.words[name] ?? '').replace(/\$(\d)/g, (_, at) => params[Number(at) - 1] ?? ''),
  }
}

/** Returns true once the form is being submitted together with the text. */
export function isSent({ form }: Pick<EditForm, 'form'>): boolean {
  return form.dataset.leaves !== undefined
}

/** Creates a button that does not submit the form. */
export function button(text: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = text
  made.addEventListener('click', act)
  return made
}

/** Formats a timestamp as the time of day, with the date if it is not today. */
export function timeText(moment: number): string {
  const date = new Date(moment)
  const isToday = date.toDateString() === new Date().toDateString()
  return date.toLocaleString(document.documentElement.lang, {
    ...(!isToday && { dateStyle: 'medium' }),
    timeStyle: 'short',
  })
}
