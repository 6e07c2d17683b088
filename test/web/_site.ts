/** A wiki's pages as a browser gets them, without a browser: requests in process, and HTML as a tree. */

import { type DefaultTreeAdapterTypes, parse } from 'parse5'
import { expect } from 'vitest'
import type { Wiki } from '../../src/operations/wiki.ts'
import { type AppOptions, createApp } from '../../src/rest/app.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { newWiki, type Pages } from '../operations/_wiki.ts'

type Node = DefaultTreeAdapterTypes.ChildNode
export type Element = DefaultTreeAdapterTypes.Element

/** A page that was checked. */
export interface ShownPage {
  readonly status: number
  readonly headers: Headers
  readonly html: string
  readonly elements: readonly Element[]
  /** Text of the body. */
  readonly text: string
}

export interface Site {
  readonly wiki: Wiki
  /** Sends a request as a browser does, without following redirects. */
  readonly ask: (path: string, init?: RequestInit) => Promise<Response>
  /** Requests a page, and checks the invariants of every page. */
  readonly page: (path: string, init?: RequestInit) => Promise<ShownPage>
}

/** Makes a wiki and serves its pages. */
export async function newSite(
  pages: Pages = {},
  config?: Readonly<Record<string, unknown>>,
  options: AppOptions = {},
): Promise<Site> {
  return siteOf((await newWiki(pages, config)).wiki, options)
}

/** Serves the pages of a wiki. */
export function siteOf(wiki: Wiki, options: AppOptions = {}): Site {
  const app = createApp(wiki, { pages: async () => handlePage, ...options })
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> =>
    app.request(`http://localhost:8080${path}`, {
      ...init,
      headers: { accept: 'text/html,*/*;q=0.8', host: 'localhost:8080', ...init.headers },
    })
  return { wiki, ask, page: async (path, init) => checkedPage(path, await ask(path, init)) }
}

export async function checkedPage(path: string, response: Response): Promise<ShownPage> {
  const html = await response.text()
  const document = parse(html)
  const elements = [...elementsIn(document.childNodes)]
  const faults = faultsOf(elements, response.headers)
  expect(faults, `${path} (${response.status})`).toEqual([])
  const body = elements.find(({ tagName }) => tagName === 'body')
  return { status: response.status, headers: response.headers, html, elements, text: textOf(body?.childNodes ?? []) }
}

/** Faults of a page, one per line. */
function faultsOf(elements: readonly Element[], headers: Headers): string[] {
  const named = (name: string): Element[] => elements.filter(({ tagName }) => tagName === name)
  const ids = elements.flatMap(element => attributeOf(element, 'id') ?? [])
  return [
    ...(headers.get('content-security-policy')?.includes("base-uri 'none'") ? [] : ['it has no policy of ours']),
    ...(named('h1').length === 1 ? [] : [`it has ${named('h1').length} h1`]),
    ...(named('main').length === 1 ? [] : [`it has ${named('main').length} main`]),
    ...(['style', 'base', 'iframe', 'object', 'embed'] as const).flatMap(name =>
      named(name).length > 0 ? [name] : [],
    ),
    ...named('script').flatMap(script => scriptFault(script)),
    ...elements.flatMap(({ attrs }) => attrs.filter(({ name }) => name.startsWith('on')).map(({ name }) => name)),
    ...named('a').flatMap(link =>
      /^(?:https?:\/\/|\/|#|\?|mailto:)/.test(attributeOf(link, 'href') ?? '#')
        ? []
        : [`a link to ${attributeOf(link, 'href')}`],
    ),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map(id => `two elements have the id ${id}`),
    // It takes minutes for a long text.
    ...named('textarea').flatMap(box => (attributeOf(box, 'dir') === 'auto' ? ['a text box with dir=auto'] : [])),
    ...named('img').flatMap(image => (attributeOf(image, 'alt') === undefined ? ['a picture without alt'] : [])),
  ]
}

function scriptFault(script: Element): string[] {
  const source = attributeOf(script, 'src') ?? ''
  return source.startsWith('/-/') && script.childNodes.length === 0 ? [] : [`a script: ${source}`]
}

/** Returns the value of an attribute. */
export function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find(attribute => attribute.name === name)?.value
}

/** Returns the text inside nodes. */
export function textOf(nodes: readonly Node[]): string {
  return nodes
    .map(node => ('value' in node ? node.value : 'childNodes' in node ? textOf(node.childNodes) : ''))
    .join('')
}

/** Returns the targets of a page's links, in their order. */
export function linksOf({ elements }: ShownPage): string[] {
  return elements.flatMap(element => (element.tagName === 'a' ? (attributeOf(element, 'href') ?? []) : []))
}

function* elementsIn(nodes: readonly Node[]): Generator<Element> {
  for (const node of nodes) {
    if (!('tagName' in node)) continue
    yield node
    yield* elementsIn(node.childNodes)
  }
}
