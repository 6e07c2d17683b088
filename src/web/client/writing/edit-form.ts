/** The form of a page's source as the server wrote it, and what it says to scripts. */

/** Facts for the scripts of the form, in its attribute `data-edit`. */
export interface EditFacts {
  /** Name of the wiki on this server's host, page and section: drafts of one text have one name. */
  readonly draft: string
  /** True if the form holds the page's text; false if it holds what somebody wrote before. */
  readonly isFresh: boolean
  /** Key of the page. */
  readonly key: string
  /** Title of the page. */
  readonly title: string
  /** Address of the page. */
  readonly page: string
  /** Address of the form itself, with its section. */
  readonly edit: string
  readonly model: string
  /** Names of the namespaces of files and of templates, in the language of the wiki. */
  readonly namespaces: { readonly file: string; readonly template: string }
  /** Address that files are uploaded to. */
  readonly upload: string
  /** Unit that must separate two edits that are merged. */
  readonly merges: 'words' | 'lines' | 'never'
  /** Sentences by their names, with `$1` to fill in. */
  readonly words: Readonly<Record<string, string>>
}

export interface EditForm {
  readonly form: HTMLFormElement
  readonly facts: EditFacts
  /** Field of the given name. */
  readonly field: (name: string) => HTMLInputElement | null
  /** Returns a sentence with the values of `$1` and `$2`. */
  readonly say: (name: string, ...params: readonly string[]) => string
}

/** Finds the form of the page; null if there is none. */
export function findEditForm(): EditForm | null {
  const form = document.querySelector<HTMLFormElement>('form[data-edit]')
  if (form === null) return null
  const facts: EditFacts = JSON.parse(form.dataset.edit ?? '')
  return {
    form,
    facts,
    field: name => form.querySelector<HTMLInputElement>(`input[name="${name}"]`),
    say: (name, ...params) => (facts.words[name] ?? '').replace(/\$(\d)/g, (_, at) => params[Number(at) - 1] ?? ''),
  }
}

/** Returns true once the form is on its way to the server and takes the text along. */
export function isSent({ form }: EditForm): boolean {
  return form.dataset.leaves !== undefined
}

/** Makes a button that sends nothing. */
export function button(text: string, act: () => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.textContent = text
  made.addEventListener('click', act)
  return made
}

/** Writes a moment as the time of the day, with the day where it is another one. */
export function timeText(moment: number): string {
  const date = new Date(moment)
  const isToday = date.toDateString() === new Date().toDateString()
  return date.toLocaleString(document.documentElement.lang, {
    ...(!isToday && { dateStyle: 'medium' }),
    timeStyle: 'short',
  })
}
