/**
 * Detects forms open in other tabs of this browser, whose drafts are in use and not offered. Each form holds a lock named for its
 * draft, which the browser releases with the page. The browser knows all locks, so no tab has to respond in time.
 * Source: https://www.w3.org/TR/web-locks/
 */

import { newDraftId } from './draft-store.ts'

const prefix = 'wiki-draft '

/**
 * Milliseconds to wait for responses of other tabs, where the browser has no locks: without https, except at this machine. A tab
 * that does not respond in time counts as closed, and its draft is offered.
 */
const patience = 200

/** Milliseconds to wait for the lock of a draft: the page that this tab has just left may still have it. */
const claimPatience = 1000

type Message = { readonly ask: string; readonly by: string } | { readonly open: string }

/** Distinguishes this page's questions from those of others. */
const me = newDraftId()

/** The draft of an open form. */
export interface OwnDraft {
  /** Its id. Until `ready` it may be another one later. */
  readonly id: string
  /** Resolves when it is known that no other tab has the draft. */
  readonly ready: Promise<void>
}

/**
 * Gives a form a draft of its own, and reports that to other tabs. The form's field may name one: the server repeats it, and the
 * browser restores it. A duplicated tab has the field, too, and gets another draft: otherwise each tab would overwrite what was written
 * in the other one.
 */
export function ownDraft(field: HTMLInputElement | null): OwnDraft {
  const named = field?.value ?? ''
  let id = newDraftId()
  const settle = async (): Promise<void> => {
    if (named !== '' && (await isClaimed(named))) id = named
    else holdLock(id)
    if (field !== null) field.value = id
  }
  answerFor(() => [id, named])
  const ready = settle().catch(() => {})
  void ready.then(() => answerFor(() => [id]))
  return {
    get id() {
      return id
    },
    ready,
  }
}

/** Takes a draft for this page, unless another page has it. */
async function isClaimed(id: string): Promise<boolean> {
  if (!hasLocks()) return !(await openByResponse([id])).has(id)
  const given = new AbortController()
  const timer = setTimeout(() => given.abort(), claimPatience)
  return new Promise(resolve => {
    const hold = (): Promise<void> => {
      clearTimeout(timer)
      resolve(true)
      return new Promise(() => {})
    }
    navigator.locks.request(prefix + id, { signal: given.signal }, hold).catch(() => resolve(false))
  })
}

/** The browser releases the lock with the page. */
function holdLock(id: string): void {
  if (hasLocks()) void navigator.locks.request(prefix + id, () => new Promise(() => {})).catch(() => {})
}

let answering: BroadcastChannel | undefined

/** Answers other tabs that ask for these drafts. */
function answerFor(ids: () => readonly string[]): void {
  answering?.close()
  const channel = new BroadcastChannel('wiki-drafts')
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('ask' in data && data.by !== me && ids().includes(data.ask)) channel.postMessage({ open: data.ask })
  }
  answering = channel
}

/** Returns those of the drafts that are open in other tabs, by their ids. */
export async function openElsewhere(ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const open = hasLocks() ? await lockedDrafts().catch(() => openByResponse(ids)) : await openByResponse(ids)
  return new Set(ids.filter(id => open.has(id)))
}

/** Resolves when the tab that has a draft open is closed; never where the browser has no locks. */
export async function closedElsewhere(id: string): Promise<void> {
  await (hasLocks() ? navigator.locks.request(prefix + id, () => {}) : new Promise(() => {}))
}

function hasLocks(): boolean {
  return 'locks' in navigator
}

async function lockedDrafts(): Promise<ReadonlySet<string>> {
  const { held = [] } = await navigator.locks.query()
  return new Set(held.flatMap(({ name = '' }) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : [])))
}

async function openByResponse(ids: readonly string[]): Promise<ReadonlySet<string>> {
  const channel = new BroadcastChannel('wiki-drafts')
  const open = new Set<string>()
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('open' in data) open.add(data.open)
  }
  for (const id of ids) channel.postMessage({ ask: id, by: me })
  await new Promise(resolve => setTimeout(resolve, patience))
  channel.close()
  return open
}
