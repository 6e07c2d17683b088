/** Values of attributes and of options. A value stays as it is where the engine reads it so; else its signs become references. */

import { pieceReader } from '../../wikitext/read-alone.ts'
import type { Site } from '../../wikitext/site.ts'
import type { FragmentNode } from '../../wikitext/tree/node.ts'
import { textOf } from '../../wikitext/tree/walk.ts'
import type { Context } from '../context.ts'
import { elementsOf } from '../node-queries.ts'

/** Part of the page whose attribute it is: a part of a table in wikitext, or a tag. */
export type ValueOwner = 'tag' | 'table' | 'tr' | 'td' | 'th' | 'caption'

/** Returns true if a value is read as it was meant. */
export type ValueTrial = (source: string, value: string, place: { owner: ValueOwner; context: Context }) => boolean

/** Values tried for one page, and their maximum length in UTF-16 units. Others are written as references untried. */
const maxTrials = 1000
const longestTried = 1000

/** Returns the trial of a page's values. Each distinct one is read once. */
export function valueTrial(site: Site): ValueTrial {
  const known = new Map<string, boolean>()
  let read: ((text: string) => FragmentNode) | undefined
  return (source, value, { owner, context }) => {
    const places = placesOf(owner, context)
    const key = `${places.join('\0')}\0${source}`
    const cached = known.get(key)
    if (cached !== undefined) return cached
    if (known.size === maxTrials || value.length > longestTried) return false
    read ??= pieceReader(site)
    const reader = read
    const isRead = places.every(place => isMeant(reader(place.replace(mark, () => ` title=${source}`)), value, place))
    known.set(key, isRead)
    return isRead
  }
}

/** Stands for the attribute in a place. */
const mark = '\0'

const ofTable: Readonly<Record<Exclude<ValueOwner, 'tag'>, string>> = {
  table: `{|${mark}\n|x\n|}`,
  tr: `{|\n|-${mark}\n|x\n|}`,
  td: `{|\n|${mark} |x||y\n|}`,
  th: `{|\n!${mark} |x!!y\n|}`,
  caption: `{|\n|+${mark} |x\n|-\n|y\n|}`,
}

/** Markup that other text of the page may leave open, or close. A value must not be its other half. */
const [opened, closed] = ['[[Harbour|{{Tide|-{', ']] }} }-']

/** Texts with the attribute in every kind of markup around it. */
function placesOf(owner: ValueOwner, { link, heading, term, list, cell, hasAttributes }: Context): string[] {
  if (owner !== 'tag') return [ofTable[owner]]
  const tag = `<span${mark}>x</span>`
  const linked = link === '' ? [tag, opened + tag, tag + closed] : [links[link].replace('*', tag)]
  return linked.map(text => {
    const line = heading ? `== ${text} ==` : term ? `;${text} : y` : list !== '' ? `* ${text}` : text
    if (cell === '') return line
    const own = hasAttributes ? `${cell === 'th' ? '!' : '|'}lang="de"|` : cell === 'th' ? '!' : '|'
    return `{|\n${own}${list === '' ? '' : '\n'}${line}${list === '' ? (cell === 'th' ? '!!y' : '||y') : ''}\n|}`
  })
}

const links = { wiki: '[[Fog|*]]', media: '[[File:Boat.png|thumb|*]]', external: '[http://a.example *]' } as const

function isMeant(tree: FragmentNode, value: string, place: string): boolean {
  const found = elementsOf(tree).filter(({ name, attributes }) => name !== 'a' && attributes.has('title'))
  const [only] = found
  if (found.length !== 1 || oneLine(only!.attributes.get('title')!) !== oneLine(value)) return false
  const shown = textOf(tree.children)
  const isLinked = !Object.values(links).some(link => place.includes(link.split('*')[0]!)) || !/[[\]]/.test(shown)
  return (
    isLinked &&
    textOf(only!.children).trim() === 'x' &&
    [opened, closed, 'y'].every(text => !place.includes(text) || shown.includes(text))
  )
}

function oneLine(value: string): string {
  return value.replace(/[\t\n\r ]+/g, ' ').trim()
}

/** Quick test: a value without any of these is read as it is. */
const signs = /[\n{}[\]|~!]/

/** Signs of markup. A lone bracket or brace is none. */
const markup = /[\n|]|-\{+|\}+-|[{}[\]]{2,}|~{3,}|!{2,}/g

/** Signs that mean something in the value of a file's option, which is inside brackets and may hold links and tags. */
const inOption = /[[\]{}<>|\n]|-(?=\{)|'{2,}|~{3,}|__+|:(?=\/\/)|(?<=RFC|PMID|ISBN)[ \t\u00a0]/g

const names: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Returns a text with each character as a reference. */
function references(text: string): string {
  return text.replace(/[\s\S]/gu, sign => names[sign] ?? `&#${sign.codePointAt(0)};`)
}

function withoutReferences(text: string): string {
  return text.replace(/&(?=[#\w]+;)/g, '&amp;')
}

/** Writes the value of an attribute in its quotation marks. Angle brackets would end the tag for MediaWiki, signatures are replaced. */
export function attributeValue(
  value: string,
  place: { owner: ValueOwner; context: Context; name: string },
  isRead: ValueTrial,
): string {
  const quoted = withoutReferences(value).replace(/[<>"]/g, references)
  const source = `"${quoted}"`
  if (!signs.test(value)) return source
  const isAsMeant = !isReplaced(value, place) && isRead(source, value, place)
  return isAsMeant ? source : `"${quoted.replace(place.context.link === '' ? markup : inOption, references)}"`
}

/**
 * Returns true for what other readers replace: a signature when the page is saved, and a pipe, which Parsoid before 1.43
 * reads as the end of a row's attributes or of a link's text. A style has no text.
 */
function isReplaced(
  value: string,
  { owner, context, name }: { owner: ValueOwner; context: Context; name: string },
): boolean {
  const isPiped = value.includes('|') && name !== 'style'
  return value.includes('~~~') || (isPiped && (owner === 'table' || owner === 'tr' || context.link !== ''))
}

/** Writes the text of a file's option, such as the alternative text. */
export function optionValue(value: string): string {
  return withoutReferences(value).replace(inOption, references)
}
