/** A wiki of wikitext and one of Markdown with one page for each situation of MediaWiki's REST API reference, and requests to them. */

import { vi } from 'vitest'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { createToken } from '../../src/operations/tokens.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import type { Store } from '../../src/store/store.ts'
import { until } from '../_wait.ts'
import { contentFor, mp4, png, svg, wav } from '../media/_files.ts'
import { commitFiles, create, edit, newWiki, visitor } from '../operations/_wiki.ts'
import { bearer, cookieOf, sending } from './_asking.ts'

export const models = ['wikitext', 'markdown'] as const
export type Model = (typeof models)[number]

/** The markup of each kind of wiki. */
export const markup = {
  wikitext: {
    extension: 'wiki',
    heading: (text: string, level = 2) => `${'='.repeat(level)} ${text} ${'='.repeat(level)}`,
    picture: (name: string) => `[[File:${name}]]`,
    languages: '[[de:Buche]]\n[[fr:Grand hêtre]]',
  },
  markdown: {
    extension: 'md',
    heading: (text: string, level = 2) => `${'#'.repeat(level)} ${text}`,
    picture: (name: string) => `![](${name})`,
    languages: '[[de:Buche]]\n[[fr:Grand hêtre]]',
  },
} as const

export interface Asked {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: each row looks at its own members.
  readonly body: any
}

/** A wiki, the ids of its revisions by their names, and requests to it. */
export interface Scene {
  readonly wiki: Wiki
  readonly ids: Readonly<Record<string, number>>
  readonly csrf: string
  /** The header of a session. */
  readonly session: { readonly cookie: string }
  readonly raw: (path: string, init?: RequestInit) => Promise<Response>
  readonly ask: (path: string, init?: RequestInit) => Promise<Asked>
  /** As the holder of a token. */
  readonly write: (method: string, path: string, body: unknown, type?: string) => Promise<Asked>
  /** With the cookie of a session. */
  readonly withCookie: (method: string, path: string, body: object) => Promise<Asked>
}

export const photo = png(1600, 1200)
export const license = { url: 'https://example.org/l', title: 'Free' }

/** Paragraphs that are long enough to be recognised where they move. */
export const paragraphs = [
  'The first paragraph tells of the bark, which stays smooth and grey for a hundred years.',
  'A second paragraph tells of the leaves, which are bright green in May and copper in autumn.',
  'Another paragraph tells of the nuts, which pigs and jays and squirrels like very much.',
]

/** Number of pages about one subject, more than a search returns when no limit is named. */
export const orchard = 52

const files = {
  'Photo.png': photo,
  'Sound.wav': wav(2),
  'Drawing.svg': svg('width="40" height="30"'),
  'Film.mp4': mp4(64, 48, { seconds: 3 }),
  'Paper.pdf': contentFor('Paper.pdf', '1.4'),
}

/** Texts of the pages that are edited again, from the first on. */
function histories(model: Model): Readonly<Record<string, readonly string[]>> {
  const { heading, languages } = markup[model]
  const moved = [...paragraphs.slice(1), paragraphs[0]]
  return {
    Lines: ['a\nb\nc\nd\ne\nf\ng\nh', 'a\nb\nc\nd\nE\nf\n\ng'],
    Sections: [
      `ê\n\n${heading('One')}\n\n${heading('Two', 4)}\n\n${heading('Deep', 5)}`,
      `ê\n\n${heading('One')}\n\n${heading('Two', 4)}\n\n${heading('Deep', 5)}\n\nend`,
    ],
    Words: [
      `${heading('Bark')}\nsmooth bark\n${languages}`,
      `${heading('Bark')}\nsmooth grey bark\n${languages}`,
      'smooth bark of an old tree',
      'smooth bark of a tree',
    ],
    Moved: [paragraphs, moved, [...moved.slice(0, 2), `${moved[2]} Or more.`]].map(lines => lines.join('\n')),
    Accents: ['un hêtre gris', 'un hêtre très gris'],
    Rowan: ['one', 'two', 'one'],
    Merge: ['one\ntwo\nthree', 'one\ntwo\nfour'],
    Clash: ['one\ntwo\nthree', 'one\ntwo\nfour'],
    Update: ['one', 'two'],
  }
}

export async function makeScene(model: Model): Promise<Scene> {
  const { picture, heading, languages, extension } = markup[model]
  const { wiki } = await newWiki({}, { license, languages: { de: 'https://d.example/$1', fr: 'https://f.example/$1' } })
  const contentModel = model
  const pictures = (count: number) => Array.from({ length: count }, (_, at) => picture(`N${at}.png`)).join('\n')
  const pages: Readonly<Record<string, string>> = {
    Beech: `${heading('Bark')}\nsmooth bark\n\n${languages}`,
    'Talk:Beech': 'zebra',
    Wood: 'wood',
    Gallery: pictures(101),
    Hundred: pictures(100),
    Pictures: `${picture('Photo.png')}\n\n${picture('Sound.wav')}`,
    'A/b': 'sub',
    Bare: 'no links',
    Secret: 'a',
    Binary: 'text',
    'Old beech wood': 'a title of three words',
  }
  const ids: Record<string, number> = {}
  await commitFiles(wiki, files)
  for (const [title, text] of Object.entries(pages)) ids[title] = await create(wiki, title, text, { contentModel })
  await create(wiki, 'Old tree', '#REDIRECT [[Beech]]', { contentModel: 'wikitext' })
  await create(wiki, 'User:Ada/x.json', '{}')
  await create(wiki, 'Described', '---\ndescription: Wood of a tree\n---\ncarpenters', { contentModel: 'markdown' })
  ids.minor = await edit(wiki, 'Beech', `${heading('Bark')}\nsmooth grey bark\n\n${languages}`, { minor: true })
  ids.anonymous = await edit(wiki, 'Beech', 'one\ntwo\nthree', { author: visitor, comment: '' })
  ids.bot = await edit(wiki, 'Beech', `${heading('Bark')}\none\ntwo\nfour with lichen\n\n${languages}`, { bot: true })
  for (let at = 0; at < 21; at++) await edit(wiki, 'Bare', `text ${at}`)
  for (const [title, texts] of Object.entries(histories(model)))
    for (const [at, text] of texts.entries())
      ids[`${title} ${at}`] =
        at === 0 ? await create(wiki, title, text, { contentModel }) : await edit(wiki, title, text)
  const many = Array.from({ length: orchard }, (_, at) => [`Apple ${at}.${extension}`, 'an orchard'])
  await commitFiles(wiki, Object.fromEntries(many))
  await commitFiles(wiki, { [`Binary.${extension}`]: 'a\0b' })
  await wiki.store.refresh()
  ids['Binary 1'] = wiki.store.findPage('Binary')!.latest
  await edit(wiki, 'Secret', 'b')
  await hideRevision(wiki, { id: ids.Secret!, parts: ['text'], author: visitor, comment: null, reason: '' })
  return { ids, ...(await asking(wiki)) }
}

/** Pages that any reader can read as a whole, few of those about one subject. */
export function titlesOf(wiki: Wiki): string[] {
  const keys = [...wiki.store.pages()].map(({ key }) => key)
  return keys.filter(key => key !== 'Secret' && key !== 'Binary' && !/^Apple_\d\d/.test(key))
}

async function asking(wiki: Wiki): Promise<Omit<Scene, 'ids'>> {
  const app = createApp(wiki, { log: () => {} })
  const raw = async (path: string, init?: RequestInit) =>
    app.request(path.startsWith('http') ? path : `http://localhost/v1${path}`, init)
  const ask = async (path: string, init?: RequestInit) => answered(await raw(path, init))
  await until('every page is indexed', async () => {
    const { status, headers } = await ask('/search/page?q=a')
    return (status === 200 && !headers.has('wiki-missing-pages')) || undefined
  })
  const { token } = await createToken(wiki, { name: 'Ada', address: 'ada@example.org' })
  const login = await app.request('/v1/session', sending('POST', { token }))
  const session = { cookie: cookieOf(login) }
  const { csrf_token: csrf } = (await login.json()) as { csrf_token: string }
  return {
    wiki,
    csrf,
    session,
    raw,
    ask,
    write: (method, path, body, type = 'application/json') =>
      ask(path, sending(method, body, { ...bearer(token), 'content-type': type })),
    withCookie: (method, path, body) => ask(path, sending(method, body, session)),
  }
}

async function answered(response: Response): Promise<Asked> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

/** A request to a scene. */
export type Request = (scene: Scene) => Promise<Asked>
/** A path, or one with the ids of revisions. */
type Path = string | ((ids: Scene['ids']) => string)

export const get =
  (path: Path): Request =>
  ({ ask, ids }) =>
    ask(typeof path === 'string' ? path : path(ids))

export const write =
  (method: string, path: string, body: object | string | ((ids: Scene['ids']) => object), type?: string): Request =>
  scene =>
    scene.write(method, path, typeof body === 'function' ? body(scene.ids) : body, type)

export const withCookie =
  (method: string, path: string, body: (csrf: string) => object): Request =>
  scene =>
    scene.withCookie(method, path, body(scene.csrf))

/** A second request, which shows what the first one did. */
export const after =
  (first: Request, second: Request): Request =>
  async scene => {
    const { status, body } = await first(scene)
    if (status >= 400) throw new Error(JSON.stringify(body))
    return second(scene)
  }

/** The address that a response names. */
export const leading =
  (first: Request, address: (response: Asked) => string): Request =>
  async scene =>
    scene.ask(new URL(address(await first(scene)), 'http://localhost').href)

/** A server of the same wiki, whose search index fails. */
export const withoutIndex =
  (path: string): Request =>
  async ({ wiki }) => {
    const search = () => Promise.reject(new Error('a broken index'))
    return answered(await createApp({ ...wiki, search }, { log: () => {} }).request(path))
  }

/** The response where the index has so many revisions of a kind. */
export const counting =
  (type: string, count: number): Request =>
  async ({ wiki, ask }) => {
    const store: Store = Object.getPrototypeOf(wiki.store)
    const { findPage } = store
    const spies = [
      vi.spyOn(store, 'config', 'get').mockReturnValue({ ...wiki.store.config, hidden: {} }),
      vi.spyOn(store, 'countOf').mockReturnValue(count),
      vi.spyOn(store, 'visitRevisions').mockResolvedValue(true),
      vi.spyOn(store, 'findPage').mockImplementation(function (this: Store, key) {
        const page = findPage.call(this, key)
        return page && { ...page, edits: count }
      }),
    ]
    try {
      return await ask(`/page/Rowan/history/counts/${type}?asked=${count}`)
    } finally {
      for (const spy of spies) spy.mockRestore()
    }
  }
