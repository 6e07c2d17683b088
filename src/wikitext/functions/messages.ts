/**
 * The few interface messages that pages use, in English. A wiki's own pages in the namespace MediaWiki take precedence.
 */

const texts: Readonly<Record<string, string>> = {
  cancel: 'Cancel',
  categories: 'Categories',
  delete: 'delete',
  edit: 'Edit',
  history_short: 'History',
  lang: 'en',
  license: 'Licensing:',
  'license-header': 'Licensing',
  filedesc: 'Summary',
  move: 'Move',
  ok: 'OK',
  protect: 'Protect',
  search: 'Search',
  searcharticle: 'Go',
  talkpagelinktext: 'talk',
  toc: 'Contents',
  watch: 'Watch',
}

/** A message by its key, such as `history_short`; undefined if there is none. */
export function interfaceText(key: string): string | undefined {
  const name = key.replaceAll(' ', '_')
  const lower = name.charAt(0).toLowerCase() + name.slice(1)
  return Object.hasOwn(texts, lower) ? texts[lower] : undefined
}
