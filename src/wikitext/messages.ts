/** Texts of the error messages that extensions give as keys. */

import { textNode } from './tree/node.ts'
import type { Step } from './tree/walk.ts'

/** MediaWiki's message keys. `$1` and so on are parameters. */
const messages: Readonly<Record<string, string>> = {
  cite_error: 'Footnote: $1',
  cite_error_details_missing_parent: 'details belong to no reference: give the name of one, or its text.',
  cite_error_details_unsupported_context: 'details of “$1” cannot be given in a list of references.',
  cite_error_empty_references_define: 'the list of references names “$1” of group “$2” and gives no text for it.',
  cite_error_group_refs_without_references: 'there are references of group “$1”, and no list for them.',
  cite_error_ref_conflicting_dir: '“$1” is given two directions of writing.',
  cite_error_ref_follow_conflicts: 'what continues another reference can have neither a name nor details.',
  cite_error_ref_invalid_dir: '“$1” is not a direction of writing; ltr, rtl and auto are.',
  cite_error_ref_no_input: 'a reference without a name must have a text.',
  cite_error_ref_no_key: 'a reference without a text must have a name.',
  cite_error_ref_numeric_key: 'the name of a reference must not be a number.',
  cite_error_ref_too_many_keys: '“$1” is not an attribute of a reference; these are: $2.',
  cite_error_references_duplicate_key: '“$1” is given two different texts.',
  cite_error_references_group_mismatch: 'the list holds a reference of another group, “$1”.',
  cite_error_references_invalid_parameters: '“$1” is not an attribute of a list of references; these are: $2.',
  cite_error_references_missing_key: '“$1” is defined in the list and not used before it.',
  cite_error_references_no_key: 'a reference defined in the list must have a name.',
  cite_error_references_no_text: 'no text was given for “$1”.',
  'invalid-indicator-name': 'An indicator must have a name.',
}

/** Writes the message into elements that have only its key. */
export function fillMessages(steps: readonly Step[]): void {
  for (const { element: node } of steps) {
    const source = node.attributes.get('data-mw-i18n')
    if (source === undefined || node.children.length > 0) continue
    const text = textOfMessage((JSON.parse(source) as { readonly '/'?: Message })['/'])
    if (text !== '') node.children.push({ ...textNode(text), parent: node })
  }
}

interface Message {
  readonly key: string
  readonly params?: readonly (string | { readonly text: Message })[]
}

/** '' for a key without a text here. Messages contain at most one level of others. */
function textOfMessage(message: Message | undefined): string {
  if (message === undefined || !Object.hasOwn(messages, message.key)) return ''
  const params = (message.params ?? []).map(param => (typeof param === 'string' ? param : wordsOf(param.text)))
  return filled(messages[message.key]!, params)
}

function wordsOf({ key, params = [] }: Message): string {
  const text = Object.hasOwn(messages, key) ? messages[key]! : key
  return filled(
    text,
    params.map(param => (typeof param === 'string' ? param : '')),
  )
}

function filled(text: string, params: readonly string[]): string {
  return text.replace(/\$(\d)/g, (_, number: string) => params[Number(number) - 1] ?? '')
}
