/** A local wiki with the revisions of the recorded one up to a point, and the ids of both. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { product } from './product.mjs'
import { dumpUpTo } from './recording.mjs'

const { openWiki, createPage, updatePage, writeConfig, hideRevision, importDump, initRepository } = product

/** Interwiki prefixes, and bots, which an export does not contain. */
const codes =
  'ar bg ca cs da de el en eo es et eu fa fi fr gl he hi hr hu id is it ja ko la lt lv nb nl nn no pl pt ro ru sh simple sk sl sr sv th tr uk vi zh zh-classical zh-min-nan zh-yue'.split(
    ' ',
  )
const settings = {
  languages: Object.fromEntries(codes.map(code => [code, `https://${code}.example.org/wiki/$1`])),
  interwiki: { fariw: 'https://far.example.org/wiki/$1' },
  bots: ['RestBot'],
  merge: 'lines',
  // There JSON and CSS are pages like others, which everybody writes.
  editableFiles: ['**'],
}

/** Creates the wiki in a temporary folder. `license` is that of the recorded responses. */
export async function createWiki(dump, { license, last, media }) {
  const directory = mkdtempSync(join(tmpdir(), 'gitwiki-rest-'))
  initRepository(directory)
  const wiki = await openWiki({ directory })
  await importDump(wiki, { dump: Readable.from([Buffer.from(dumpUpTo(dump, last))]), files: media })
  const author = { name: 'Replay', address: 'replay@example.org' }
  for (const [path, value] of Object.entries({ ...settings, license })) {
    const typed = typeof value === 'string' ? value : JSON.stringify(value)
    await writeConfig(wiki, { path, value: typed, author, comment: null })
  }
  return new RecordedWiki(wiki, { dump, directory, last })
}

/** Names of the parts of a revision that an export marks as hidden. */
const hiddenParts = { text: 'text', comment: 'comment', contributor: 'user' }

class RecordedWiki {
  #ours = new Map()
  #theirs = new Map()
  #addresses = new Map()
  #made = new Set()
  #dumped = new Set()

  constructor(wiki, { dump, directory, last }) {
    this.wiki = wiki
    this.dump = dump
    this.directory = directory
    this.last = last
    for (const { revisions } of dump.pages) for (const { id } of revisions) this.#dumped.add(id)
    this.#match()
    const names = execFileSync('git', ['log', '--format=%an%x00%ae'], { cwd: directory, encoding: 'utf8' })
    for (const line of new Set(names.split('\n'))) this.#addresses.set(...line.split('\0'))
  }

  /** The commits of an import contain the original id of each revision. */
  #match() {
    const format = '--format=%H %(trailers:key=Wiki-Revision,valueonly,separator=%x20)'
    const log = execFileSync('git', ['log', format], { cwd: this.directory, encoding: 'utf8', maxBuffer: 1 << 28 })
    const named = new Map(log.split('\n').map(line => line.split(' ')))
    for (const page of this.wiki.store.pages()) {
      for (const { id, commit } of this.wiki.store.revisionsOf(page)) {
        if (named.get(commit)) this.name(Number(named.get(commit)), id)
      }
    }
  }

  /** Maps a recorded revision to one of ours. */
  name(theirs, ours) {
    this.#ours.set(theirs, ours)
    this.#theirs.set(ours, theirs)
  }

  /** Records that an exchange made a revision, whose time is that of the replay. */
  nameMade(theirs, ours) {
    this.name(theirs, ours)
    this.#made.add(theirs)
  }

  /** True for a revision that an exchange made, not the import. */
  isMade(id) {
    return this.#made.has(id) || (typeof id === 'number' && id > 0 && !this.#dumped.has(id))
  }

  ours(theirs) {
    return this.#ours.get(theirs)
  }

  theirs(ours) {
    return this.#theirs.get(ours)
  }

  has(title) {
    return this.#pageOf(title) !== undefined
  }

  #pageOf(title) {
    const key = title.replaceAll(' ', '_')
    return this.wiki.store.findPage(key) ?? this.wiki.store.findPage(key.slice(0, 1).toUpperCase() + key.slice(1))
  }

  /** A page as it is now: its key, content model, latest revision and source; null if there is none. */
  async describe(title) {
    const page = typeof title === 'string' ? this.#pageOf(title) : undefined
    if (page === undefined) return null
    const source = await this.#sourceAt(page.latest)
    return { key: page.key, model: page.model, latest: page.latest, source }
  }

  /** Source of a recorded revision. */
  async sourceOf(theirs) {
    return this.#sourceAt(this.ours(theirs))
  }

  async #sourceAt(id) {
    const text = await this.wiki.store.text(this.wiki.store.revision(id, { deleted: true }))
    return text.endsWith('\n') ? text.slice(0, -1) : text
  }

  /** Saves a revision of which only the existence is known; `id` is its recorded one. */
  async save(title, id, { source, content_model: contentModel }) {
    const page = this.#pageOf(title)
    const text = source ?? `A text that is not recorded: ${id ?? title}`
    const edit = { title, source: text, comment: 'not recorded', author: this.authorOf('Alice') }
    const saved =
      page === undefined
        ? await createPage(this.wiki, { ...edit, contentModel })
        : await updatePage(this.wiki, { ...edit, base: page.latest })
    if (id !== null) this.nameMade(id, saved.page.latest.id)
  }

  authorOf(name) {
    return { name, address: this.#addresses.get(name) ?? '' }
  }

  /** Hides what the export marks as hidden. */
  async hide() {
    for (const { id, hidden } of this.dump.pages.flatMap(({ revisions }) => revisions)) {
      if (hidden.length === 0 || this.ours(id) === undefined) continue
      const parts = hidden.map(part => hiddenParts[part])
      const request = { id: this.ours(id), parts, reason: '', comment: null, author: this.authorOf('Admin') }
      await hideRevision(this.wiki, request)
    }
  }

  /** Saves the recorded revisions that came after the last one and up to this one, unless an exchange made them. */
  async advance(last) {
    if (last <= this.last) return
    const isNew = ({ id }) => id > this.last && id <= last && this.ours(id) === undefined
    const found = this.dump.pages.flatMap(page => page.revisions.filter(isNew).map(revision => ({ page, revision })))
    for (const { page, revision } of found.sort((a, b) => a.revision.id - b.revision.id))
      await this.#save(page, revision)
    this.last = last
  }

  async #save({ key, title }, { id, text, comment, minor, user, time, model }) {
    const entry = this.wiki.store.findPage(key)
    const edit = { title, source: text, comment, minor, author: this.authorOf(user), time: new Date(time) }
    const saved =
      entry === undefined
        ? await createPage(this.wiki, { ...edit, contentModel: model })
        : await updatePage(this.wiki, { ...edit, base: entry.latest })
    if (saved.changed !== false) this.name(id, saved.page.latest.id)
  }

  async close() {
    await this.wiki.close()
    rmSync(this.directory, { recursive: true, force: true })
  }
}
