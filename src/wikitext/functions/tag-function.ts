/** `#tag`: an extension tag whose body and attributes are expanded first. Source: MediaWiki CoreParserFunctions::tagObj. */

import type { FunctionCall } from '../expansion/function.ts'
import { isAllowedTag } from '../sanitize/allowed.ts'

/** Writes the tag as its source. Tags that are only HTML are written as such. */
export function tagFunction(call: FunctionCall): string | undefined {
  const { markers, tags } = call.context
  const name = call.text(0).toLowerCase()
  const body = call.count > 1 ? call.spaced(1) : ''
  const attributes = attributeSource(call)
  if (!tags.has(name)) return isAllowedTag(name) ? `<${name}${attributes}>${body}</${name}>` : unknownTag(name)
  return markers.keep(madeTag(call, { name, attributes, body }))
}

/** Builds the tag. Tags in the body are restored to source, because the new tag parses its body itself. */
function madeTag(call: FunctionCall, { name, attributes, body }: { name: string; attributes: string; body: string }) {
  const hasBody = call.count > 1
  const { text, tags } = call.context.markers.restore(body)
  const open = hasBody ? `<${name}${attributes}>` : `<${name}${attributes}/>`
  const made = { name, openWidth: open.length, hasBody, bodyTags: tags }
  return { source: hasBody ? `${open}${text}</${name}>` : open, frame: call.frame, made }
}

function unknownTag(name: string): string {
  return `<span class="error">Unknown extension tag "${name.replace(/[^\p{L}\p{N}_-]/gu, '')}"</span>`
}

function attributeSource(call: FunctionCall): string {
  const written = new Map<string, string>()
  for (let index = 2; index < call.count; index++) {
    const { name, value } = call.named(index)
    if (name === null) continue
    written.set(name.toLowerCase(), unquoted(withoutNowiki(call.context.markers.restore(value()).text)))
  }
  return [...written].map(([name, value]) => ` ${name}="${escapeQuoted(value)}"`).join('')
}

/** An attribute is plain text: what a `<nowiki>` contains stays without its tags. Source: Parsoid T432547. */
function withoutNowiki(value: string): string {
  return value.replace(/<\/?nowiki>/gi, '')
}

function unquoted(value: string): string {
  return /^(["']).*\1$/s.test(value) && value.length > 1 ? value.slice(1, -1) : value
}

function escapeQuoted(value: string): string {
  return value.replaceAll('"', '&quot;').replaceAll('>', '&gt;').replaceAll('<', '&lt;')
}
