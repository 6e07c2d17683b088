/** Parts of forms. */

import { attributes, type Content, html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'

/** Writes a selection of namespaces. `all` is the text of the first option, which means no selection. */
export function namespaceField({ wiki, words }: WebRequest, name: string, chosen: string, all: Content): Markup {
  const namespaces = [...wiki.store.titles.namespaces.values()].filter(({ id }) => id >= 0)
  const option = (value: string, text: Content): Markup =>
    html`<option value="${value}"${attributes({ selected: value === chosen })}>${text}</option>`
  const options = namespaces.map(({ id, name: own }) =>
    option(String(id), own === '' ? words.say('mainNamespace') : own.replaceAll('_', ' ')),
  )
  return html`<label>${words.say('namespace')} <select name="${name}">${option('', all)}${options}</select></label>`
}

/** Writes a checkbox. */
export function checkField(name: string, isChecked: boolean, text: Content): Markup {
  return html`<label class="check"><input type="checkbox" name="${name}" value="1"${attributes({ checked: isChecked })}> ${text}</label>`
}

/** Writes a selection of options. */
export function selectField(
  name: string,
  label: Content,
  options: readonly (readonly [value: string, text: Content])[],
  chosen: string,
): Markup {
  return html`<label>${label} <select name="${name}">${options.map(([value, text]) => html`<option value="${value}"${attributes({ selected: value === chosen })}>${text}</option>`)}</select></label>`
}
