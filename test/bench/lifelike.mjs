/** The commits of a generated wiki with realistic edits, in the format of `git fast-import`. */
import { keyOf, pathOf } from './generated-paths.mjs'

/** Numbers of commits between two side branches that are merged, two moves, two deletions. */
const mergeEvery = 101
const moveEvery = 499
const deleteEvery = 1499
/** A page with this many lines stops growing; only its texts change. */
const grownLines = 60
const start = 1_300_000_000
/** Seconds between two commits. */
const pace = 400

/** Returns the blocks of all commits. The second half creates no new pages. */
export function* lifelikeCommits({ pages, commits, layout }) {
  const wiki = new GeneratedWiki(pages, layout)
  yield settingsBlock(wiki, layout)
  while (wiki.commits < commits) yield* nextBlocks(wiki, commits)
}

function* nextBlocks(wiki, commits) {
  const at = wiki.commits
  if (wiki.created < wiki.pages && wiki.random() < (wiki.pages - wiki.created) / Math.max(1, commits / 2 - at))
    return yield wiki.create()
  if (wiki.created < 10) return yield wiki.create()
  if (at % mergeEvery === 0) return yield* wiki.merge()
  if (at % moveEvery === 0) return yield wiki.move()
  if (at % deleteEvery === 0) return yield wiki.remove()
  yield wiki.edit(wiki.anyPage())
}

class GeneratedWiki {
  commits = 0
  created = 0
  /** Line numbers of each page's text; null for one that was deleted. */
  #lines = []
  /** Paths that no longer match the page's number. */
  #moved = new Map()
  random = randomNumbers(20_261_121)

  constructor(pages, layout) {
    this.pages = pages
    this.layout = layout
  }

  create() {
    const page = this.created++
    this.#lines.push(Array.from({ length: lengthOf(this.random) }, () => this.#anySentence()))
    return this.#commit('main', `Start page ${page}`, [this.#written(page)])
  }

  edit(page) {
    this.#change(page)
    return this.#commit('main', this.#comment(page), [this.#written(page)])
  }

  /** A commit on a side branch, one beside it on the main line, and the merge of both. */
  *merge() {
    const [there, here] = [this.anyPage(), this.anyPage()]
    if (there === here) return yield this.edit(here)
    this.#change(there)
    yield 'reset refs/heads/side\nfrom refs/heads/main\n\n'
    yield this.#commit('side', `Beside: page ${there}`, [this.#written(there)])
    this.#change(here)
    yield this.#commit('main', this.#comment(here), [this.#written(here)])
    yield this.#commit('main', 'Merge a side branch', [this.#written(there)], 'merge refs/heads/side\n')
  }

  /** Renames the page; half of the time a redirect stays. */
  move() {
    const page = this.#latePage()
    const from = this.#pathOf(page)
    const to = pathOf(`${page}_moved_${this.commits}`, this.layout)
    this.#moved.set(page, to)
    const redirect = `#REDIRECT [[${keyOf(`${page}_moved_${this.commits}`, this.layout)}]]\n`
    const left = this.random() < 0.5 ? [`M 100644 inline ${from}\n${data(redirect)}`] : []
    return this.#commit('main', `Move page ${page}`, [`R ${from} ${to}\n`, ...left])
  }

  remove() {
    const page = this.#latePage()
    this.#lines[page] = null
    return this.#commit('main', `Delete page ${page}`, [`D ${this.#pathOf(page)}\n`])
  }

  /** Few pages get most edits: the frequency of a page is about one divided by its rank. */
  anyPage() {
    for (;;) {
      const page = Math.floor(this.created ** this.random()) - 1
      if (this.#lines[page]) return page
    }
  }

  /** A page of the later half, which few edit. */
  #latePage() {
    for (;;) {
      const page = Math.floor(this.created * (0.5 + this.random() / 2))
      if (this.#lines[page]) return page
    }
  }

  #change(page) {
    const lines = this.#lines[page]
    const kind = this.random()
    if (kind < 0.1 && lines.length < grownLines) lines.splice(this.#place(lines), 0, this.#anySentence())
    else if (kind < 0.15 && lines.length > 4) lines.splice(this.#place(lines), 1)
    else lines[this.#place(lines)] = this.#anySentence()
  }

  #place(lines) {
    return Math.floor(this.random() * lines.length)
  }

  #anySentence() {
    return Math.floor(this.random() * sentences.length)
  }

  #pathOf(page) {
    return this.#moved.get(page) ?? pathOf(page, this.layout)
  }

  #written(page) {
    const lines = this.#lines[page]
    const text = `'''Page ${page}''' is a page. See [[${keyOf(linkedPage(page), this.layout)}]].\n\n`
    let body = ''
    for (let at = 0; at < lines.length; at++) body += at % 12 === 11 ? sections[lines[at] & 255] : sentences[lines[at]]
    const picture = page % 10 === 0 ? `[[File:Buoy.svg|thumb|A buoy]]\n[[de:Seite ${page}]]\n` : ''
    return `M 100644 inline ${this.#pathOf(page)}\n${data(`${text}${body}${picture}[[Category:Group ${page % 40}]]\n`)}`
  }

  #comment(page) {
    const minor = this.random() < 0.2 ? '\n\nWiki-Minor: true' : ''
    return `Change page ${page}: ${sentences[this.#anySentence()].slice(0, 30).trim()}${minor}`
  }

  #commit(branch, message, changes, parents = '') {
    const user = Math.floor(500 ** this.random())
    const who = `Writer ${user} <writer${user}@example.org> ${start + this.commits++ * pace} +0000`
    return `commit refs/heads/${branch}\nauthor ${who}\ncommitter ${who}\n${data(message)}${parents}${changes.join('')}\n`
  }
}

/** The first commit: settings, and a drawing that every tenth page shows. */
function settingsBlock(wiki, layout) {
  const who = `Writer 1 <writer1@example.org> ${start} +0000`
  const config = { name: 'Generated', interwiki: { de: 'https://de.example.org/$1' } }
  const settings = `${JSON.stringify({ ...config, ...(layout === 'sharded' && { layout }) }, null, 2)}\n`
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="9"/></svg>\n'
  const files = `M 100644 inline wiki.json\n${data(settings)}M 100644 inline File/Buoy.svg\n${data(drawing)}`
  wiki.commits++
  return `commit refs/heads/main\nauthor ${who}\ncommitter ${who}\n${data('Settings')}${files}\n`
}

function data(text) {
  return `data ${text.length}\n${text}\n`
}

/** A page that links to another always links to the same. */
function linkedPage(page) {
  return (page * 7 + 3) % 1000
}

/** Lines of a new page: half have less than 18, a few have hundreds. */
function lengthOf(random) {
  const normal = random() + random() + random() + random() - 2
  return Math.min(700, Math.max(2, Math.round(18 * Math.exp(normal * 1.5))))
}

function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo za bra cle dri flo gru pha ste tri'.split(
  ' ',
)

/** The word with this rank of sixty thousand; frequent words are short. */
function wordOf(rank) {
  let word = ''
  for (let rest = rank; rest > 0; rest = Math.floor(rest / syllables.length)) word += syllables[rest % syllables.length]
  return word
}

function makeSentences(count) {
  const random = randomNumbers(11)
  const some = length => Array.from({ length }, () => wordOf(Math.floor(60_000 ** random()))).join(' ')
  return Array.from({ length: count }, () => `${some(6 + Math.floor(random() * 14))}.\n`)
}

const sentences = makeSentences(65_536)
const sections = sentences.slice(0, 256).map(sentence => `\n== ${sentence.slice(0, 20).trim().replace('.', '')} ==\n`)
