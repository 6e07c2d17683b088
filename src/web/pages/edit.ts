/** Editing: the form, its preview and changes, and saving. After any error the form still contains the text. */

import type { Comparison } from '../../core/comparison.ts'
import type { ContentModel } from '../../core/content-models.ts'
import { isWikiError, WikiError } from '../../core/errors.ts'
import type { Title } from '../../core/title.ts'
import { checkOrigin } from '../../http/access.ts'
import { errorMessageIn } from '../../http/messages/messages.ts'
import type { PlainResponse } from '../../http/response.ts'
import { areReadable } from '../../operations/access/hidden.ts'
import { compareRevisionsAsJson } from '../../operations/compare-revisions.ts'
import { transformToWikitext } from '../../operations/convert-html.ts'
import { htmlToMarkdown } from '../../operations/convert-markdown.ts'
import { defaultModel } from '../../operations/editing/edit.ts'
import { latestSection } from '../../operations/latest-section.ts'
import { readRevision } from '../../operations/read-revision.ts'
import { writtenTitle } from '../../operations/resources/find-page.ts'
import { optionalInteger } from '../../operations/resources/params.ts'
import { fileOfSource } from '../../operations/resources/source.ts'
import { showText } from '../../operations/show-page.ts'
import { undoneText } from '../../operations/undo-revisions.ts'
import { updatePage } from '../../operations/update-page.ts'
import { pageAddress } from '../addresses.ts'
import { commitOfBase, isBaseLost, madeFrom } from '../made-from.ts'
import { html, type Markup, trusted } from '../markup.ts'
import { contentBox } from '../parts/content-box.ts'
import { diffTable, maxTableBytes } from '../parts/diff-table.ts'
import { editForm, sourceView } from '../parts/edit-form.ts'
import type { EditState } from '../parts/edit-state.ts'
import { notice } from '../parts/notice.ts'
import { readerForm } from '../parts/reader-form.ts'
import { redirectReply, type View, type WebReply, type WebRequest } from '../request.ts'
import { canWrite, whyNot } from '../rights.ts'
import { sectionOf, sectionRanges, withSection } from '../sections.ts'
import { type Form, formFault, readSourceForm, savedReply, senderOf } from '../writing.ts'
import { conflictView, editorOf, resolvedText, settledText, writtenPlaces } from './conflict.ts'
import { missingPage } from './missing.ts'

/**
 * Shows the form with the text that the URL selects. Errors: as `writtenTitle`, and for revisions that cannot be read.
 */
export async function editPage(request: WebRequest): Promise<WebReply> {
  if (request.query('redlink') === '1' || isUnwritable(request)) return missingPage(request)
  const title = writtenTitle(request.wiki.store, request.title)
  if (title.key !== request.title.replaceAll(' ', '_') && request.wiki.store.findPage(title.key) !== undefined)
    return redirectReply(301, `${pageAddress(title.key)}${request.search}`)
  const start = await startOf(request, title)
  if (!canWrite(request, title.key)) {
    const why = notice(whyNot(request, title.key))
    return { view: editView(request, start.state, html`${why}${sourceView(request, start.state.text)}`) }
  }
  return { view: editView(request, start.state, html`${start.above}${editForm(request, start.state, true)}`) }
}

/** There is no source to show for a page that does not exist. */
function isUnwritable(request: WebRequest): boolean {
  const key = request.title.replaceAll(' ', '_')
  return request.wiki.store.findPage(key) === undefined && !canWrite(request, key)
}

interface Start {
  readonly state: EditState
  /** Shown above the form. */
  readonly above: Markup | null
}

async function startOf(request: WebRequest, title: Title): Promise<Start> {
  const { wiki, query, words } = request
  const page = wiki.store.findPage(title.key)
  const state: EditState = {
    key: title.key,
    title: title.text,
    base: page?.latest ?? 0,
    made: madeFrom(wiki, page?.latest ?? 0),
    section: null,
    text: '',
    summary: (query('summary') ?? '').slice(0, 500),
    minor: false,
    model: modelOf(request, title.key),
    draft: '',
  }
  if (page === undefined)
    return {
      state: { ...state, text: await preload(request) },
      above: html`<p class="subtitle">${words.say('newPageHint')}</p>`,
    }
  const undo = optionalInteger('undo', query('undo'))
  if (undo !== undefined) return startUndo(request, state, undo)
  const oldid = optionalInteger('oldid', query('oldid'))
  if (oldid !== undefined && !areReadable(wiki.store, [oldid])) return startHidden(request, state)
  const { source } = await readRevision(wiki, { id: oldid ?? page.latest })
  if (oldid !== undefined && oldid !== page.latest)
    return { state: { ...state, text: source }, above: notice(words.say('editingOld'), 'warning') }
  const number = optionalInteger('section', query('section'))
  if (number === undefined) return { state: { ...state, text: source }, above: null }
  const text = query('in')
  const sectionsOf = (id: number) => sectionRanges(request, id)
  const section = text === undefined ? number : await latestSection(wiki, { key: title.key, number, text, sectionsOf })
  if (section === null)
    return { state: { ...state, text: source }, above: notice(words.say('sectionChanged'), 'warning') }
  const part = await sectionIfAny(request, page.latest, section)
  if (part === null) return { state: { ...state, text: source }, above: null }
  if (part === 'missing')
    return { state: { ...state, text: source }, above: notice(words.say('sectionGone'), 'warning') }
  const summary = state.summary === '' && part.heading !== '' ? `/* ${part.heading} */ ` : state.summary
  return { state: { ...state, section, text: part.text, summary }, above: null }
}

/** A section that another edit has removed may have drafts, which the form of the whole page offers. */
async function sectionIfAny(request: WebRequest, revision: number, section: number) {
  try {
    return await sectionOf(request, revision, section)
  } catch (error) {
    if (isWikiError(error, 'apierror-nosuchsection')) return 'missing'
    throw error
  }
}

/** Text of another page that a new page starts with. */
async function preload({ wiki, query }: WebRequest): Promise<string> {
  const page = wiki.store.findPage((query('preload') ?? '').replaceAll(' ', '_'))
  return page === undefined ? '' : (await readRevision(wiki, { id: page.latest })).source
}

async function startUndo(request: WebRequest, state: EditState, revision: number): Promise<Start> {
  const { wiki, words } = request
  try {
    const { text, comment } = await undoneText(wiki, { revision, title: state.title })
    const undone = { ...state, text: text.replace(/\n$/, ''), summary: comment }
    return { state: undone, above: html`${notice(words.say('undoHint'))}${await changesOf(request, undone)}` }
  } catch (error) {
    if (isWikiError(error, 'rest-permission-denied-revision')) return startHidden(request, state)
    if (!isWikiError(error, 'undo-failure')) throw error
    const { source } = await readRevision(wiki, { id: state.base })
    return { state: { ...state, text: source }, above: notice(words.say('undoImpossible'), 'warning') }
  }
}

/** Starts with the latest text where the requested one is hidden, or is undone to a hidden one. */
async function startHidden({ wiki, words }: WebRequest, state: EditState): Promise<Start> {
  const { source } = await readRevision(wiki, { id: state.base })
  const history = html`<a href="${pageAddress(state.key, { action: 'history' })}">${words.say('history')}</a>`
  return { state: { ...state, text: source }, above: notice(words.say('neededHidden', history), 'warning') }
}

function editView(request: WebRequest, { key, title }: EditState, body: Markup): View {
  const { words, wiki } = request
  const change = wiki.store.findPage(key) === undefined ? 'creating' : 'editing'
  const word = canWrite(request, key) ? change : 'sourceOf'
  return {
    title: words.text(word, title),
    heading: words.say(word, html`<bdi>${title}</bdi>`),
    key,
    tab: 'edit',
    unlisted: true,
    personal: true,
    isWritten: true,
    isWide: true,
    scripts: ['edit.js'],
    body,
  }
}

/** Handles the submitted form: a preview, the changes, or saving. Errors: those of a form that cannot be read. */
export async function submitEdit(request: WebRequest): Promise<WebReply> {
  const form = await readSourceForm(request)
  const title = writtenTitle(request.wiki.store, request.title)
  const state = stateOf(request, form, title)
  try {
    await request.wiki.store.refresh()
    return await handleForm(request, form, state)
  } catch (thrown) {
    return formOfFault(request, form, state, thrown)
  }
}

async function handleForm(request: WebRequest, form: Form, state: EditState): Promise<WebReply> {
  const action = form.text('do')
  if (action === 'preview') return shownAgain(request, state, await previewOf(request, state))
  if (action === 'convert') return { response: await converted(request, form, state) }
  if (action === 'changes') return shownAgain(request, state, await changesOf(request, await wholeOf(request, state)))
  try {
    if (action === 'preview-chosen') return await chosenPreview(request, form, state)
    return await save(request, form, await chosenState(request, form, state))
  } catch (error) {
    if (!isWikiError(error)) throw error
    return failed(request, form, state, error)
  }
}

/**
 * Largest pasted HTML, in bytes. It holds many pages of text, and its conversion delays other requests only briefly.
 */
const pastedBytes = 256 * 1024

/** Converts pasted HTML to the markup of the page. */
async function converted(request: WebRequest, form: Form, { key, title, model }: EditState): Promise<PlainResponse> {
  const { wiki, event, options, client } = request
  checkOrigin(event.req.headers, client)
  if (options.readOnly === true) throw new WikiError('rest-write-denied')
  const html = form.source('html')
  if (Buffer.byteLength(html) > pastedBytes)
    throw new WikiError('rest-resource-limit-exceeded', { params: ['html', `${pastedBytes} bytes`] })
  const text =
    model === 'markdown' ? await htmlToMarkdown(html, { key }) : await transformToWikitext(wiki, { html, title })
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
  return { status: 200, headers, body: JSON.stringify({ text: text.trim() }) }
}

function stateOf(request: WebRequest, form: Form, { key, text: title }: Title): EditState {
  return {
    key,
    title,
    // Without script; a script removes the selection and changes `base` when it merges newer edits.
    base: form.id('written-on') || form.id('base'),
    made: form.text('made').slice(0, 100),
    section: form.text('section') === '' ? null : form.id('section'),
    text: form.source('text'),
    summary: form.text('summary').slice(0, 500),
    minor: form.isChecked('minor'),
    model: modelOf(request, key),
    draft: form.text('draft').slice(0, 100),
  }
}

/** Returns the state with the text of the whole page if a section was edited. */
async function wholeOf(request: WebRequest, state: EditState): Promise<EditState> {
  if (state.section === null || state.base === 0) return state
  return { ...state, section: null, text: await withSection(request, state.base, state.section, state.text) }
}

/** Returns true for the form that resolves an edit conflict. */
function isChoice(form: Form): boolean {
  return form.text('do') === 'resolve' || form.text('do') === 'preview-chosen'
}

async function chosenPreview(request: WebRequest, form: Form, state: EditState): Promise<WebReply> {
  const preview = await previewOf(request, await chosenState(request, form, state))
  return { view: await conflictView(request, await wholeOf(request, state), { form, error: null, preview }) }
}

/** Returns the whole text to save. Choices of a conflict are applied; open ones remain a conflict. */
async function chosenState(request: WebRequest, form: Form, state: EditState): Promise<EditState> {
  if (!isChoice(form)) return wholeOf(request, state)
  return { ...state, section: null, text: await resolvedText(request, form), base: form.id('current') }
}

async function save(request: WebRequest, form: Form, state: EditState): Promise<WebReply> {
  if (isBaseLost(request.wiki, state)) throw new WikiError('edit-conflict', { params: [state.title] })
  const { writer, begin } = await senderOf(request, form, 'edit')
  const { key } = state
  await updatePage(request.wiki, {
    title: state.title,
    source: state.text,
    base: state.base,
    baseCommit: commitOfBase(request.wiki, state),
    comment: state.summary,
    minor: state.minor,
    author: writer.author,
    bot: writer.bot,
  })
  return savedReply(request, pageAddress(key), await begin())
}

/** Errors that report an edit conflict. */
const conflicts: ReadonlySet<string> = new Set(['edit-conflict', 'rest-update-cannot-create-page'])

/** Errors of a text whose page has another title, or is gone. */
const ofOtherPage: ReadonlySet<string> = new Set(['apierror-missingtitle', 'rest-nonexistent-title-revision'])

async function failed(request: WebRequest, form: Form, state: EditState, error: WikiError): Promise<WebReply> {
  const { words, wiki } = request
  await wiki.store.refresh()
  const moved = movedPage(wiki, state)
  if (moved !== null && (conflicts.has(error.code) || ofOtherPage.has(error.code))) {
    const { text } = await chosenState(request, form, state)
    const there = { ...state, key: moved.key, title: moved.title, section: null, text }
    return formAgain(request, there, notice(movedSentence(request, there), 'warning'), { status: 409 })
  }
  if (conflicts.has(error.code) || isBaseLost(wiki, state)) {
    const chosen = await chosenState(request, form, state)
    const current = wiki.store.findPage(state.key)?.latest ?? 0
    if (isBaseLost(wiki, chosen)) return withNewBase(request, chosen, current, words.say('otherState'))
    const settled = await settledText(wiki, { base: chosen.base, current, text: chosen.text })
    if (settled !== null && wiki.store.config.merge !== 'never')
      return save(request, form, { ...chosen, base: current, text: settled })
    if (settled !== null) {
      const sentence = words.say('mergedToSave', editorOf(request, current))
      return withNewBase(request, { ...chosen, text: settled }, current, sentence)
    }
    return { view: await conflictView(request, chosen, { form: null, error }) }
  }
  if (error.code === 'apierror-missingtitle') {
    const chosen = await chosenState(request, form, state)
    return formAgain(request, { ...chosen, base: 0 }, notice(words.say('deletedMeanwhile'), 'warning'), { status: 409 })
  }
  if (isChoice(form)) return { view: await conflictView(request, await wholeOf(request, state), { form, error }) }
  const { sentence, ...fault } = formFault(request, error)
  return formAgain(request, state, notice(sentence, 'error'), fault)
}

/**
 * Shows what saving would change in the latest text: nothing can be merged if the text's base is not known, and nothing is merged unseen if
 * the wiki's settings say so.
 */
async function withNewBase(
  request: WebRequest,
  state: EditState,
  current: number,
  sentence: Markup | string,
): Promise<WebReply> {
  const based = { ...state, section: null, base: current, made: madeFrom(request.wiki, current) }
  const above = html`${notice(sentence, 'warning')}${await changesOf(request, based)}`
  return formAgain(request, based, above, { status: 409 })
}

/** Returns the page that the text is based on, if it was moved since. On another branch the id may name a revision of another page. */
function movedPage(
  wiki: WebRequest['wiki'],
  { base, made, key }: EditState,
): { readonly key: string; readonly title: string } | null {
  const { store } = wiki
  const [id] = made.split(' ', 1)
  if (made !== '' && made !== madeFrom(wiki, Number(id))) return null
  const revision = base === 0 ? undefined : store.revision(base)
  const page = revision && store.pageById(revision.page)
  return page === undefined || page.key === key ? null : page
}

function movedSentence({ words }: WebRequest, { key, title }: EditState): Markup {
  return words.say('movedMeanwhile', html`<a href="${pageAddress(key)}"><bdi>${title}</bdi></a>`)
}

/** Shows the form again after an unexpected error, so that the text is never lost. */
function formOfFault(request: WebRequest, form: Form, state: EditState, thrown: unknown): WebReply {
  const { sentence, ...fault } = formFault(request, thrown)
  return formAgain(request, state, html`${notice(sentence, 'error')}${writtenPlaces(form)}`, fault)
}

function formAgain(
  request: WebRequest,
  state: EditState,
  above: Markup,
  fault: Pick<View, 'status' | 'headers'>,
): WebReply {
  return { view: { ...editView(request, state, html`${above}${editForm(request, state)}`), ...fault } }
}

function shownAgain(request: WebRequest, state: EditState, above: Markup): WebReply {
  return { view: editView(request, state, html`${above}${editForm(request, state)}`) }
}

async function previewOf(request: WebRequest, state: EditState): Promise<Markup> {
  const { wiki, words } = request
  const rendered = await rendering(request, state)
  const box =
    typeof rendered === 'string'
      ? contentBox(wiki.store.config.language, trusted(rendered), state)
      : notice(errorMessageIn(words.language, rendered), 'error')
  return html`<section class="preview" aria-label="${words.say('preview')}">${notice(words.say('previewHint'))}${box}</section>`
}

async function rendering(request: WebRequest, { title, text, model }: EditState): Promise<string | WikiError> {
  try {
    return (await showText(request.wiki, { text, model, title }, readerForm(request, null))).html
  } catch (error) {
    if (isWikiError(error)) return error
    throw error
  }
}

function modelOf({ wiki }: WebRequest, key: string): ContentModel {
  return wiki.store.findPage(key)?.model ?? defaultModel(writtenTitle(wiki.store, key), wiki.store)
}

/** Compares a text with the revision that it is based on. Changes that are too large to be shown are a sentence that says so. */
async function changesOf(request: WebRequest, state: EditState): Promise<Markup> {
  const { words } = request
  const shown = await tableOfChanges(request, state).catch(error => {
    if (!isWikiError(error, 'rest-resource-limit-exceeded') && !isWikiError(error, 'wiki-texts-too-complex'))
      throw error
    return notice(errorMessageIn(words.language, error), 'error')
  })
  return html`<section class="preview" aria-label="${words.say('showChanges')}">${shown}</section>`
}

async function tableOfChanges({ wiki, words }: WebRequest, { base, text }: EditState): Promise<Markup> {
  const submitted = fileOfSource(text)
  const before = base === 0 ? '' : (await readRevision(wiki, { id: base })).source
  // Saving a text that differs only in the space behind it saves nothing.
  const isSame = fileOfSource(before) === submitted
  const from = isSame ? { text: submitted } : base === 0 ? { text: '' } : base
  const query = { from, to: { text: submitted }, maxBytes: maxTableBytes }
  const { diff }: Comparison = JSON.parse(await compareRevisionsAsJson(wiki, query))
  return diffTable(diff, 'inline', { text: submitted }, words)
}
