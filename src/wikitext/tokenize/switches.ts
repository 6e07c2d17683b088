/** Behaviour switches: words between double underscores that set properties of the page. */

import { hasWideSigns, languageIn } from '../../core/languages.ts'
import { localSwitches } from './switch-words.ts'

/** English words without underscores, by property. Source: MediaWiki MagicWordFactory and MessagesEn.php. */
const english: Readonly<Record<string, readonly string[]>> = {
  notoc: ['NOTOC'],
  nogallery: ['NOGALLERY'],
  forcetoc: ['FORCETOC'],
  toc: ['TOC'],
  noeditsection: ['NOEDITSECTION'],
  notitleconvert: ['NOTITLECONVERT', 'NOTC'],
  nocontentconvert: ['NOCONTENTCONVERT', 'NOCC'],
  newsectionlink: ['NEWSECTIONLINK'],
  nonewsectionlink: ['NONEWSECTIONLINK'],
  hiddencat: ['HIDDENCAT'],
  expectunusedcategory: ['EXPECTUNUSEDCATEGORY'],
  expectunusedtemplate: ['EXPECTUNUSEDTEMPLATE'],
  index: ['INDEX'],
  noindex: ['NOINDEX'],
  staticredirect: ['STATICREDIRECT'],
  archivedtalk: ['ARCHIVEDTALK'],
  notalk: ['NOTALK'],
}

/** Properties whose words may be in any case. */
const anyCase: ReadonlySet<string> = new Set([
  'notoc',
  'nogallery',
  'forcetoc',
  'toc',
  'noeditsection',
  'notitleconvert',
  'nocontentconvert',
])

/** The switches of a wiki. */
export interface Switches {
  /** Returns the property that a switch sets, underscores included; undefined if the text is not a switch. */
  readonly propertyOf: (source: string) => string | undefined
  /** Sign that stands twice before and after a word, besides `_`; "" if there is none. */
  readonly otherSign: string
  /** Preferred switch by property, with its underscores. */
  readonly preferred: ReadonlyMap<string, string>
  /** Matches every switch in a text. Global. */
  readonly pattern: RegExp
}

/** Prepares the switches of a wiki's language; the English ones are always among them. */
export function switchesOf(language: string): Switches {
  const local = localSwitches[languageIn(localSwitches, language)] ?? {}
  const rows = Object.entries(english).map(([name, words]) => [name, [...(local[name] ?? []), ...words]] as const)
  const exact = new Map(rows.flatMap(([name, words]) => words.map(word => [word, name])))
  const folded = new Map(
    rows.flatMap(([name, words]) => (anyCase.has(name) ? words.map(word => [word.toLowerCase(), name]) : [])),
  )
  const otherSign = hasWideSigns(language) ? '\uff3f' : ''
  const words = rows.flatMap(row => row[1]).join('|')
  const forms = ['_', otherSign].filter(Boolean).map(sign => `${sign}{2}(?:${words})${sign}{2}`)
  return {
    propertyOf: source => {
      const word = source.slice(2, -2)
      return exact.get(word) ?? folded.get(word.toLowerCase())
    },
    otherSign,
    preferred: new Map(rows.map(([name, [word]]) => [name, `__${word}__`])),
    pattern: new RegExp(forms.join('|'), 'giu'),
  }
}
