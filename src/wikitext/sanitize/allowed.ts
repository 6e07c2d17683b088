/** Allowed HTML: the elements that a page may write, and their attributes. Everything else becomes text. */

/** Elements that a page may write. Source: MediaWiki Sanitizer::getRecognizedTagData. */
export const allowedTags: ReadonlySet<string> = words(`
  abbr b bdi bdo big blockquote br caption center cite code data dd del dfn div dl dt em font h1 h2 h3 h4 h5 h6 hr i
  ins kbd li link mark meta ol p pre q rb rp rt rtc ruby s samp small span strike strong sub sup table td th time tr tt
  u ul var wbr`)

/** Allowed elements that never have content. */
export const voidTags: ReadonlySet<string> = words('br hr link meta wbr')

/** Attributes that every element may have, except `meta` and `link`. */
const globalAttributes = `
  id class style lang dir title tabindex role
  aria-describedby aria-flowto aria-hidden aria-label aria-labelledby aria-level aria-owns
  about property resource datatype typeof
  itemid itemprop itemref itemscope itemtype`

const cell = 'abbr axis headers scope rowspan colspan nowrap width height bgcolor align valign'

/** Attributes of single elements, in addition to the global ones. Source: MediaWiki Sanitizer::setupAttributeAllowedList. */
const ownAttributes: Readonly<Record<string, string>> = {
  blockquote: 'cite',
  br: 'clear',
  caption: 'align',
  data: 'value',
  del: 'cite datetime',
  div: 'align',
  font: 'size color face',
  h1: 'align',
  h2: 'align',
  h3: 'align',
  h4: 'align',
  h5: 'align',
  h6: 'align',
  hr: 'width',
  ins: 'cite datetime',
  li: 'type value',
  ol: 'type start reversed',
  p: 'align',
  pre: 'width',
  q: 'cite',
  table: 'summary width border frame rules cellspacing cellpadding align bgcolor',
  td: cell,
  th: cell,
  time: 'datetime',
  tr: 'bgcolor align valign',
  ul: 'type',
}

/** Elements without the global attributes. */
const bareAttributes: Readonly<Record<string, string>> = {
  meta: 'itemprop content',
  link: 'itemprop href title',
}

const attributesByTag: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [...allowedTags].map(tag => [
    tag,
    words(bareAttributes[tag] ?? `${globalAttributes} ${Object.hasOwn(ownAttributes, tag) ? ownAttributes[tag] : ''}`),
  ]),
)

/** Returns true if a page may write this element; the name in lower case. */
export function isAllowedTag(tag: string): boolean {
  return allowedTags.has(tag)
}

/** Lists the attributes of an element, besides `data-` and `xmlns:` ones; none for an element that is not allowed. */
export function attributesOf(tag: string): ReadonlySet<string> {
  return attributesByTag.get(tag) ?? noAttributes
}

const noAttributes: ReadonlySet<string> = new Set()

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/))
}
