/** Says that a form did its work: the page that it leads to is the same for everybody, so the address tells. */

import { html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'
import { notice } from './notice.ts'

/** Parameter of the address; a script takes it away again, so that the page can be kept as a bookmark. */
const parameter = 'done'

const sentences = {
  moved: 'doneMoved',
  deleted: 'doneDeleted',
  restored: 'doneRestored',
  uploaded: 'doneUploaded',
  reverted: 'doneReverted',
  settings: 'doneSettings',
  revoked: 'doneRevoked',
  'session-ended': 'doneSession',
  'sessions-ended': 'doneSessions',
  'signed-in': 'doneSignedIn',
  'signed-out': 'doneSignedOut',
} as const satisfies Readonly<Record<string, WordKey>>

/** A deed that a page speaks of. */
export type Done = keyof typeof sentences

/** Returns an address that says what was done. */
export function withDone(address: string, done: Done): string {
  return `${address}${address.includes('?') ? '&' : '?'}${parameter}=${done}`
}

/** Writes what the address says was done; null where it says nothing, or where the page shows that it is not so. */
export function doneNotice({ words, query }: WebRequest, status: number): Markup | null {
  const done = query(parameter)
  if (done === undefined || !isDone(done) || status !== (done === 'deleted' ? 404 : 200)) return null
  return html`<div role="status">${notice(words.say(sentences[done]))}</div>`
}

function isDone(text: string): text is Done {
  return Object.hasOwn(sentences, text)
}
