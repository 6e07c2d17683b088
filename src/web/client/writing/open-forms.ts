/** Detects forms open in other tabs of this browser, whose drafts are in use and not offered. */

/**
 * Milliseconds to wait for responses of other tabs. A tab that the browser has frozen does not respond, and its draft
 * is offered.
 */
const patience = 200

type Message = { readonly ask: string } | { readonly open: string; readonly name: string }

/** Responds to other tabs for this form. `nameNow` returns the name of its draft. */
export function announceForm(nameNow: () => string, id: string): void {
  const channel = new BroadcastChannel('wiki-drafts')
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    const name = nameNow()
    if ('ask' in data && data.ask === name) channel.postMessage({ open: id, name })
  }
}

/** Returns the ids of the drafts of these names that are open in other tabs. */
export async function openElsewhere(names: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  if (names.size === 0) return new Set()
  const channel = new BroadcastChannel('wiki-drafts')
  const found = new Set<string>()
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if ('open' in data && names.has(data.name)) found.add(data.open)
  }
  for (const name of names) channel.postMessage({ ask: name })
  await new Promise(resolve => setTimeout(resolve, patience))
  channel.close()
  return found
}
