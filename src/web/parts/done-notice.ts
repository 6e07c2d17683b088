/** A notice that an action succeeded. The result page is the same for every reader, so a parameter of its URL requests the notice. */

import { withQuery } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'
import { notice } from './notice.ts'

/** Parameter of the URL. A script removes it, so that a bookmark does not repeat the notice. */
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

/** An action reported on a page. */
export type Done = keyof typeof sentences

/** Adds the parameter for an action to a URL. */
export function withDone(address: string, done: Done): string {
  return withQuery(address, { [parameter]: done })
}

/** Writes the notice that the URL requests; null if it requests none, or if the page's status contradicts it. */
export function doneNotice({ words, query }: WebRequest, status: number): Markup | null {
  const done = query(parameter)
  if (done === undefined || !isDone(done) || status !== (done === 'deleted' ? 404 : 200)) return null
  return html`<div role="status">${notice(words.say(sentences[done]))}</div>`
}

function isDone(text: string): text is Done {
  return Object.hasOwn(sentences, text)
}
