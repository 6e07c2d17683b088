/**
 * The results that are due for a recorded search.
 *
 * A title search must give the recorded pages in their order, then those that begin so in another case. A text search must give the
 * recorded pages in any order. A page too many or too few must follow from the query, read here over the texts of the export. Of a
 * result only the excerpt is ours, and is checked against the page.
 */

const folded = text => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const wordsOf = text => folded(text).match(/[\p{L}\p{N}]+|\p{ExtPict}/gu) ?? []
const titleOf = key => key.replaceAll('_', ' ')

/** Builds the response that is due; undefined if ours has no list of pages. */
export function dueSearch(recorded, { path, ours, dump }) {
  if (!Array.isArray(ours.body?.pages) || !ours.body.pages.every(isResult)) return undefined
  const params = new URLSearchParams(path.split('?')[1])
  const limit = Number(params.getAll('limit').at(-1) ?? 50)
  const wiki = readWiki(dump)
  const query = readQuery(params.getAll('q').at(-1) ?? '', wiki)
  const theirs = recorded.body.pages.filter(({ key }) => wiki.has(key)).map(withSize)
  const search = { query, wiki, limit, theirs, own: ours.body.pages }
  const pages = path.includes('/search/title') ? dueTitles(search) : duePages(search)
  return { ...recorded, body: { pages } }
}

function isResult(page) {
  return typeof page?.key === 'string' && typeof page.title === 'string' && page.matched_title !== undefined
}

/** A thumbnail as the reference has it: with a size, which MediaWiki 1.43 leaves out. */
function withSize(page) {
  if (!page.thumbnail || 'size' in page.thumbnail) return page
  const { mimetype, ...others } = page.thumbnail
  return { ...page, thumbnail: { mimetype, size: null, ...others } }
}

/** Texts and redirects of the export. A redirect's missing target counts as a page. */
function readWiki({ pages }) {
  const texts = new Map(pages.map(({ key, revisions }) => [key, revisions.at(-1)?.text ?? '']))
  const redirects = new Map()
  for (const [key, text] of texts) {
    const target = /^#REDIRECT\s*:?\s*\[\[:?([^\]|#]+)/i.exec(text)?.[1].trim().replaceAll(' ', '_')
    if (target !== undefined) redirects.set(target, [...(redirects.get(target) ?? []), titleOf(key)])
  }
  return {
    has: key => texts.has(key) || redirects.has(key),
    exists: key => texts.has(key),
    textOf: key => texts.get(key) ?? '',
    redirectsTo: key => redirects.get(key) ?? [],
    keys: [...texts.keys()],
  }
}

/** Reads a namespace before the words, phrases, and operators. */
function readQuery(q, { keys }) {
  const [, name, rest] = /^[\s:]*([^:]*):(.*)$/s.exec(q) ?? []
  const isPlace = name !== undefined && (folded(name) === 'all' || keys.some(key => key.startsWith(`${name}:`)))
  const words = (isPlace ? rest : q.replace(/^[\s:]+/, '')).trim()
  const parts = words.match(/-?(?:intitle:)?(?:"[^"]*"?|[^\s"]+)/g) ?? []
  const isAny = parts.includes('OR')
  const terms = parts
    .filter(part => part !== 'OR')
    .map(part => ({
      isExcluded: part.startsWith('-'),
      inTitle: part.includes('intitle:'),
      isBegun: part.endsWith('*'),
      words: wordsOf(part.replace(/^-?(?:intitle:)?/, '')),
    }))
    .filter(term => term.words.length > 0)
  return { typed: words, place: isPlace ? name : '', isAny, hasOperator: /(?:^|\s)-\w|\bOR\b|intitle:/.test(q), terms }
}

/** True for a form of a word: with an ending that stems lose. */
const isForm = (word, sought) =>
  word === sought || (word.startsWith(sought) && /^(?:s|es|er|ed|ing)$/.test(word.slice(sought.length)))

const isLike = {
  form: isForm,
  begun: (word, sought) => word.startsWith(sought) || sought.startsWith(word),
  similar: (word, sought) => sought.length > 3 && distance(word, sought) <= 2,
}

function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, sign] of [...one].entries()) {
    const next = [at + 1]
    for (let to = 1; to <= other.length; to++)
      next.push(Math.min(row[to] + 1, next[to - 1] + 1, row[to - 1] + (sign === other[to - 1] ? 0 : 1)))
    row = next
  }
  return row[other.length]
}

/** True if a page is what a query asks for. `like` compares words. */
function answers(key, { terms, isAny }, wiki, like = isLike.form) {
  const titles = wordsOf([titleOf(key), ...wiki.redirectsTo(key)].join(' '))
  const all = [...titles, ...wordsOf(wiki.textOf(key))]
  const holds = ({ words, inTitle, isBegun }) =>
    words.every(word => (inTitle ? titles : all).some(own => (isBegun ? own.startsWith(word) : like(own, word))))
  if (terms.some(term => term.isExcluded && holds(term))) return false
  const wanted = terms.filter(({ isExcluded }) => !isExcluded)
  return isAny ? wanted.some(holds) : wanted.every(holds)
}

/** True if a page that is not recorded is what the query asks for, or near it where nothing is recorded. */
function mayBeExtra(key, { query, wiki, theirs }) {
  if (!wiki.has(key)) return false
  if (answers(key, query, wiki)) return true
  return theirs.length === 0 && [isLike.begun, isLike.similar].some(like => answers(key, query, wiki, like))
}

/** True if a recorded page may be missing: the operators of the query exclude it, or only a redirect's text has the words. */
function mayBeLost(key, { query, wiki, limit, own }) {
  return own.length >= limit || !answers(key, query, wiki)
}

function duePages(search) {
  const { theirs, own } = search
  const recorded = new Map(theirs.map(page => [page.key, page]))
  const found = new Set(own.map(({ key }) => key))
  const known = own.filter(page => recorded.has(page.key) || mayBeExtra(page.key, search))
  const unique = known.filter(({ key }, at) => known.findIndex(page => page.key === key) === at)
  return [
    ...unique.map(page => dueResult(recorded.get(page.key) ?? plainResult(page, search), page, search)),
    ...theirs.filter(({ key }) => !found.has(key) && !mayBeLost(key, search)),
  ].slice(0, Math.max(search.limit, 0))
}

const thumbnailMembers = 'mimetype,size,width,height,duration,url'

function isThumbnail(value) {
  if (value === null || Object.keys(value ?? {}).join() !== thumbnailMembers) return false
  return (
    /^image\//.test(value.mimetype) && value.width > 0 && value.height > 0 && /^(?:file|thumbnail of) ./.test(value.url)
  )
}

/** A result that is not recorded. */
function plainResult({ key, thumbnail }, { wiki }) {
  const hasPicture = /\[\[(?:File|Image):/i.test(wiki.textOf(key))
  return {
    id: wiki.exists(key) ? `page ${key}` : 0,
    key,
    title: titleOf(key),
    excerpt: null,
    matched_title: null,
    description: null,
    thumbnail: hasPicture && isThumbnail(thumbnail) ? thumbnail : null,
  }
}

function dueResult(recorded, own, search) {
  const { excerpt, matched_title: matched } = own
  return {
    ...recorded,
    excerpt: isExcerpt(own, recorded.excerpt, search) ? excerpt : (recorded.excerpt ?? 'an excerpt of the page'),
    matched_title: isMatched(own, search) ? matched : recorded.matched_title,
  }
}

/** Null where the page itself is what the query asks for, otherwise a redirect with a word of it. */
function isMatched({ key, matched_title: matched }, { query, wiki, theirs }) {
  if (matched !== null) {
    const sought = query.terms.flatMap(({ words }) => words)
    const isNear = (own, word) => isForm(own, word) || own.startsWith(word)
    return (
      wiki.redirectsTo(key).includes(matched) && wordsOf(matched).some(own => sought.some(word => isNear(own, word)))
    )
  }
  return (
    answers(key, { ...query, isAny: false }, { ...wiki, redirectsTo: () => [] }) ||
    (theirs.length === 0 && wiki.exists(key))
  )
}

const entities = { amp: '&', lt: '<', gt: '>', quot: '"', '#039': "'" }
const readHtml = html => html.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#039);/g, (_, name) => entities[name])

/** True if an excerpt has words of the page, or of its redirects, in their order, and marks what was sought. */
function isExcerpt({ key, excerpt }, recorded, { query, wiki }) {
  if (typeof excerpt !== 'string') return false
  const marked = [...excerpt.matchAll(/<span class="searchmatch">([^<]*)<\/span>/g)].flatMap(([, text]) =>
    wordsOf(readHtml(text)),
  )
  const sought = query.terms.filter(({ isExcluded }) => !isExcluded).flatMap(({ words }) => words)
  const isSought = word => sought.some(other => isLike.begun(word, other) || isLike.similar(word, other))
  if (!marked.every(isSought) || (recorded?.includes('searchmatch') && marked.length === 0)) return false
  if (/<(?!span class="searchmatch">|\/span>)/.test(excerpt)) return false
  if (excerpt.trim() === '') return wordsOf(plainText(wiki.textOf(key))).length === 0
  const names = [key, ...wiki.redirectsTo(key).map(title => title.replaceAll(' ', '_'))]
  const texts = names.map(name => wordsOf(wiki.textOf(name)).join(' '))
  // A cut may leave a part of a word at either end of a line.
  const lines = readHtml(excerpt)
    .split('\n')
    .map(line => wordsOf(line).slice(1, -1).join(' '))
  return lines.every(line => texts.some(text => text.includes(line)) || isScattered(line, texts))
}

/** A text without links, templates and tags. */
function plainText(text) {
  return text.replace(/\[\[.*?\]\]|\{\{.*?\}\}|<[^>]*>|^#REDIRECT/gis, '')
}

/** The beginning of a page is shown without its markup. */
function isScattered(line, texts) {
  const words = line.split(' ')
  return texts.some(text => {
    let at = 0
    return words.every(word => {
      at = text.indexOf(word, at) + 1
      return at > 0
    })
  })
}

function dueTitles({ query, wiki, limit, theirs, own }) {
  const start = titleOf(query.typed.charAt(0).toUpperCase() + query.typed.slice(1))
  const nameOf = title => (query.place === '' ? title : title.slice(title.indexOf(':') + 1))
  const begins = title => folded(nameOf(titleOf(title))).startsWith(folded(titleOf(query.typed)).trim())
  const isTyped = title => nameOf(title).startsWith(start)
  const recorded = new Set(theirs.map(({ key }) => key))
  const isAll = folded(query.place) === 'all'
  const isFirst = (key, at) => own.findIndex(page => page.key === key) === at
  const extra = own.filter(({ key, title, matched_title: matched }, at) => {
    const found = matched === null ? title : matched
    const isKnown = matched === null ? wiki.exists(key) : wiki.redirectsTo(key).includes(matched)
    return isKnown && isFirst(key, at) && !recorded.has(key) && begins(found) && (isAll || !isTyped(found))
  })
  const due = page => ({ ...plainResult(page, { wiki }), matched_title: page.matched_title })
  return [...theirs, ...extra.map(due)].slice(0, limit).map(page => ({ ...page, excerpt: page.title }))
}
