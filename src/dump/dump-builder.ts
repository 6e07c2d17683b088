/** Builds the parts of a dump from the elements of an export, by a table of elements and fields. */

import type { DumpContributor, DumpItem, DumpNamespace, DumpPage, DumpRevision, DumpSite } from './dump.ts'

/** Thrown for invalid content of a dump; the reader adds file and line. */
export class BrokenPart extends Error {}

type Attributes = Readonly<Record<string, string>>

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] }

interface Contributor {
  name: string | null
  id: number | null
  address: string | null
  hidden: boolean
}

/** The parts being read. */
interface Parts {
  site: Mutable<DumpSite> & { namespaces: DumpNamespace[] }
  page: Mutable<DumpPage>
  isPageReported: boolean
  revision: Mutable<DumpRevision>
  contributor: Contributor
  fileName: string
}

/** Handles the end of an element. `put` emits a finished item. */
type Closer = (parts: Parts, text: string, attributes: Attributes, put: (item: DumpItem) => void, line: number) => void

/** End handlers of elements, by their path without `mediawiki`. Other elements are skipped. */
const closers: Readonly<Record<string, Closer>> = {
  '/siteinfo/sitename': ({ site }, text) => {
    site.name = text
  },
  '/siteinfo/dbname': ({ site }, text) => {
    site.database = text
  },
  '/siteinfo/base': ({ site }, text) => {
    site.base = text
  },
  '/siteinfo/case': ({ site }, text) => {
    site.isCaseSensitive = text === 'case-sensitive'
  },
  '/siteinfo/namespaces/namespace': ({ site }, name, attributes) => {
    const isCaseSensitive = attributes.case === undefined ? site.isCaseSensitive : attributes.case === 'case-sensitive'
    site.namespaces.push({ id: integer(attributes.key ?? '', 'namespace key'), name, isCaseSensitive })
  },
  '/siteinfo': ({ site }, _, __, put, line) => put({ kind: 'site', site, line }),
  '/page/title': ({ page }, text) => {
    page.title = text
  },
  '/page/ns': ({ page }, text) => {
    page.namespace = integer(text, 'ns')
  },
  '/page/id': ({ page }, text) => {
    page.id = integer(text, 'id')
  },
  '/page/redirect': ({ page }, text, { title }) => {
    page.redirect = title ?? (text === '' ? null : text)
  },
  '/page': (parts, _, __, put, line) => emitPage(parts, put, line),
  '/page/revision/id': ({ revision }, text) => {
    revision.id = integer(text, 'id')
  },
  '/page/revision/parentid': ({ revision }, text) => {
    revision.parent = integer(text, 'parentid')
  },
  '/page/revision/minor': ({ revision }) => {
    revision.minor = true
  },
  '/page/revision/model': ({ revision }, text) => {
    revision.model = text.trim() || null
  },
  '/page/revision/format': ({ revision }, text) => {
    revision.format = text.trim() || null
  },
  '/page/revision/sha1': ({ revision }, text) => {
    revision.sha1 = text.trim() || null
  },
  '/page/revision/text': ({ revision }, text, attributes) => {
    revision.text = textOf(text, attributes)
  },
  '/page/revision/content': ({ revision }) => {
    revision.otherSlots++
  },
  '/page/revision': (parts, _, __, put, line) => {
    const { revision } = parts
    revision.contributor = contributorOf(parts.contributor)
    checkTime(revision.time)
    put({ kind: 'revision', revision, line })
  },
  '/page/upload/filename': (parts, text) => {
    parts.fileName = text
  },
  '/page/upload': (parts, _, __, put, line) => {
    const { time, comment } = parts.revision
    checkTime(time)
    const upload = { fileName: parts.fileName, time, comment, contributor: contributorOf(parts.contributor) }
    put({ kind: 'upload', upload, line })
  },
  ...both('timestamp', ({ revision }, text) => {
    revision.time = secondsOf(text.trim())
  }),
  ...both('comment', ({ revision }, text, attributes) => {
    revision.comment = isHidden(attributes) ? null : text
  }),
  ...both('contributor', ({ contributor }, _, attributes) => {
    contributor.hidden = isHidden(attributes)
  }),
  ...both('contributor/username', ({ contributor }, text) => {
    contributor.name = oneLine(text)
  }),
  ...both('contributor/id', ({ contributor }, text) => {
    contributor.id = integer(text, 'contributor id')
  }),
  ...both('contributor/ip', ({ contributor }, text) => {
    contributor.address = oneLine(text)
  }),
}

function both(element: string, closer: Closer): Record<string, Closer> {
  return { [`/page/revision/${element}`]: closer, [`/page/upload/${element}`]: closer }
}

const root = 'mediawiki'

export class DumpBuilder {
  /** True after the root's end. */
  isEnded = false
  #items: DumpItem[] = []
  readonly #parts: Parts = { ...blankParts(), site: blankSite() }
  /** Open elements: path and attributes. */
  readonly #open: { path: string; attributes: Attributes }[] = []
  #text: string[] = []
  #textLength = 0
  #isRead = false

  /** Takes the finished parts. */
  take(): DumpItem[] {
    const items = this.#items
    this.#items = []
    return items
  }

  open(name: string, attributes: Attributes, line: number): void {
    const above = this.#open.at(-1)
    if (above === undefined) this.#openRoot(name, attributes)
    const path = above === undefined ? '' : `${above.path}/${name}`
    this.#open.push({ path, attributes })
    this.#text = []
    this.#textLength = 0
    this.#isRead = Object.hasOwn(closers, path)
    if (path === '/page') Object.assign(this.#parts, blankParts())
    else if (path === '/page/revision' || path === '/page/upload') this.#beginRevision(line)
  }

  #openRoot(name: string, attributes: Attributes): void {
    if (name !== root) throw new BrokenPart(`it is not a MediaWiki export: its first element is <${name.slice(0, 40)}>`)
    this.#parts.site.language = attributes['xml:lang'] ?? ''
  }

  #beginRevision(line: number): void {
    emitPage(this.#parts, item => this.#items.push(item), line)
    const { revision, contributor } = blankParts()
    Object.assign(this.#parts, { revision, contributor })
  }

  text(text: string, limit: number): void {
    if (!this.#isRead) return
    this.#textLength += text.length
    if (this.#textLength > limit) throw new BrokenPart(`a text is longer than ${limit / 1024 / 1024} MiB`)
    this.#text.push(text)
  }

  close(line: number): void {
    const { path, attributes } = this.#open.pop() as { path: string; attributes: Attributes }
    if (this.#open.length === 0) this.isEnded = true
    const text = this.#text.length === 1 ? (this.#text[0] as string) : this.#text.join('')
    if (this.#isRead || Object.hasOwn(closers, path))
      closers[path]?.(this.#parts, text, attributes, item => this.#items.push(item), line)
    this.#text = []
    this.#textLength = 0
    this.#isRead = false
  }
}

function emitPage(parts: Parts, put: (item: DumpItem) => void, line: number): void {
  if (parts.isPageReported) return
  if (parts.page.title === '') throw new BrokenPart('a page has no title')
  parts.isPageReported = true
  put({ kind: 'page', page: parts.page, line })
}

function blankSite(): Parts['site'] {
  return { name: '', database: '', base: '', language: '', isCaseSensitive: false, namespaces: [] }
}

function blankParts(): Omit<Parts, 'site'> {
  return {
    page: { title: '', namespace: null, id: null, redirect: null },
    isPageReported: false,
    revision: {
      id: null,
      parent: null,
      time: Number.NaN,
      contributor: { kind: 'hidden' },
      minor: false,
      comment: '',
      model: null,
      format: null,
      text: '',
      sha1: null,
      otherSlots: 0,
    },
    contributor: { name: null, id: null, address: null, hidden: false },
    fileName: '',
  }
}

function contributorOf({ name, id, address, hidden }: Contributor): DumpContributor {
  if (hidden) return { kind: 'hidden' }
  if (address !== null && address !== '') return { kind: 'address', address }
  return name === null || name === '' ? { kind: 'hidden' } : { kind: 'user', name, id }
}

/** Null if the text is hidden or lost. A dump made without texts must not look like one of empty pages. */
function textOf(text: string, attributes: Attributes): string | null {
  if (isHidden(attributes) || attributes.missing !== undefined) return null
  if (text === '' && Number(attributes.bytes ?? 0) > 0)
    throw new BrokenPart('its texts are left out (a "stub" dump): an export with texts is needed')
  return text
}

function isHidden(attributes: Attributes): boolean {
  return attributes.deleted !== undefined
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim()
}

function integer(text: string, element: string): number {
  if (/^\s*-?\d{1,14}\s*$/.test(text)) return Number(text)
  throw new BrokenPart(`<${element}> is not a number: ${text.slice(0, 40)}`)
}

const timeForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/

function secondsOf(text: string): number {
  const milliseconds = timeForm.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(milliseconds) || milliseconds < 0)
    throw new BrokenPart(`<timestamp> is not a time since 1970: ${text.slice(0, 40)}`)
  return milliseconds / 1000
}

function checkTime(time: number): void {
  if (Number.isNaN(time)) throw new BrokenPart('a revision has no timestamp')
}
