/** Access tokens: an admin creates and revokes them, and ends sessions. */

import { scopeNames, usualScopes } from '../../../core/scopes.ts'
import { localOwner } from '../../../http/sign-in-code.ts'
import { createToken, listTokens, type NewToken, revokeToken, type Token } from '../../../operations/tokens.ts'
import { specialAddress } from '../../addresses.ts'
import { html, type Markup } from '../../markup.ts'
import { type Done, withDone } from '../../parts/done-notice.ts'
import { checkField } from '../../parts/fields.ts'
import { notice } from '../../parts/notice.ts'
import type { View, WebReply, WebRequest } from '../../request.ts'
import { adminOf, type Form, formFault, ownerFields, ownershipOf, proofForms, readShortForm } from '../../writing.ts'
import { rowFields, sessionsPart } from './sessions.ts'

/** Lists the tokens for an admin. */
export async function tokensPage(request: WebRequest): Promise<WebReply> {
  return { view: await tokensView(request, { message: null, form: null }) }
}

/** The form that was sent, null on the first request, and what is said about it. */
interface Sent {
  readonly message: Markup | null
  readonly form: Form | null
}

async function tokensView(request: WebRequest, { message, form }: Sent): Promise<View> {
  const { words, wiki } = request
  const about = { title: words.text('tokensTitle'), unlisted: true, personal: true }
  const ownership = ownershipOf(request, form)
  if (ownership !== 'proved') {
    const way =
      ownership === 'unproved'
        ? proofForms(request, 'Tokens')
        : notice(words.say('adminOnly', html`<code>wiki token</code>`))
    return { ...about, body: html`${message}${way}${isCreating(form) ? newTokenForm(request, form) : null}` }
  }
  const { tokens } = await listTokens(wiki)
  return {
    ...about,
    body: html`${message}${tokenTable(request, tokens, form)}${newTokenForm(request, form)}${sessionsPart(request, form)}`,
  }
}

function isCreating(form: Form | null): boolean {
  return form?.text('do') === 'create'
}

function tokenTable(request: WebRequest, tokens: readonly Token[], form: Form | null): Markup {
  const { words } = request
  if (tokens.length === 0) return html`<p>${words.say('noTokens')}</p>`
  const rows = tokens.map(
    ({
      id,
      name,
      bot,
      created,
      expires,
    }) => html`<tr><td><bdi>${name}</bdi>${bot ? html` (${words.say('botEdits')})` : null}</td><td>${words.time(created)}</td><td>${expires === null ? '–' : words.time(expires)}</td>
<td><form method="post" action="${specialAddress('Tokens')}">${rowFields(request, form)}<input type="hidden" name="id" value="${id}"><button type="submit" name="do" value="revoke" aria-label="${words.text('revokeToken', name)}">${words.say('revoke')}</button></form></td></tr>`,
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${words.say('tokensTitle')}"><table class="tokens"><thead><tr><th scope="col">${words.say('tokenAuthor')}</th><th scope="col">${words.say('tokenCreated')}</th><th scope="col">${words.say('tokenExpires')}</th><th scope="col"><span class="hidden">${words.say('revoke')}</span></th></tr></thead><tbody>${rows}</tbody></table></div>`
}

/** The words of a form that was refused stay. */
function newTokenForm(request: WebRequest, sent: Form | null): Markup {
  const { words } = request
  const form = isCreating(sent) ? sent : null
  return html`<h2>${words.say('newToken')}</h2><form class="action" method="post" action="${specialAddress('Tokens')}">
<label>${words.say('tokenAuthor')} <input name="name" value="${form?.text('name')}" required maxlength="255" dir="auto"></label>
<label>${words.say('email')} <input name="email" type="email" value="${form?.text('email')}" maxlength="320"></label>
<label>${words.say('tokenDays')} <input name="days" type="number" min="1" max="36500" value="${form?.text('days') ?? '90'}"></label>
<fieldset class="choices"><legend>${words.say('tokenScopes')}</legend>${scopeNames.map(name => checkField(`scope-${name}`, form?.isChecked(`scope-${name}`) ?? usualScopes.includes(name), name))}</fieldset>
${checkField('bot', form?.isChecked('bot') ?? false, words.say('botEdits'))}${ownerFields(request, sent)}
<p class="actions"><button type="submit" name="do" value="create" class="primary">${words.say('newToken')}</button></p></form>`
}

/** Creates or revokes a token, or ends sessions. A new token is shown once, in the response. */
export async function changeTokens(request: WebRequest): Promise<WebReply> {
  const form = await readShortForm(request)
  try {
    const { leadTo } = await adminOf(request, form)
    const action = form.text('do')
    if (action === 'create') {
      const message = newTokenNotice(request, await made(request, form))
      return { view: await tokensView(request, { message, form: keepingProof(form) }) }
    }
    const done = await doneBy(request, action, form)
    const address = specialAddress('Tokens')
    return leadTo(done === null ? address : withDone(address, done))
  } catch (thrown) {
    const { sentence, ...fault } = formFault(request, thrown)
    return { view: { ...(await tokensView(request, { message: notice(sentence, 'error'), form })), ...fault } }
  }
}

/** The form after its action: its proof stays, and its words do not. */
function keepingProof(form: Form): Form {
  return { ...form, text: name => (name === 'proof' ? form.text(name) : ''), isChecked: () => false }
}

async function doneBy({ wiki, access }: WebRequest, action: string, form: Form): Promise<Done | null> {
  if (action === 'revoke') {
    await revokeToken(wiki, form.text('id'))
    return 'revoked'
  }
  if (action === 'end-session') {
    await access.sessions.endListed(form.text('id'))
    return 'session-ended'
  }
  if (action !== 'end-sessions') return null
  await access.sessions.endAll(localOwner)
  return 'sessions-ended'
}

function made({ wiki }: WebRequest, form: Form): Promise<NewToken> {
  const days = form.text('days').trim()
  return createToken(wiki, {
    name: form.text('name'),
    address: form.text('email').trim(),
    bot: form.isChecked('bot'),
    scopes: scopeNames.filter(name => form.isChecked(`scope-${name}`)),
    expires: days === '' ? undefined : `${days}d`,
  })
}

function newTokenNotice({ words }: WebRequest, { name, token }: NewToken): Markup {
  return notice(html`<p>${words.say('tokenMade', html`<bdi>${name}</bdi>`)}</p><p><code>${token}</code></p>`)
}
