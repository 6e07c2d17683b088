/** Resolves two edits that cannot be merged. The user chooses at each conflict, and no word of either side is lost. */

import type { DiffElement } from '../../core/comparison.ts'
import { WikiError } from '../../core/errors.ts'
import { retryHeaders } from '../../http/retry-after.ts'
import { type ConflictPlace, conflictPieces } from '../../operations/conflict-pieces.ts'
import { pageAddress } from '../addresses.ts'
import { attributes, html, type Markup } from '../markup.ts'
import { diffTable } from '../parts/diff-table.ts'
import { editFormData } from '../parts/edit-form-data.ts'
import type { EditState } from '../parts/edit-state.ts'
import { notice } from '../parts/notice.ts'
import { userLink } from '../parts/people.ts'
import { sourceBox } from '../parts/source-box.ts'
import type { View, WebRequest } from '../request.ts'
import { type Form, fieldsToWrite, formError } from '../writing.ts'

/** Names of the choices at a conflict. */
const choices = ['theirs', 'mine', 'both', 'edit'] as const
type Choice = (typeof choices)[number]

const choiceWords = { theirs: 'keepTheirs', mine: 'keepMine', both: 'keepBoth', edit: 'keepEdited' } as const

/** Lines of merged text shown around a conflict; the others are folded. */
const shownLines = 3

interface ConflictOptions {
  /** The submitted choices; null for a conflict that the user has not seen yet. */
  readonly form: Form | null
  /** Null if only a preview of the choices was requested. */
  readonly error: WikiError | null
  readonly preview?: Markup
}

/** Shows the places that both sides changed. `state` is the submitted text. */
export async function conflictView(
  request: WebRequest,
  state: EditState,
  { form, error, preview }: ConflictOptions,
): Promise<View> {
  const { wiki, words } = request
  const current = form?.id('current') ?? wiki.store.findPage(state.key)?.latest ?? 0
  const query = { base: state.base, current, text: state.text, most: maxPlaces, withChanges: true }
  const pieces = await conflictPieces(wiki, query)
  const count = pieces.filter(piece => typeof piece !== 'string').length
  const unchosen = form === null ? [] : unchosenPlaces(pieces, form)
  let number = 0
  const parts: (Markup | null)[] = []
  for (const piece of pieces) {
    const isSettled = typeof piece === 'string'
    parts.push(isSettled ? settled(request, piece) : await place(request, piece, { number: ++number, count, form }))
  }
  return {
    status: error?.status ?? 200,
    headers: retryHeaders(error),
    title: words.text('conflictTitle', state.title),
    heading: words.say('conflictTitle', html`<bdi>${state.title}</bdi>`),
    key: state.key,
    tab: 'edit',
    unlisted: true,
    personal: true,
    isWritten: true,
    isWide: true,
    scripts: ['conflict.js'],
    body: html`${form === null ? notice(words.say('conflictHint', editorOf(request, current)), 'warning') : error && notice(choiceError(request, error, unchosen), 'error')}${preview}
${choicesForm(request, state, { current, unchosen, parts })}`,
  }
}

/** The user who saved a revision; null if it is not known. */
export function editorOf({ wiki, words }: WebRequest, revision: number): Markup | null {
  const saved = wiki.store.revision(revision)
  return saved === undefined ? null : userLink(saved.hidden.includes('user') ? null : saved.user, words)
}

interface ChoicesForm {
  /** Id of the revision that the text conflicts with. */
  readonly current: number
  /** Places whose written text would be left out. */
  readonly unchosen: readonly number[]
  /** The text, piece by piece. */
  readonly parts: readonly (Markup | null)[]
}

/** Writes the form with the places of the conflict. */
function choicesForm(request: WebRequest, state: EditState, { current, unchosen, parts }: ChoicesForm): Markup {
  const { words } = request
  return html`<form class="conflict" method="post" enctype="multipart/form-data" action="${pageAddress(state.key, { action: 'submit' })}" data-ui-edit="${editFormData(request, state, false)}">
<input type="hidden" name="draft" value="${state.draft}"><input type="hidden" name="base" value="${String(state.base)}"><input type="hidden" name="made" value="${state.made}"><input type="hidden" name="current" value="${String(current)}">
${unchosen.length === 0 ? null : html`<input type="hidden" name="left-out" value="${unchosen.join(' ')}">`}
${parts}
<div class="save"><label class="grow">${words.say('summary')} <input name="summary" value="${state.summary}" maxlength="500" dir="auto"></label>
${state.minor ? html`<input type="hidden" name="minor" value="1">` : null}${fieldsToWrite(request, state.key)}
<p class="actions"><button type="submit" name="do" value="resolve" class="primary">${words.say('saveChosen')}</button>
<button type="submit" name="do" value="preview-chosen">${words.say('resultPreview')}</button></p></div>
<details class="whole"><summary>${words.say('yourWholeText')}</summary>${sourceBox(state.text, { name: 'text', rows: 16, readonly: true, 'aria-label': words.text('yourWholeText') })}</details>
</form>`
}

/** `unchosen` are the places whose written text would be left out. */
function choiceError(request: WebRequest, error: WikiError, unchosen: readonly number[]): Markup {
  const { words } = request
  if (error.code !== 'wiki-open-conflicts') return formError(request, error)
  return unchosen.length === 0
    ? words.say('openConflicts')
    : words.say('unchosenText', unchosen.map(place => words.number(place)).join(', '))
}

/** Maximum number of conflicts in a form. Each takes two of the form's limited fields. */
const maxPlaces = 400

/** Lists texts written for conflicts that the form can no longer show. */
export function writtenPlaces(form: Form): Markup[] {
  const texts = Array.from({ length: maxPlaces }, (_, index) => form.source(`edit-${index + 1}`))
  return texts.filter(text => text !== '').map(text => html`<pre class="settled">${text}</pre>`)
}

/** Writes merged text that needs no choice: its ends are visible, the rest is folded. */
function settled({ words }: WebRequest, text: string): Markup | null {
  if (text === '') return null
  const lines = text.replace(/\n$/, '').split('\n')
  if (lines.length <= 2 * shownLines) return html`<pre class="settled">${text}</pre>`
  const middle = lines.length - 2 * shownLines
  return html`<pre class="settled">${lines.slice(0, shownLines).join('\n')}</pre>
<details class="settled"><summary>${words.say('settledLines', middle)}</summary><pre>${lines.slice(shownLines, -shownLines).join('\n')}</pre></details>
<pre class="settled">${lines.slice(-shownLines).join('\n')}</pre>`
}

interface Place {
  readonly number: number
  readonly count: number
  /** The submitted choices; null for none. */
  readonly form: Form | null
}

async function place(request: WebRequest, collision: ConflictPlace, { number, count, form }: Place): Promise<Markup> {
  const { words } = request
  const made = form?.text(`choice-${number}`)
  const radio = (choice: Choice): Markup =>
    html`<label class="check"><input type="radio" name="choice-${number}" value="${choice}"${attributes({ checked: made === choice })}> ${words.say(choiceWords[choice])}</label>`
  const edited = form === null ? collision.both : form.source(`edit-${number}`)
  return html`<fieldset class="place" id="place-${number}"><legend>${words.say('placeOf', number, count)}</legend>
<div class="choice-sides"><section><h2>${words.say('theirText')}</h2>${await changed(request, collision, 'theirs')}</section>
<section><h2>${words.say('yourText')}</h2>${await changed(request, collision, 'mine')}</section></div>
<p class="choices">${choices.map(radio)}</p>
${sourceBox(edited, { name: `edit-${number}`, rows: Math.min(12, edited.split('\n').length + 1), 'aria-label': words.text('editPlace', number) })}</fieldset>`
}

async function changed({ words }: WebRequest, place: ConflictPlace, whose: 'mine' | 'theirs'): Promise<Markup> {
  const side = place[whose]
  if (side === '') return html`<p class="meta">${words.say('placeRemoved')}</p>`
  const diff: readonly DiffElement[] = place.changes[whose] ?? []
  return diff.length === 0 ? html`<pre class="settled">${side}</pre>` : diffTable(diff, 'inline', { text: side }, words)
}

/**
 * Returns the merged text if nothing needs a choice, for example when a form is submitted twice; null for a conflict.
 * Errors: those of `conflictPieces`.
 */
export async function settledText(
  wiki: WebRequest['wiki'],
  query: { readonly base: number; readonly current: number; readonly text: string },
): Promise<string | null> {
  const pieces = await conflictPieces(wiki, { ...query, most: maxPlaces, withChanges: false })
  return pieces.every(piece => typeof piece === 'string') ? pieces.join('') : null
}

/**
 * Assembles the text from the choices. Errors: wiki-open-conflicts if a choice is missing or leaves out a written text without the
 * user's knowledge, and those of `conflictPieces`.
 */
export async function resolvedText({ wiki }: WebRequest, form: Form): Promise<string> {
  const query = { base: form.id('base'), current: form.id('current'), text: form.source('text') }
  const pieces = await conflictPieces(wiki, { ...query, most: maxPlaces, withChanges: false })
  let number = 0
  const isLeftOut = leftOutPlaces(form)
  let open = unchosenPlaces(pieces, form).filter(place => !isLeftOut(place)).length
  const text = pieces.map(piece => {
    if (typeof piece === 'string') return piece
    const chosen = chosenText(piece, form, ++number)
    if (chosen === null) open++
    return chosen ?? ''
  })
  if (open > 0) throw new WikiError('wiki-open-conflicts', { params: [open] })
  return text.join('')
}

/**
 * Numbers of the places at which a text was written and another one is chosen. Without script, typing selects nothing, so the user may
 * expect that text to be saved.
 */
function unchosenPlaces(pieces: readonly (string | ConflictPlace)[], form: Form): number[] {
  const places = pieces.filter(piece => typeof piece !== 'string')
  return places.flatMap(({ both }, index) => {
    const number = index + 1
    const written = form.source(`edit-${number}`).trimEnd()
    const choice = form.text(`choice-${number}`)
    const isLeftOut = written !== '' && written !== both.trimEnd() && choice !== 'edit' && choice !== ''
    return isLeftOut ? [number] : []
  })
}

/** Places whose written text the user knows to be left out: those of the form's warning, and all with script, where typing selects the text. */
function leftOutPlaces(form: Form): (place: number) => boolean {
  const places = new Set(form.text('left-out').split(' '))
  return place => places.has('all') || places.has(String(place))
}

function chosenText(collision: ConflictPlace, form: Form, number: number): string | null {
  const choice = form.text(`choice-${number}`)
  if (choice === 'theirs') return collision.theirs
  if (choice === 'mine') return collision.mine
  if (choice === 'both') return collision.both
  if (choice !== 'edit') return null
  const edited = form.source(`edit-${number}`)
  return edited === '' || edited.endsWith('\n') ? edited : `${edited}\n`
}
