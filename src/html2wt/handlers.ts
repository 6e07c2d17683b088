/** Selects the handler of an element: by its type, then by its name. */

import type { ElementNode } from '../wikitext/tree/node.ts'
import type { Context } from './context.ts'
import { br, hr, paragraph, pre } from './elements/blocks.ts'
import { extension } from './elements/extensions.ts'
import { heading } from './elements/headings.ts'
import { category, displaySpace, entity, includes, nowiki, placeholder, property } from './elements/invisible.ts'
import { isLink, link } from './elements/links.ts'
import { item, list } from './elements/lists.ts'
import { isPicture, media, picture } from './elements/media.ts'
import { quote } from './elements/quotes.ts'
import { caption, cell, row, table } from './elements/tables.ts'
import { hasOwnAttributes, tag, transparent } from './elements/tags.ts'
import { transclusion } from './elements/transclusions.ts'
import { variant } from './elements/variants.ts'
import { isNew, isTag, isTagPart, typesOf } from './node-queries.ts'
import type { Writer } from './writer.ts'

export type Handler = (writer: Writer, node: ElementNode, context: Context) => void

const nothing: Handler = () => {}

/** Handlers by the types in `typeof`. The first matching row wins. */
const byType: readonly (readonly [pattern: RegExp, handler: Handler])[] = [
  [/^mw:(?:Transclusion|Param)(?:$|\/)/, transclusion],
  [/^mw:Extension\//, extension],
  [/^mw:Nowiki$/, nowiki],
  [/^mw:Entity$/, entity],
  [/^mw:DisplaySpace$/, displaySpace],
  [/^mw:Placeholder(?:$|\/)/, placeholder],
  [/^mw:Includes\//, includes],
  [/^mw:LanguageVariant$/, variant],
  [/^mw:(?:File|Image|Video|Audio)(?:$|\/)/, media],
  [/^mw:(?:FallbackId|I18n)$/, nothing],
  [/^mw:ExtendedAnnRange$/, transparent],
]

const byName: Readonly<Record<string, Handler>> = {
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  p: paragraph,
  ul: list,
  ol: list,
  dl: list,
  li: item,
  dt: item,
  dd: item,
  b: quote,
  i: quote,
  table,
  tbody: transparent,
  thead: transparent,
  tfoot: transparent,
  tr: row,
  td: cell,
  th: cell,
  caption,
  hr,
  br,
  pre,
  link: category,
  meta: property,
}

/** Apostrophes cannot carry attributes, such as a language or a style. */
function needsTag(node: ElementNode): boolean {
  return (node.name === 'b' || node.name === 'i') && isNew(node) && hasOwnAttributes(node)
}

/** Returns the handler of an element. */
export function handlerOf(node: ElementNode): Handler {
  const types = typesOf(node)
  if (types.length > 0)
    for (const [pattern, handler] of byType) if (types.some(type => pattern.test(type))) return handler
  if (isPicture(node)) return picture
  if (isLink(node)) return link
  if (isTag(node) || isTagPart(node) || needsTag(node)) return tag
  return Object.hasOwn(byName, node.name) ? byName[node.name]! : tag
}
