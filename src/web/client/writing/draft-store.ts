/** Drafts in IndexedDB. A write counts as done once it is on disk, so a killed browser loses no draft. */

export interface Draft {
  /** Random id, one for each opening of a form. */
  readonly id: string
  /** Identifies the wiki, page and section. */
  readonly name: string
  /** URL of the form that continues the draft; missing in drafts of older versions. */
  readonly address?: string
  /** Title of the page. */
  readonly title?: string
  /** Id of the page, which moves do not change; 0 for a page that did not exist. Missing in drafts of older versions. */
  readonly page?: number
  readonly text: string
  readonly summary: string
  readonly minor: boolean
  /** Id of the revision that the text is based on; 0 for a page that did not exist. */
  readonly base: number
  /** The form's field `made` (`src/web/made-from.ts`); missing in drafts of older versions. */
  readonly made?: string | undefined
  /** Last change, in milliseconds since 1970. */
  readonly time: number
  /** Choices and texts of an edit conflict. */
  readonly choices?: Choices
  /** Values of a form for one action, by the names of its fields. The text repeats the words in them. */
  readonly fields?: Readonly<Record<string, string>>
  /** Ids of the drafts whose words this one contains; they are deleted when it is stored. */
  readonly replaces?: readonly string[]
}

/** Choices of an edit conflict. */
export interface Choices {
  /** Id of the revision that the text conflicts with. */
  readonly current: number
  /** Values of the form's fields, by name. */
  readonly fields: Readonly<Record<string, string>>
  /** Texts written for earlier conflicts, which the form has no place for. */
  readonly written?: readonly string[]
}

/** Returns a new id of a draft. */
export function newDraftId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
}

const table = 'drafts'

let opened: Promise<IDBDatabase> | undefined

/** Opens the database. Errors: those of the browser, which may not allow databases; the next call tries again. */
function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('wiki', 1)
    request.onupgradeneeded = () =>
      request.result.createObjectStore(table, { keyPath: 'id' }).createIndex('name', 'name')
    request.onsuccess = () => {
      // The browser closes the database when the user clears the site's data.
      request.result.onclose = forget
      resolve(request.result)
    }
    request.onerror = () => reject(request.error)
  })
  opened.catch(forget)
  return opened
}

function forget(): void {
  opened = undefined
}

/**
 * Stores a draft, replacing the one with its id, and deletes those that it replaces. One transaction does both: a page that is
 * closed meanwhile leaves no draft twice.
 */
export async function storeDraft({ replaces = [], ...draft }: Draft): Promise<void> {
  await change(drafts => {
    drafts.put(draft)
    for (const id of replaces) drafts.delete(id)
  })
  for (const id of [draft.id, ...replaces]) forgetStashed(id)
}

/** Prefix of the keys of stashed drafts in localStorage. */
const waiting = 'wiki-draft '

/**
 * Stashes a draft in localStorage, synchronously: a page that is being closed cannot wait for the database, and some
 * browsers have none. Returns false if the browser does not allow it.
 */
export function stashDraft(draft: Draft): boolean {
  try {
    localStorage.setItem(waiting + draft.id, JSON.stringify(draft))
    for (const id of draft.replaces ?? []) forgetStashed(id)
    return true
  } catch {
    return false
  }
}

let taking: Promise<void> | undefined

/**
 * Moves stashed drafts into the database. Errors: those of the browser; the drafts then stay stashed. Calls at one time share
 * the work: the second one would store again what the form has deleted since.
 */
export function takeStashed(): Promise<void> {
  taking ??= moveStashed().finally(() => {
    taking = undefined
  })
  return taking
}

async function moveStashed(): Promise<void> {
  for (const draft of stashedDrafts()) {
    const stored = await read<Draft | undefined>(drafts => drafts.get(draft.id))
    if (stored === undefined || stored.time < draft.time) await storeDraft(draft)
    forgetStashed(draft.id)
  }
}

/** Lists the stashed drafts. Invalid entries are skipped and left in place. */
function stashedDrafts(): Draft[] {
  return stashedNames().flatMap(name => {
    try {
      const draft: Draft | null = JSON.parse(localStorage.getItem(name) ?? 'null')
      const isDraft = typeof draft?.text === 'string' && typeof draft.name === 'string' && name === waiting + draft.id
      return isDraft ? [draft] : []
    } catch {
      return []
    }
  })
}

function forgetStashed(id: string): void {
  if (stashedNames().includes(waiting + id)) localStorage.removeItem(waiting + id)
}

function stashedNames(): string[] {
  try {
    return Object.keys(localStorage).filter(name => name.startsWith(waiting))
  } catch {
    return []
  }
}

/** Deletes drafts. */
export async function removeDrafts(...ids: readonly string[]): Promise<void> {
  for (const id of ids) forgetStashed(id)
  await change(drafts => {
    for (const id of ids) drafts.delete(id)
  })
}

/** Returns the draft with this id; undefined if there is none. */
export async function draftOf(id: string): Promise<Draft | undefined> {
  const belongs = (draft: Draft) => draft.id === id
  return (await withStashed(belongs, drafts => drafts.getAll(id)))[0]
}

/** Returns the drafts whose names start with a prefix, latest first. */
export async function draftsWith(prefix: string): Promise<Draft[]> {
  return withStashed(
    draft => draft.name.startsWith(prefix),
    drafts => drafts.index('name').getAll(IDBKeyRange.bound(prefix, `${prefix}\uFFFF`)),
  )
}

/**
 * Merges the drafts of both stores, latest first, with the latest text of each. Errors: those of the database if no
 * draft is stashed.
 */
async function withStashed(
  belongs: (draft: Draft) => boolean,
  ask: (drafts: IDBObjectStore) => IDBRequest<Draft[]>,
): Promise<Draft[]> {
  const stashed = stashedDrafts().filter(belongs)
  const stored = await read<Draft[]>(ask).catch(error => {
    if (stashed.length === 0) throw error
    return []
  })
  const all = [...stashed, ...stored].sort((one, other) => other.time - one.time)
  const ids = all.map(({ id }) => id)
  return all.filter(({ id }, index) => ids.indexOf(id) === index)
}

async function read<Result>(ask: (drafts: IDBObjectStore) => IDBRequest): Promise<Result> {
  const request = ask((await database()).transaction(table).objectStore(table))
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result as Result)
    request.onerror = () => reject(request.error)
  })
}

async function change(act: (drafts: IDBObjectStore) => void): Promise<void> {
  const transaction = (await database()).transaction(table, 'readwrite', { durability: 'strict' })
  act(transaction.objectStore(table))
  await new Promise<void>((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onerror = () => reject(transaction.error)
    transaction.onabort = () => reject(transaction.error)
  })
}
