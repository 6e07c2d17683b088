/** The sentence of an error, as pages show it. */

import { errorTable, type WikiError } from '../../core/errors.ts'
import { errorMessageIn, messageIn } from '../../http/messages/messages.ts'
import { pageAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'

/** Writes the sentence of an error in a language. A page that is in the way is linked. */
export function errorSentence(language: string, error: WikiError): Markup {
  if (error.code !== 'apierror-articleexists') return html`${errorMessageIn(language, error)}`
  const title = String(error.params[0])
  const sentence = messageIn(language, error.code, { params: ['$1'], english: errorTable[error.code].text })
  const [before, after] = sentence.split('$1')
  return html`${before}<a href="${pageAddress(title)}"><bdi>${title}</bdi></a>${after}`
}
