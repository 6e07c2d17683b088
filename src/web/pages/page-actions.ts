/** Actions on pages and files: move, delete, restore, upload, create. Each has a form and a result. */

import { isWikiError, WikiError } from '../../core/errors.ts'
import type { Scope } from '../../core/scopes.ts'
import { addFile } from '../../operations/add-file.ts'
import { deletePages } from '../../operations/delete-page.ts'
import { type MovedPage, type MovePageRequest, movePage } from '../../operations/move-page.ts'
import { incomingLinks } from '../../operations/page-links.ts'
import { findPage, parseWrittenTitle } from '../../operations/resources/find-page.ts'
import { restorePage } from '../../operations/restore-page.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { attributes, html, type Markup } from '../markup.ts'
import { type ActionForm, actionForm } from '../parts/action-form.ts'
import { withDone } from '../parts/done-notice.ts'
import { actionScript } from '../parts/draft-form-data.ts'
import { checkField } from '../parts/fields.ts'
import { notice } from '../parts/notice.ts'
import { sizeText } from '../parts/sizes.ts'
import { sourceBox } from '../parts/source-box.ts'
import { redirectReply, type View, type WebHandler, type WebReply, type WebRequest } from '../request.ts'
import { canWrite, whyNot } from '../rights.ts'
import type { WordKey } from '../words/words.ts'
import {
  type Form,
  formFault,
  largestUpload,
  readShortForm,
  readUploadForm,
  type Sender,
  savedReply,
  senderOf,
} from '../writing.ts'

/** Result of an action. */
interface ActionResult {
  readonly address: string
  readonly replyFields?: Readonly<Record<string, string>>
}

/** A kind of action: its page, and the effect of its form. */
interface ActionKind {
  readonly heading: WordKey
  /** Required scope. */
  readonly needs: Scope
  /** The form's own fields. `form` is the submitted form, null on the first request. */
  readonly form: (
    request: WebRequest,
    form: Form | null,
  ) => Omit<ActionForm, 'above' | 'key' | 'sent'> & { readonly title?: string }
  /** Performs the action. Returns the URL of the next page, and data for a script. */
  readonly act: (request: WebRequest, form: Form, sender: Sender) => Promise<ActionResult>
  /** Shows the effect of the action without writing, for the form's second button. */
  readonly preview?: (request: WebRequest, form: Form, sender: Sender) => Promise<Markup>
  /** Always shown above the form. */
  readonly about?: (request: WebRequest) => Promise<Markup | null>
  readonly read?: (request: WebRequest) => Promise<Form>
}

/** Creates the two handlers of an action. An error is shown above the form, which keeps its input. */
export function handlersOf(kind: ActionKind): {
  readonly get: WebHandler
  readonly post: WebHandler
  readonly personal: true
} {
  return {
    get: async request => ({ view: await viewOf(request, kind, null) }),
    post: async request => {
      const form = await (kind.read ?? readShortForm)(request)
      try {
        const sender = await senderOf(request, form, kind.needs)
        if (kind.preview !== undefined && form.text('do') === 'preview') {
          const preview = await kind.preview(request, form, sender)
          return { view: await viewOf(request, kind, form, preview) }
        }
        const { address, replyFields } = await kind.act(request, form, sender)
        return savedReply(request, address, await sender.begin(), replyFields)
      } catch (thrown) {
        const fault = formFault(request, thrown)
        const view = await viewOf(request, kind, form, notice(fault.sentence, 'error'))
        return { view: { ...view, status: fault.status, headers: fault.headers } } satisfies WebReply
      }
    },
    personal: true,
  }
}

async function viewOf(
  request: WebRequest,
  kind: ActionKind,
  form: Form | null,
  message: Markup | null = null,
): Promise<View> {
  const { words, options } = request
  const { title = '', ...fields } = kind.form(request, form)
  const key = title.replaceAll(' ', '_')
  const above = html`${message}${await kind.about?.(request)}`
  // A form that was sent stays one, so that it can be sent again after signing in.
  const isOffered = options.readOnly !== true && (title === '' || form !== null || canWrite(request, key))
  const body = isOffered
    ? actionForm(request, { ...fields, key, above, hasPreview: kind.preview !== undefined, sent: form })
    : notice(whyNot(request, key))
  return {
    title: words.text(kind.heading, title),
    heading: words.say(kind.heading, html`<bdi>${title}</bdi>`),
    ...(title !== '' && { key, tab: 'other' as const }),
    unlisted: true,
    personal: true,
    isWritten: true,
    scripts: [actionScript],
    body,
  }
}

/** Returns the page that an action is about. Errors: rest-invalid-title, rest-nonexistent-title. */
function pageOf({ wiki, title }: WebRequest): { readonly key: string; readonly title: string } {
  return findPage(wiki.store, { title })
}

/** Author and reason of a form. */
export const sentBy = ({ writer }: Sender, form: Form) => ({ author: writer.author, comment: form.text('reason') })

/** Moves a page to another title. */
export const moveAction = handlersOf({
  heading: 'moveTitle',
  needs: 'edit',
  form: (request, form) => {
    const { key, title } = pageOf(request)
    const { words } = request
    return {
      title,
      action: specialAddress(`MovePage/${key}`),
      back: pageAddress(key),
      button: 'move',
      fields: html`<label>${words.say('newTitle')} <input name="to" value="${form?.text('to') ?? title}" required maxlength="300" dir="auto"></label>
${checkField('redirect', form === null || form.isChecked('redirect'), words.say('leaveRedirect'))}
${checkField('updateLinks', form === null || form.isChecked('updateLinks'), words.say('updateLinks'))}`,
    }
  },
  preview: async (request, form, sender) => {
    const moved = await movePage(request.wiki, { ...moveOf(request, form, sender), dryRun: true })
    return movePreview(request, moved)
  },
  act: async (request, form, sender) => {
    const moved = await movePage(request.wiki, moveOf(request, form, sender))
    return { address: withDone(pageAddress(moved.to.key), 'moved') }
  },
})

function moveOf(request: WebRequest, form: Form, sender: Sender): MovePageRequest {
  return {
    from: pageOf(request).title,
    to: form.text('to'),
    redirect: form.isChecked('redirect'),
    updateLinks: form.isChecked('updateLinks'),
    ...sentBy(sender, form),
  }
}

/** Maximum size of a displayed patch, in UTF-16 units. */
const maxPatch = 200_000

/** Shows the effect of a move: the file, the pages whose links change, the links that cannot change, and the patch. */
function movePreview({ words }: WebRequest, { to, redirect, replaced, links, patch }: MovedPage): Markup {
  const page = (key: string, title: string) => html`<a href="${pageAddress(key)}"><bdi>${title}</bdi></a>`
  const changed = links?.pages ?? []
  const unchanged = links?.unchanged ?? []
  return html`<section class="preview" aria-label="${words.say('preview')}">${notice(words.say('previewHint'))}
<ul><li>${words.say('moveTo', html`<bdi>${to.title}</bdi>`, html`<code>${to.path}</code>`)}</li>
${redirect ? html`<li>${words.say('moveStays')}</li>` : null}${replaced ? html`<li>${words.say('moveReplaces')}</li>` : null}
${links === undefined ? null : html`<li>${words.say('moveLinks', changed.length)}</li>`}</ul>
${changed.length === 0 ? null : html`<ul>${changed.map(({ key, title, links: count }) => html`<li>${page(key, title)} (${words.number(count)})</li>`)}</ul>`}
${unchanged.length === 0 ? null : html`<p>${words.say('moveUnchanged')}</p><ul>${unchanged.map(({ title, link }) => html`<li>${page(title, title)}: <code>${link}</code></li>`)}</ul>`}
${patch === undefined || patch === '' ? null : html`<details><summary>${words.say('showChanges')}</summary><pre>${patch.slice(0, maxPatch)}</pre></details>`}</section>`
}

/** Deletes a page. */
export const deleteAction = handlersOf({
  heading: 'deleteTitle',
  needs: 'delete',
  form: request => {
    const { key, title } = pageOf(request)
    return {
      title,
      action: specialAddress(`DeletePage/${key}`),
      back: pageAddress(key),
      button: 'delete',
      fields: html`${shownFields(request, key)}<p>${request.words.say('deleteHint')}</p>`,
    }
  },
  about: async request => {
    const { key, title } = pageOf(request)
    const { total } = await incomingLinks(request.wiki, { title, limit: 1 })
    const list = html`<a href="${specialAddress(`WhatLinksHere/${key}`)}">${request.words.say('whatLinksHere')}</a>`
    return total === 0 ? null : notice(html`${request.words.say('deleteLinks', total)} ${list}`, 'warning')
  },
  act: async (request, form, sender) => {
    const { key, title } = pageOf(request)
    const expected = { expected: shownIn(form, 'shown'), expectedFile: shownIn(form, 'shown-file') }
    try {
      await deletePages(request.wiki, { titles: [title], ...expected, ...sentBy(sender, form) })
    } catch (error) {
      if (!isWikiError(error, 'rest-precondition-failed')) throw error
      throw new WikiError('wiki-changed-meanwhile', { params: [title] })
    }
    return { address: withDone(pageAddress(key), 'deleted') }
  },
})

/** Value of the field for a page, or for a media file, that the title does not have. */
const nothing = 'none'

/** Names what the form deletes, so that it deletes nothing newer: the commit of the page's latest revision, and the blob of the file. */
function shownFields({ wiki: { store } }: WebRequest, key: string): Markup {
  const page = store.findPage(key)
  const commit = page && store.revision(page.latest)?.commit
  return html`<input type="hidden" name="shown" value="${commit ?? nothing}"><input type="hidden" name="shown-file" value="${store.findFile(key)?.blob ?? nothing}">`
}

/** Returns what such a field names: null for nothing, undefined if the form has no such field. */
function shownIn(form: Form, name: string): string | null | undefined {
  const shown = form.text(name)
  return shown === nothing ? null : shown || undefined
}

/** Restores a deleted page. */
export const restoreAction = handlersOf({
  heading: 'restoreTitle',
  needs: 'delete',
  form: (request, form) => {
    const { store } = request.wiki
    const page = findPage(store, { title: request.title, deleted: true })
    // A form that is shown again after its page was restored reports that itself.
    if (form === null && store.findPage(page.key) !== undefined) throw taken(page.title)
    return {
      title: page.title,
      action: specialAddress(`RestorePage/${page.key}`),
      back: pageAddress(page.key, { action: 'history' }),
      button: 'restorePage',
    }
  },
  act: async (request, form, sender) => {
    const { key } = await restorePage(request.wiki, {
      title: request.title.replaceAll('_', ' '),
      ...sentBy(sender, form),
    })
    return { address: withDone(pageAddress(key), 'restored') }
  },
})

/** Adds a media file, or a new version of one, and its description. */
export const uploadAction = handlersOf({
  heading: 'uploadTitle',
  needs: 'upload',
  read: readUploadForm,
  form: (request, form) => {
    const { words, query } = request
    const name = form?.text('name') ?? query('wpDestFile') ?? request.title.replaceAll('_', ' ')
    return {
      action: specialAddress('Upload'),
      back: specialAddress('ListFiles'),
      button: 'upload',
      fields: html`<label>${words.say('fileToUpload')} <input type="file" name="file" required aria-describedby="file-limit"></label>
<p class="meta" id="file-limit">${fileLimit(request)}</p>
<label>${words.say('fileName')} <input name="name" value="${name}" maxlength="240" dir="auto"></label>
${checkField('replace', form?.isChecked('replace') ?? false, words.say('replaceFile'))}
<label>${words.say('fileDescription')} ${sourceBox(form?.source('description') ?? '', { name: 'description', rows: 4 })}</label>`,
    }
  },
  act: uploadFile,
})

/** Says how large a file may be, and how larger ones are added. */
function fileLimit(request: WebRequest): Markup {
  const { wiki, words } = request
  const largest = largestUpload(request)
  const { file } = wiki.store.config.limits
  const beyond = words.say('fileLimitBeyond', sizeText(file, words), html`<code>wiki file add</code>`)
  return html`${words.say('fileLimit', sizeText(largest, words))}${file > largest ? html` ${beyond}` : null}`
}

async function uploadFile(request: WebRequest, form: Form, sender: Sender): Promise<ActionResult> {
  const { wiki, words } = request
  const file = form.file('file')
  const content = file?.content ?? new Uint8Array()
  if (content.byteLength > largestUpload(request))
    throw new WikiError('rest-resource-limit-exceeded', {
      params: [words.text('fileToUpload'), `${largestUpload(request)} bytes`],
    })
  const name = form.text('name').trim() || (file?.filename.split(/[\\/]/).at(-1) ?? '')
  const prefix = wiki.store.titles.namespaces.get(6)?.name ?? 'File'
  const title = parseWrittenTitle(name.includes(':') ? name : `${prefix}:${name}`, wiki.store.titles)
  const choices = { replace: form.isChecked('replace'), description: form.source('description') }
  const added = await addFile(wiki, { name: title.text, content, ...choices, ...sentBy(sender, form) })
  return {
    address: withDone(pageAddress(title.key), 'uploaded'),
    replyFields: { title: title.text, path: added.file.path },
  }
}

function taken(title: string): WikiError {
  return new WikiError('apierror-articleexists', { params: [title] })
}

/** Redirects to the edit form of the requested title. */
export async function newPage({ words, query, options }: WebRequest): Promise<WebReply> {
  const title = (query('title') ?? '').trim()
  if (title !== '') return redirectReply(302, pageAddress(title, { action: 'edit' }))
  if (options.readOnly === true)
    return { view: { title: words.text('newPage'), unlisted: true, body: notice(words.say('readOnlyServer')) } }
  const body: Markup = html`<form class="action" action="${specialAddress('NewPage')}">
<label>${words.say('titleOfPage')} <input name="title" required maxlength="300" dir="auto"${attributes({ autofocus: true })}></label>
<p class="actions"><button type="submit" class="primary">${words.say('goOn')}</button></p></form>`
  return { view: { title: words.text('newPage'), unlisted: true, body } }
}
