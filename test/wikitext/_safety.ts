/** Permitted contents of a finished page: every element and attribute is examined as a browser reads it. */

import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { allowedTags, attributesOf } from '../../src/wikitext/sanitize/allowed.ts'
import { isSafeUrl } from '../../src/wikitext/sanitize/urls.ts'

/** Elements that the engine itself makes, beside those that a page may write. */
const ownElements = new Set([
  ...[
    'html',
    'head',
    'body',
    'title',
    'base',
    'section',
    'details',
    'summary',
    'input',
    'thead',
    'tfoot',
    'col',
    'colgroup',
    'tbody',
    'a',
    'img',
    'figure',
    'figcaption',
    'video',
    'audio',
    'source',
  ],
])

/** Attributes that the engine itself writes. */
const ownAttributes = new Set([
  ...[
    'about',
    'alt',
    'charset',
    'class',
    'content',
    'controls',
    'decoding',
    'height',
    'href',
    'hreflang',
    'id',
    'lang',
    'loop',
  ],
  ...[
    'muted',
    'name',
    'poster',
    'prefix',
    'preload',
    'property',
    'rel',
    'resource',
    'src',
    'srcset',
    'style',
    'target',
    'title',
  ],
  ...['open', 'disabled', 'checked'],
  ...['type', 'typeof', 'width', 'colspan', 'xmlns', 'dir', 'http-equiv'],
])

/** Addresses of the pictures and sounds of the wiki. */
const ownMedia = /^(?:\.{0,2}\/)*(?:media|thumb)\/[^:]*$/
const dangerousCss = /url\s*\(|expression|image-set|image\s*\(|src\s*\(|behavior|-moz-binding|@import|[\\]|javascript/i
const namesOfMeta = /^(?:mw:|dc:|viewport$|generator$)/

/** Lists forbidden content of a page; an empty list for a safe page. */
export function complaintsAbout(html: string): string[] {
  const complaints: string[] = []
  const open: DefaultTreeAdapterTypes.Node[] = [parse(html)]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if ('tagName' in node) complaints.push(...complaintsAboutElement(node))
    if ('childNodes' in node) open.push(...node.childNodes)
    if ('content' in node) open.push(node.content as DefaultTreeAdapterTypes.Node)
  }
  return complaints
}

function complaintsAboutElement({ tagName, attrs }: DefaultTreeAdapterTypes.Element): string[] {
  const attributes = new Map(attrs.map(({ name, value }) => [name, value]))
  const complaints = attrs
    .filter(({ name, value }) => !mayHave(tagName, name) || !isSafeValue(tagName, name, value))
    .map(({ name, value }) => `<${tagName} ${name}="${value}">`)
  if (!allowedTags.has(tagName) && !ownElements.has(tagName)) complaints.push(`<${tagName}>`)
  // The checkbox of a task: it can neither be changed nor submitted.
  if (tagName === 'input' && !(attributes.get('type') === 'checkbox' && attributes.has('disabled')))
    complaints.push('<input>')
  if (tagName === 'meta' && attributes.has('http-equiv'))
    complaints.push(`<meta http-equiv=${attributes.get('http-equiv')}>`)
  if (tagName === 'link' && !/^mw:|^$/.test(attributes.get('rel') ?? ''))
    complaints.push(`<link rel=${attributes.get('rel')}>`)
  return complaints
}

function mayHave(tag: string, name: string): boolean {
  if (name.startsWith('on')) return false
  return attributesOf(tag).has(name) || ownAttributes.has(name) || /^(?:data-|xmlns:)/.test(name)
}

function isSafeValue(tag: string, name: string, value: string): boolean {
  switch (name) {
    case 'style':
      return !dangerousCss.test(value)
    case 'href':
      return /^(?:\.\/|#|$)/.test(value) || isSafeUrl(value) || (tag === 'a' && ownMedia.test(value))
    case 'src':
    case 'poster':
      return ownMedia.test(value.replace(/#t=[\d.,]*$/, ''))
    case 'srcset':
      return ownMedia.test(value.replace(/ 2x$/, ''))
    case 'http-equiv':
      return true
    case 'property':
      return tag !== 'meta' || namesOfMeta.test(value)
    default:
      return true
  }
}
