/** The sessions of browsers: an admin sees each, and ends one, or all of those that this machine's link began. */

import { findSession } from '../../../http/access.ts'
import { localOwner } from '../../../http/sign-in-code.ts'
import { type ListedSession, sessionHash } from '../../../operations/sessions.ts'
import { specialAddress } from '../../addresses.ts'
import { html, type Markup } from '../../markup.ts'
import type { WebRequest } from '../../request.ts'
import { type Form, ownerFields, proofIn } from '../../writing.ts'

/** Sessions that are listed. */
const maxSessions = 200

/** Writes the list, and the form that ends those of the link, if there are any. */
export function sessionsPart(request: WebRequest, form: Form | null): Markup {
  const { words, access } = request
  const sessions = access.sessions.list()
  const rows = sessions
    .map(session => sessionRow(request, session, form))
    .filter(row => row !== null)
    .slice(0, maxSessions)
  const hasLocal = access.signIn !== null && sessions.some(({ tokenId }) => tokenId === localOwner)
  return html`<h2>${words.say('sessionsTitle')}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${words.say('sessionsTitle')}"><table class="tokens"><thead><tr><th scope="col">${words.say('tokenAuthor')}</th><th scope="col">${words.say('sessionBrowser')}</th><th scope="col">${words.say('sessionBegun')}</th><th scope="col">${words.say('sessionEnds')}</th><th scope="col"><span class="hidden">${words.say('endSession')}</span></th></tr></thead><tbody>${rows}</tbody></table></div>
${hasLocal ? endLocalSessions(request, form) : null}`
}

function endLocalSessions(request: WebRequest, form: Form | null): Markup {
  const { words, access, event } = request
  const isOwn = findSession(access, event.req.headers)?.user.id === localOwner
  return html`<h3>${words.say('sessionsHere')}</h3><form class="action" method="post" action="${specialAddress('Tokens')}">${ownerFields(request, form)}
<p class="actions"><button type="submit" name="do" value="end-sessions">${words.say(isOwn ? 'endSessions' : 'endLocalSessions')}</button></p></form>`
}

/** Null for a session whose token was revoked, or that an earlier start of the server began: it lets nobody in. */
function sessionRow(request: WebRequest, session: ListedSession, form: Form | null): Markup | null {
  const { words, access, event } = request
  const { hash, tokenId, begun, end, agent } = session
  const owner = tokenId === localOwner ? access.signIn?.owner : access.tokens.withId(tokenId)
  if (owner === undefined || owner === null) return null
  const own = findSession(access, event.req.headers)
  const isOwn = own !== null && sessionHash(own.id) === hash
  const time = (moment: number): Markup => words.time(new Date(moment).toISOString())
  return html`<tr><td><bdi>${owner.name}</bdi>${isOwn ? html` (${words.say('thisSession')})` : null}</td><td><bdi>${browserName(agent)}</bdi></td><td>${time(begun)}</td><td>${time(end)}</td>
<td><form method="post" action="${specialAddress('Tokens')}">${rowFields(request, form)}<input type="hidden" name="id" value="${hash}"><button type="submit" name="do" value="end-session" aria-label="${words.text('endSessionOf', owner.name)}">${words.say('endSession')}</button></form></td></tr>`
}

/** Names by which browsers and systems call themselves; the first that fits is meant, since each names older ones as well. */
const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari', 'curl']
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'CrOS', 'Linux']
const fullNames: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', CrOS: 'ChromeOS', 'Mac OS': 'macOS' }

/** `Firefox, Linux` of a browser's long name for itself; its beginning where neither is known. */
function browserName(agent: string): string {
  const parts = [browsers, systems].flatMap(names => names.find(name => agent.includes(name)) ?? [])
  return parts.length === 0 ? agent.slice(0, 40) || '–' : parts.map(name => fullNames[name] ?? name).join(', ')
}

/** A form in a table row contains only the CSRF token of its sender, and the proof. */
export function rowFields(request: WebRequest, form: Form | null): Markup {
  const session = findSession(request.access, request.event.req.headers)
  return html`<input type="hidden" name="token" value="${session?.csrfToken}"><input type="hidden" name="proof" value="${proofIn(request, form)}">`
}
