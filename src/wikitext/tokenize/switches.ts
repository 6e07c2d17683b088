/** Behaviour switches: words between double underscores that set properties of the page. */

/**
 * Word without underscores to the name of the property; case-insensitive unless it is in `exact`. Source: MediaWiki MagicWord
 * ids.
 */
const insensitive: Readonly<Record<string, string>> = {
  notoc: 'notoc',
  nogallery: 'nogallery',
  forcetoc: 'forcetoc',
  toc: 'toc',
  noeditsection: 'noeditsection',
  notitleconvert: 'notitleconvert',
  notc: 'notitleconvert',
  nocontentconvert: 'nocontentconvert',
  nocc: 'nocontentconvert',
}

const exact: Readonly<Record<string, string>> = {
  NEWSECTIONLINK: 'newsectionlink',
  NONEWSECTIONLINK: 'nonewsectionlink',
  HIDDENCAT: 'hiddencat',
  EXPECTUNUSEDCATEGORY: 'expectunusedcategory',
  EXPECTUNUSEDTEMPLATE: 'expectunusedtemplate',
  INDEX: 'index',
  NOINDEX: 'noindex',
  STATICREDIRECT: 'staticredirect',
  ARCHIVEDTALK: 'archivedtalk',
  NOTALK: 'notalk',
}

/** Name of the property that a switch sets; undefined if the text is none. */
export function behaviourSwitch(source: string): string | undefined {
  const word = source.slice(2, -2)
  if (Object.hasOwn(exact, word)) return exact[word]
  const lower = word.toLowerCase()
  return Object.hasOwn(insensitive, lower) ? insensitive[lower] : undefined
}
