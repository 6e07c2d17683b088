/** Drafts in the browser's database: each is on the disk before the write counts as done, so that a killed browser loses none. */

export interface Draft {
  /** Random; one for each time that a form is opened. */
  readonly id: string
  /** Wiki, page and section. */
  readonly name: string
  /** URL of the form that continues it; missing in drafts of older versions. */
  readonly address?: string
  /** Title of the page. */
  readonly title?: string
  readonly text: string
  readonly summary: string
  readonly minor: boolean
  /** Id of the revision that the text was made from; 0 for a page that was not there. */
  readonly base: number
  /** Milliseconds since 1970. */
  readonly time: number
  /** Choices and texts of a conflict with another edit. */
  readonly choices?: Choices
}

/** Choices between two texts. */
export interface Choices {
  /** Id of the revision that the text conflicts with. */
  readonly current: number
  /** Values of the form's fields by their names. */
  readonly fields: Readonly<Record<string, string>>
}

const table = 'drafts'

let opened: Promise<IDBDatabase> | undefined

/** Opens the database. Errors: those of the browser, which may allow no database; the next call tries again. */
function database(): Promise<IDBDatabase> {
  opened ??= new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('wiki', 1)
    request.onupgradeneeded = () =>
      request.result.createObjectStore(table, { keyPath: 'id' }).createIndex('name', 'name')
    request.onsuccess = () => {
      // A browser closes it when somebody clears the site's data.
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

/** Keeps a draft in place of the one that has its id. */
export async function keepDraft(draft: Draft): Promise<void> {
  await change(drafts => drafts.put(draft))
  forgetStashed(draft.id)
}

/** Beginning of the names under which drafts wait in the browser's other store. */
const waiting = 'wiki-draft '

/**
 * Puts a draft where the next page finds it, at once: a page that goes away has no time to wait for the database. Nothing happens
 * where the browser does not allow it.
 */
export function stashDraft(draft: Draft): void {
  try {
    localStorage.setItem(waiting + draft.id, JSON.stringify(draft))
  } catch {
    // The write to the database, which has begun, is the only one then.
  }
}

/** Takes drafts that wait into the database. */
export async function takeStashed(): Promise<void> {
  for (const name of stashedNames()) {
    const draft: Draft = JSON.parse(localStorage.getItem(name) ?? 'null')
    const known = await draftOf(draft.id)
    if (known === undefined || known.time < draft.time) await keepDraft(draft)
    forgetStashed(draft.id)
  }
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

export async function removeDraft(id: string): Promise<void> {
  forgetStashed(id)
  await change(drafts => drafts.delete(id))
}

/** Returns the draft with this id; undefined if there is none. */
export async function draftOf(id: string): Promise<Draft | undefined> {
  return read<Draft | undefined>(drafts => drafts.get(id))
}

/** Returns the drafts of a text, the latest first. */
export async function draftsOf(name: string): Promise<Draft[]> {
  return latestFirst(await read<Draft[]>(drafts => drafts.index('name').getAll(name)))
}

/** Returns the drafts of all pages whose names begin with the given text, the latest first. */
export async function draftsWith(prefix: string): Promise<Draft[]> {
  const range = IDBKeyRange.bound(prefix, `${prefix}\uFFFF`)
  return latestFirst(await read<Draft[]>(drafts => drafts.index('name').getAll(range)))
}

function latestFirst(drafts: Draft[]): Draft[] {
  return drafts.sort((one, other) => other.time - one.time)
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
