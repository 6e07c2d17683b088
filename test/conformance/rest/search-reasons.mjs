/**
 * Reasons for differences between the results of a search and the recorded ones. Each page that is in only one of them needs a
 * reason. The reasons depend on the query and the page, and name neither.
 */

const folded = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const wordsOf = text => folded(text).match(/[\p{L}\p{N}]+|\p{ExtPict}/gu) ?? []
const titlesOf = page => [page.title, page.matched_title ?? '']
const isOperator = q => /(?:^|\s)-\w|\bOR\b|\bintitle:/.test(q)

/** Reasons for a page that only ours has. */
const found = [
  ['operators of a query count', ({ q }) => isOperator(q)],
  ['a namespace before the words, and all:', ({ q }) => /^\s*(?:\w+):/.test(q)],
  ['titles are found without their accents, their case and signs, and from any of their words', findsTitle],
  ['what is begun or misspelt is found where nothing else is', ({ theirs }) => theirs.length === 0],
  ['a title, or that of a redirect, has the words', ({ q, page }) => hasWords(q, titlesOf(page).join(' '))],
  ['text counts as it is read, not as it is written', ({ isTitles }) => !isTitles],
]

/** Reasons for a page that is only in the recorded response. */
const lost = [
  ['pages that the export has not', ({ page, known }) => !known.has(page.key)],
  ['operators of a query count', ({ q }) => isOperator(q)],
  ["what comes first is the engine's, and a limit ends it", ({ own, limit }) => own.length >= limit],
  ['text counts as it is read, not as it is written', ({ isTitles }) => !isTitles],
]

function findsTitle({ q, page, isTitles }) {
  const sought = wordsOf(q).join(' ')
  return (
    isTitles && sought !== '' && titlesOf(page).some(title => ` ${wordsOf(title).join(' ')}`.includes(` ${sought}`))
  )
}

function hasWords(q, title) {
  const words = new Set(wordsOf(title))
  return wordsOf(q).every(word => words.has(word))
}

/** Returns the reasons for all pages that are in only one response; null if one has no reason. */
export function searchReasons(path, { theirs, own }, { pages }) {
  const params = new URLSearchParams(path.slice(path.indexOf('?')))
  const q = params.getAll('q').at(-1) ?? ''
  const context = {
    q,
    limit: Number(params.getAll('limit').at(-1) ?? 50),
    theirs,
    own,
    isTitles: path.includes('/search/title'),
    known: new Set(pages.map(({ key }) => key)),
  }
  const [had, has] = [theirs, own].map(list => new Set(list.map(({ key }) => key)))
  const reasons = [
    ...own.filter(({ key }) => !had.has(key)).map(page => reasonOf(found, { ...context, page })),
    ...theirs.filter(({ key }) => !has.has(key)).map(page => reasonOf(lost, { ...context, page })),
  ]
  return reasons.includes(undefined) ? null : [...new Set(reasons)]
}

function reasonOf(reasons, context) {
  return reasons.find(([, holds]) => holds(context))?.[0]
}
