/** Drafts in the browser's database: each is on the disk before the write counts as done, so that a killed browser loses none. */

export interface Draft {
  /** Random; one for each time that a form is opened. */
  readonly id: string
  /** Wiki, page and section. */
  readonly name: string
  readonly text: string
  readonly summary: string
  readonly minor: boolean
  /** Id of the revision that the text was made from; 0 for a page that was not there. */
  readonly base: number
  /** Milliseconds since 1970. */
  readonly time: number
}

const table = 'drafts'

let opened: Promise<IDBDatabase> | undefined

/** Opens the database at the first call. Errors: those of the browser, which may allow no database. */
function database(): Promise<IDBDatabase> {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('wiki', 1)
    request.onupgradeneeded = () =>
      request.result.createObjectStore(table, { keyPath: 'id' }).createIndex('name', 'name')
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return opened
}

/** Keeps a draft in place of the one that has its id. */
export async function keepDraft(draft: Draft): Promise<void> {
  await change(drafts => drafts.put(draft))
}

export async function removeDraft(id: string): Promise<void> {
  await change(drafts => drafts.delete(id))
}

/** Returns the drafts of a text, the latest first. */
export async function draftsOf(name: string): Promise<Draft[]> {
  const store = (await database()).transaction(table).objectStore(table)
  const request: IDBRequest<Draft[]> = store.index('name').getAll(name)
  const found = await new Promise<Draft[]>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  return found.sort((one, other) => other.time - one.time)
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
