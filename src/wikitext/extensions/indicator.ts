/** `<indicator>`: a status icon at the top of the page. */

import { element, fragment } from '../tree/node.ts'
import { callData, type Extension, type ExtensionCall, type ExtensionContext } from './extension.ts'

const errorKey = 'invalid-indicator-name'

/**
 * The extension of `<indicator>`. Its content is stored invisibly at the element. Source: MediaWiki CoreTagHooks::indicator.
 */
export const indicator: Extension = {
  tags: ['indicator'],
  render(call, context) {
    return [(call.attributes.get('name') ?? '') === '' ? nameless(call) : sign(call, context)]
  },
}

function sign(call: ExtensionCall, context: ExtensionContext) {
  const node = element('meta', [['typeof', 'mw:Extension/indicator']])
  node.data.mw = callData(call)
  node.data.range = call.range
  if (call.body !== null) node.data.hidden = fragment(context.parseInline(call.body, { offset: call.bodyOffset }))
  return node
}

function nameless(call: ExtensionCall) {
  const message = { '/': { lang: 'x-user', key: errorKey, params: [] } }
  const node = element('span', [
    ['typeof', 'mw:I18n mw:Extension/indicator mw:Error'],
    ['class', 'error'],
    ['data-mw-i18n', JSON.stringify(message)],
  ])
  node.data.mw = { ...callData(call), errors: [{ key: errorKey }] }
  node.data.range = call.range
  return node
}
