/**
 * Detects forms open in other tabs of this browser, whose drafts are in use and not offered. Each form holds a lock named for its
 * draft, which the browser releases with the page. The browser knows all locks, so no tab has to respond in time.
 * Source: https://www.w3.org/TR/web-locks/
 */

const prefix = 'wiki-draft '

/**
 * Milliseconds to wait for responses of other tabs, where the browser has no locks: without https, except at this machine. A tab
 * that does not respond in time counts as closed, and its draft is offered.
 */
const patience = 200

type Message = { readonly ask: string } | { readonly open: string }

/** Reports to other tabs that a form with this draft is open. */
export function announceForm(id: string): void {
  // A form with the same draft in a second tab waits for the lock; the draft counts as open in both.
  if (hasLocks()) void navigator.locks.request(prefix + id, () => new Promise(() => {})).catch(() => {})
  const channel = new BroadcastChannel('wiki-drafts')
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('ask' in data && data.ask === id) channel.postMessage({ open: id })
  }
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
  for (const id of ids) channel.postMessage({ ask: id })
  await new Promise(resolve => setTimeout(resolve, patience))
  channel.close()
  return open
}
