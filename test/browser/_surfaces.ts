/** Every place that shows text of other people, in one wiki full of attacks: documents for a browser to open. */

import { WikiError } from '../../src/core/errors.ts'
import type { Wiki } from '../../src/index.ts'
import { addFile } from '../../src/operations/add-file.ts'
import { createPage } from '../../src/operations/create-page.ts'
import { findPages } from '../../src/operations/search-pages.ts'
import { createApp } from '../../src/rest/app.ts'
import { serve } from '../../src/rest/serve.ts'
import { wiki as command } from '../cli/harness.ts'
import { ada, commitFiles, newWiki } from '../operations/_wiki.ts'
import type { Given, Planned, Shot } from './_chromium.ts'
import { markdownAttacks, wikitextAttacks } from './attacks.ts'
import { fileAttacks, svgAttacks } from './svg-attacks.ts'

/** A wiki of attacks, and ways to send requests to it. */
export interface AttackedWiki {
  readonly wiki: Wiki
  readonly directory: string
  /** Address of its server. */
  readonly origin: string
  readonly close: () => Promise<void>
  /** Sends a request to the server without a socket. */
  readonly ask: (path: string, body?: unknown) => Promise<Given>
  /** First and last revision of a page. */
  readonly revisions: (title: string) => readonly [first: number, last: number]
}

const siteName = '</title><script>xss()</script>" onclick="xss()'
const author = (name: string) => ({ name, address: 'x@example.org' })
const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"/>')

/** Writes all attacks into a wiki, each page twice, so that there is something to compare. */
export async function attackedWiki(): Promise<AttackedWiki> {
  const { wiki, directory } = await newWiki({ Tide: 'Low.', 'Template:Say': '{{{1}}}' }, { name: siteName })
  const texts = [
    ...wikitextAttacks.map((text, at) => [`A/${at}.wiki`, text] as const),
    ...markdownAttacks.map((text, at) => [`M/${at}.md`, text] as const),
  ]
  await commitFiles(wiki, Object.fromEntries(texts))
  const again = texts.map(([path, text]) => [path, `${text}\n\nword${path.replace(/\W/g, '')} ${text}`] as const)
  await commitFiles(wiki, Object.fromEntries(again))
  await addFile(wiki, { name: 'Tide.svg', content: drawing, comment: null, author: ada })
  await wiki.store.refresh()
  const app = createApp(wiki)
  const server = await serve(wiki, { port: 0 })
  const { origin } = new URL(server.url)
  const revisions = (title: string): readonly [number, number] => {
    const page = wiki.store.findPage(title)!
    const ids = [...wiki.store.revisionsOf(page)].map(({ id }) => id)
    return [ids.at(-1)!, ids[0]!]
  }
  const ask = (path: string, body?: unknown) => request(app, `${origin}${path}`, body)
  return { wiki, directory, origin, revisions, ask, close: server.close }
}

/** Number of names or files that one page shows. */
const shownTogether = 25

/** Adds drawings, files that claim another format, and drawings with these names; returns the names of the files. */
export async function addFiles({ wiki }: AttackedWiki, names: readonly string[]): Promise<string[]> {
  const files = [
    ...svgAttacks.map((text, at) => [`S${at}.svg`, Buffer.from(text)] as const),
    ...fileAttacks.map(([extension, text], at) => [`F${at}.${extension}`, Buffer.from(text, 'latin1')] as const),
    ...names.filter(isFileName).map(name => [`File:${name}.svg`, drawing] as const),
  ]
  const added: string[] = []
  for (const [name, content] of files) {
    const file = { name, content, comment: null, author: ada }
    if (await isTaken(addFile(wiki, file))) added.push(name.replace(/^File:/, ''))
  }
  await addLists(wiki, 'All files', added, name => `[[File:${name}|thumb|alt=x|x]]`)
  return added
}

/** Slashes, colons and number signs mean something else in a file's name. */
const isFileName = (name: string): boolean => !/[/:#]|^_/.test(name)

/** Returns true if a wiki accepts a name that only an attacker would choose. */
async function isTaken(writing: Promise<unknown>): Promise<boolean> {
  try {
    await writing
    return true
  } catch (error) {
    if (error instanceof WikiError) return false
    throw error
  }
}

/** Adds pages of these names, and pages that name them all; returns the names. */
export async function addNames({ wiki }: AttackedWiki, names: readonly string[]): Promise<string[]> {
  const added: string[] = []
  for (const name of names) {
    const page = { title: `N ${name}`, source: 'x', comment: null, author: ada }
    if (await isTaken(createPage(wiki, page))) added.push(name)
  }
  const links = (name: string) => `[[N ${name}]] [[${name}]] {{${name}}} [[Category:${name}]] [[#${name}]]`
  await addLists(wiki, 'All names', added, links)
  return added
}

async function addLists(wiki: Wiki, title: string, names: readonly string[], show: (name: string) => string) {
  for (let at = 0; at < names.length; at += shownTogether) {
    const source = names
      .slice(at, at + shownTogether)
      .map(show)
      .join('\n\n')
    await createPage(wiki, { title: `${title}/${at / shownTogether}`, source, comment: null, author: ada })
  }
}

const listsOf = (title: string, names: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(names.length / shownTogether) }, (_, at) => segment(`${title}/${at}`))

/** Adds a page for each line: its summary, and its author where that can be a name. */
export async function addLines({ wiki }: AttackedWiki, lines: readonly string[]): Promise<void> {
  for (const [at, line] of lines.entries()) {
    const source = `~~~~ {{REVISIONUSER}} {{SITENAME}}`
    const written = { title: `L/${at}`, source, comment: line, author: author(line) }
    await createPage(wiki, written).catch(() => createPage(wiki, { ...written, author: ada }))
  }
}

async function request(app: ReturnType<typeof createApp>, url: string, body: unknown): Promise<Given> {
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const headers = { 'content-type': 'application/json' }
  const response = await app.request(url, { headers, ...sent })
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  }
}

/** A response without its policy: its content must be harmless without it. */
function bare(html: string): Given {
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: html }
}

const textOf = ({ body }: Given): string => body.toString()
/** The HTML in a JSON response; a redirect is an HTML response. */
const htmlIn = (given: Given): string => (given.status === 200 ? JSON.parse(textOf(given)).html : textOf(given))
const segment = (text: string): string => encodeURIComponent(text)

/** The places that show a page: the URL that a browser requests, or the document that it gets. */
type Surface = (wiki: AttackedWiki, page: AttackedPage) => Promise<Shot['open']> | Shot['open']

/** A page whose text is an attack. */
export interface AttackedPage {
  readonly title: string
  readonly text: string
  /** A word that only this page has. */
  readonly word: string
}

const pageOf = ({ title }: AttackedPage): string => `/v1/page/${segment(title)}`

/** All surfaces that show the text of a page. */
export const pageSurfaces: Readonly<Record<string, Surface>> = {
  'html without its policy': async ({ ask }, page) => bare(textOf(await ask(`${pageOf(page)}/html`))),
  'edit html without its policy': async ({ ask }, page) => bare(textOf(await ask(`${pageOf(page)}/html?flavor=edit`))),
  html: (_, page) => `${pageOf(page)}/html`,
  'edit html': (_, page) => `${pageOf(page)}/html?flavor=edit`,
  fragment: (_, page) => `${pageOf(page)}/html?flavor=fragment`,
  'with_html, opened': (_, page) => `${pageOf(page)}/with_html`,
  'with_html, shown': async ({ ask }, page) => bare(htmlIn(await ask(`${pageOf(page)}/with_html`))),
  source: (_, page) => pageOf(page),
  lint: (_, page) => `${pageOf(page)}/lint`,
  history: (_, page) => `${pageOf(page)}/history`,
  reading: (_, { title }) => `/wiki/${title}`,
  'revision html': ({ revisions }, { title }) => `/v1/revision/${revisions(title)[0]}/html`,
  'revision with_html': async ({ ask, revisions }, { title }) =>
    bare(htmlIn(await ask(`/v1/revision/${revisions(title)[0]}/with_html`))),
  'comparison, opened': ({ revisions }, { title }) => `/v1/revision/${revisions(title).join('/compare/')}`,
  'wiki compare --html': async ({ directory, revisions }, { title }) => {
    const argv = ['compare', ...revisions(title).map(String), '--html']
    return bare((await command(argv, { cwd: directory })).stdout)
  },
  transform: ({ ask }, { text }) => ask('/v1/transform/wikitext/to/html', { wikitext: text }),
  'transform, the body without its policy': async ({ ask }, { text }) =>
    bare(textOf(await ask('/v1/transform/wikitext/to/html/A', { wikitext: text, body_only: true }))),
  'lint of a transform': ({ ask }, { text }) => ask('/v1/transform/wikitext/to/lint', { wikitext: text }),
  'search, opened': (_, { word }) => `/v1/search/page?q=${word}`,
  'search, excerpts shown': async ({ wiki }, { word }) => {
    const { results } = await findPages(wiki, { q: word })
    return bare(results.pages.map(({ excerpt }) => `<p>${excerpt}</p>`).join(''))
  },
  'html to wikitext and back': async ({ ask }, { text }) => {
    const wikitext = textOf(await ask('/v1/transform/html/to/wikitext', { html: text }))
    return bare(textOf(await ask('/v1/transform/wikitext/to/html', { wikitext })))
  },
  'edit html to wikitext and back': async ({ ask }, page) => {
    const html = textOf(await ask(`${pageOf(page)}/html?flavor=edit`))
    const wikitext = textOf(await ask('/v1/transform/html/to/wikitext', { html }))
    return bare(textOf(await ask('/v1/transform/wikitext/to/html', { wikitext })))
  },
}

/** The pages of a wiki of attacks. */
export const attackedPages: readonly AttackedPage[] = [
  ...wikitextAttacks.map((text, at) => ({ title: `A/${at}`, text, word: `wordA${at}wiki` })),
  ...markdownAttacks.map((text, at) => ({ title: `M/${at}`, text, word: `wordM${at}md` })),
]

/** One surface of every page. */
export function pageShots(wiki: AttackedWiki, surface: string): Planned[] {
  return attackedPages.map(page => ({
    name: `${surface}: ${page.text}`,
    make: () => pageSurfaces[surface]!(wiki, page),
  }))
}

/** Files unchanged, as pictures, and described; and pages that show all of them. */
export function fileShots(names: readonly string[]): Planned[] {
  const paths = names.map(segment).flatMap(name => {
    return [`/files/${name}`, `/files/thumb/${name}/40px`, `/v1/file/${name}`, `/v1/page/File%3A${name}/html`]
  })
  const lists = listsOf('All files', names)
  return opened([...paths, ...lists.flatMap(list => [`/v1/page/${list}/html`, `/v1/page/${list}/links/media`])])
}

/** Pages with these names, and pages that name them. */
export function nameShots(wiki: AttackedWiki, names: readonly string[]): Planned[] {
  const paths = names
    .map(name => segment(`N ${name}`))
    .flatMap(name => {
      return [`/v1/page/${name}/html`, `/v1/page/${name}`, `/wiki/${name}`, `/v1/page/n${name.slice(1)}/html`]
    })
  const lists = [...listsOf('All names', names), ...listsOf('All files', names)]
  return [...opened([...paths, ...lists.map(list => `/v1/page/${list}/html`)]), ...unprotected(wiki, lists)]
}

/** Pages as readers and editors get them, protected by nothing but the HTML. */
function unprotected({ ask }: AttackedWiki, segments: readonly string[]): Planned[] {
  return segments.flatMap(title =>
    ['view', 'edit'].map(flavor => ({
      name: `${title}, ${flavor}, without its policy`,
      make: async () => bare(textOf(await ask(`/v1/page/${title}/html?flavor=${flavor}`))),
    })),
  )
}

/** Summaries and user names: pages that name their authors, histories, comparisons. */
export function lineShots(wiki: AttackedWiki, lines: readonly string[]): Planned[] {
  const { directory, revisions } = wiki
  const titles = lines.map((_, at) => `L%2F${at}`)
  const compared = lines.map((line, at) => ({
    name: `wiki compare --html: ${line}`,
    make: async () => {
      const argv = ['compare', String(revisions('A/0')[0]), String(revisions(`L/${at}`)[0]), '--html']
      return bare((await command(argv, { cwd: directory })).stdout)
    },
  }))
  const paths = titles.flatMap(title => [`/v1/page/${title}/html`, `/v1/page/${title}/history`])
  return [...opened(paths), ...unprotected(wiki, titles), ...compared]
}

/** The parts of a request that responses repeat: search terms, and every missing name. */
export function askedShots(lines: readonly string[]): Planned[] {
  const asked = lines
    .map(segment)
    .flatMap(line => [
      ...[`/v1/page/${line}/html`, `/v1/page/${line}`, `/wiki/${line}`, `/${line}`, `/v1/${line}`, `/files/${line}`],
      ...[`/v1/search/page?q=${line}`, `/v1/search/title?q=${line}`, `/v1/page/Tide/html?flavor=${line}`],
      ...[`/v1/page/Tide/history/counts/${line}`, `/v1/revision/${line}/compare/${line}`, `/v1/file/${line}.png`],
    ])
  return opened(['/v1/search', '/specs/v0/module/-', '/specs/v0/discovery', '/', '/style.css', ...asked])
}

function opened(paths: readonly string[]): Planned[] {
  return paths.map(path => ({ name: path, make: () => path }))
}
