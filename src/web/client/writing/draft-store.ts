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
 * Puts a draft where the next page finds it, at once: a page that goes away has no time to wait for the database, and some browsers
 * have none. Returns false where the browser does not allow it.
 */
export function stashDraft(draft: Draft): boolean {
  try {
    localStorage.setItem(waiting + draft.id, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

/** Takes drafts that wait into the database. Errors: those of the browser; the drafts wait on then. */
export async function takeStashed(): Promise<void> {
  for (const draft of stashedDrafts()) {
    const known = await read<Draft | undefined>(drafts => drafts.get(draft.id))
    if (known === undefined || known.time < draft.time) await keepDraft(draft)
    forgetStashed(draft.id)
  }
}

/** Drafts that wait. What is none is left where it is, and stops no other. */
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

export async function removeDraft(id: string): Promise<void> {
  forgetStashed(id)
  await change(drafts => drafts.delete(id))
}

/** Returns the draft with this id; undefined if there is none. */
export async function draftOf(id: string): Promise<Draft | undefined> {
  const belongs = (draft: Draft) => draft.id === id
  return (await withStashed(belongs, drafts => drafts.getAll(id)))[0]
}

/** Returns the drafts of a text, the latest first. */
export async function draftsOf(name: string): Promise<Draft[]> {
  return withStashed(
    draft => draft.name === name,
    drafts => drafts.index('name').getAll(name),
  )
}

/** Returns the drafts of all pages whose names begin with the given text, the latest first. */
export async function draftsWith(prefix: string): Promise<Draft[]> {
  return withStashed(
    draft => draft.name.startsWith(prefix),
    drafts => drafts.index('name').getAll(IDBKeyRange.bound(prefix, `${prefix}\uFFFF`)),
  )
}

/** Drafts of both stores, the latest first, and of each draft its latest text. Errors: those of the database where no draft waits. */
async function withStashed(
  belongs: (draft: Draft) => boolean,
  ask: (drafts: IDBObjectStore) => IDBRequest<Draft[]>,
): Promise<Draft[]> {
  const stashed = stashedDrafts().filter(belongs)
  const kept = await read<Draft[]>(ask).catch(error => {
    if (stashed.length === 0) throw error
    return []
  })
  const all = [...stashed, ...kept].sort((one, other) => other.time - one.time)
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
