/** The settings of the wiki. Everyone may read them, as in wiki.json; admins may change them. */

import { configFile, configValue, defaultConfig } from '../../../core/config.ts'
import { isWikiError, WikiError } from '../../../core/errors.ts'
import { writeSettings } from '../../../operations/configure.ts'
import { mainPageTitle } from '../../../operations/resources/main-page.ts'
import { specialAddress } from '../../addresses.ts'
import { html, type Markup } from '../../markup.ts'
import { withDone } from '../../parts/done-notice.ts'
import { actionScript, draftField, draftFormData } from '../../parts/draft-form-data.ts'
import { checkField, selectField } from '../../parts/fields.ts'
import { notice } from '../../parts/notice.ts'
import type { View, WebReply, WebRequest } from '../../request.ts'
import type { WordKey } from '../../words/words.ts'
import { adminOf, type Form, formFault, ownerFields, ownershipOf, proofForms, readShortForm } from '../../writing.ts'

/** A setting of the form: its path in wiki.json, its label and its kind. */
interface Setting {
  readonly path: string
  readonly word: WordKey
  /** A text field if omitted. */
  readonly kind?: 'check' | readonly string[]
}

/** Settings that the form offers. The others are lists and tables, or would move files. */
const settings: readonly Setting[] = [
  { path: 'name', word: 'settingName' },
  { path: 'language', word: 'settingLanguage' },
  { path: 'mainPage', word: 'settingMainPage' },
  { path: 'license.title', word: 'settingLicence' },
  { path: 'license.url', word: 'settingLicenceUrl' },
  { path: 'merge', word: 'settingMerge', kind: ['words', 'lines', 'never'] },
  { path: 'stemming', word: 'settingStemming', kind: 'check' },
  { path: 'anonymousEdits', word: 'settingAnonymous', kind: 'check' },
]

/** Shows the settings. */
export async function settingsPage(request: WebRequest): Promise<WebReply> {
  return { view: settingsView(request, null, {}) }
}

/** Shown with the form; `isSeen` if a message says that the settings have changed, so that the form acts on those of now. */
interface Notes {
  readonly message?: Markup
  readonly isSeen?: boolean
}

function settingsView(request: WebRequest, form: Form | null, { message, isSeen = false }: Notes): View {
  const { words } = request
  const before = isSeen ? null : form
  const fields = settings.map(
    setting => html`${shownBefore(request, setting, before)}${fieldOf(request, setting, form)}`,
  )
  const ownership = ownershipOf(request, form)
  // A form that was sent stays one, so that it can be sent again after signing in.
  const shown =
    ownership === 'proved' || form !== null
      ? html`<form class="action" method="post" action="${specialAddress('Settings')}" data-ui-edit="${draftFormData(request, specialAddress('Settings'), form)}">${draftField(form)}${fields}${ownerFields(request, form)}
<p class="actions"><button type="submit" class="primary">${words.say('save')}</button></p></form>`
      : html`${ownership === 'unproved' ? proofForms(request, 'Settings') : notice(words.say('adminOnly', html`<code>wiki config set</code>`))}<fieldset class="action" disabled><legend class="hidden">${words.say('settingsTitle')}</legend>${fields}</fieldset>`
  return {
    title: words.text('settingsTitle'),
    unlisted: true,
    personal: true,
    isWritten: true,
    scripts: [actionScript],
    body: html`${message ?? null}${shown}`,
  }
}

/**
 * Returns the effective value of a setting. Without a configured main page, this is the page that the wiki opens with.
 */
function valueNow({ store }: WebRequest['wiki'], path: string): string {
  const isUnset = path === 'mainPage' && store.config.mainPage === defaultConfig().mainPage
  return isUnset ? mainPageTitle(store) : String(configValue(store.config, path) ?? '')
}

/** Name of the field that records a setting's value when the form was made. */
function shownField(path: string): string {
  return `was-${path}`
}

/** Distinguishes an empty setting from a missing field. */
function shownValue(value: string): string {
  return `=${value}`
}

function shownBefore({ wiki }: WebRequest, { path }: Setting, form: Form | null): Markup {
  const now = shownValue(valueNow(wiki, path))
  return html`<input type="hidden" name="${shownField(path)}" value="${form?.text(shownField(path)) || now}">`
}

function fieldOf({ wiki, words }: WebRequest, { path, word, kind }: Setting, form: Form | null): Markup {
  const now = valueNow(wiki, path)
  const label = words.say(word)
  if (kind === 'check') return checkField(path, form === null ? now === 'true' : form.isChecked(path), label)
  const value = form?.text(path) ?? now
  if (kind === undefined)
    return html`<label>${label} <input name="${path}" value="${value}" maxlength="1000" dir="auto"></label>`
  return selectField(
    path,
    label,
    kind.map(one => [one, one]),
    value,
  )
}

/** Saves the changed settings as one commit. */
export async function saveSettings(request: WebRequest): Promise<WebReply> {
  const form = await readShortForm(request)
  try {
    const { writer, leadTo } = await adminOf(request, form)
    const address = specialAddress('Settings')
    if (isProving(form)) return leadTo(address)
    // A form that was open for a while must not revert settings that another admin changed.
    const touched = settings.flatMap(({ path, kind }) => {
      const value = kind === 'check' ? String(form.isChecked(path)) : form.text(path)
      return form.text(shownField(path)) === shownValue(value) ? [] : [[path, value] as const]
    })
    const accept = () => {
      for (const [path, value] of touched) checkShown(request, form, { path, value })
    }
    const values = Object.fromEntries(touched)
    if (touched.length > 0) await writeSettings(request.wiki, { values, accept, author: writer.author, comment: null })
    return leadTo(touched.length > 0 ? withDone(address, 'settings') : address)
  } catch (thrown) {
    const { sentence, ...fault } = formFault(request, thrown)
    const notes = { message: notice(sentence, 'error'), isSeen: isWikiError(thrown, 'wiki-changed-meanwhile') }
    return { view: { ...settingsView(request, isProving(form) ? null : form, notes), ...fault } }
  }
}

/** True for the form of `proofForms`, which has no settings. */
function isProving(form: Form): boolean {
  return form.text('do') === 'prove'
}

/** Refuses a new value of a setting that somebody else has given another one since the form was made. */
function checkShown({ wiki }: WebRequest, form: Form, { path, value }: { path: string; value: string }): void {
  const [shown, now] = [form.text(shownField(path)), valueNow(wiki, path)]
  if (shown !== '' && shown !== shownValue(now) && value !== now)
    throw new WikiError('wiki-changed-meanwhile', { params: [`${configFile} (${path})`] })
}
