/**
 * Every way of writing over HTTP, to files of every kind that a title can name, by everybody. A refused request changes nothing, and
 * an owner's is done: the writer asks once, for all of them.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modelOfPath } from '../../src/core/content-models.ts'
import { createToken } from '../../src/operations/tokens.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { routeTables } from '../../src/rest/routes.ts'
import { type RunningServer, serve } from '../../src/rest/serve.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { actionNames, findRoute, specialNames } from '../../src/web/routes.ts'
import { firstOf } from '../_rounds.ts'
import { madeOnce } from '../_setup.ts'
import { commitFiles, copyOfWiki, newWiki } from '../operations/_wiki.ts'
import { bearer, sending } from './_asking.ts'

/** A file that the owner guards: its path, its title, and the page of the same model that may be moved there. */
interface Guarded {
  readonly path: string
  readonly title: string
  readonly from: string | null
  readonly text: string
}

const prose = (path: string, from: string): Guarded => {
  const title = from === 'Plain' ? path.replace(/\.md$/, '') : path
  return { path, title, from, text: 'new text\n' }
}
const code = (path: string, title = path): Guarded => ({ path, title, from: null, text: '{}\n' })

const pages: readonly Guarded[] = [
  code('package.json'),
  code('wiki-baseline.json'),
  code('build.js'),
  code('custom.css'),
  code('User/Ada/common.js', 'User:Ada/common.js'),
  code('User/Ada/common.css', 'User:Ada/common.css'),
  code('User/Ada/common.json', 'User:Ada/common.json'),
  code('MediaWiki/Common.css', 'MediaWiki:Common.css'),
  prose('requirements.txt', 'Notes.txt'),
  prose('src/CMakeLists.txt', 'Notes.txt'),
  prose('robots.txt', 'Notes.txt'),
  prose('tests/test_all.txt', 'Notes.txt'),
  prose('AGENTS.md', 'Plain'),
  prose('PULL_REQUEST_TEMPLATE.md', 'Plain'),
]
const mediaFiles: readonly Guarded[] = [
  { path: 'File/requirements.txt', title: 'File:requirements.txt', from: null, text: 'new text\n' },
]

/** The parts of a request. */
interface Scene {
  readonly wiki: Wiki
  readonly root: string
  readonly headers: Readonly<Record<string, string>>
}

interface Way {
  /** The route that it takes: of the API, or the name of an action or a special page. */
  readonly route: string
  readonly files: readonly Guarded[]
  readonly send: (scene: Scene, file: Guarded) => Promise<Response>
}

const movable = pages.filter(({ from }) => from !== null)
const renamed = (title: string) => title.replace(/([^/:]+)$/, 'made/$1')
const gone = (title: string) => title.replace(/([^/:]+)$/, 'gone/$1')
const latestOf = ({ wiki }: Scene, title: string) =>
  wiki.store.findPage(title.replaceAll(' ', '_').replace(/^./, first => first.toUpperCase()))!.latest
const versionsOf = async ({ wiki }: Scene, path: string) => wiki.store.fileVersions({ path }, 5)

function api(
  method: string,
  path: (file: Guarded) => string,
  body: (scene: Scene, file: Guarded) => unknown,
): Way['send'] {
  return async (scene, file) =>
    fetch(`${scene.root}/v1${path(file)}`, sending(method, body(scene, file), scene.headers))
}

function form(
  path: (file: Guarded) => string,
  fields: (scene: Scene, file: Guarded) => Record<string, string> | Promise<Record<string, string>>,
): Way['send'] {
  return async (scene, file) => {
    const body = new URLSearchParams({ token: '+\\', ...(await fields(scene, file)) })
    return fetch(`${scene.root}/wiki/${path(file)}`, {
      method: 'POST',
      body,
      headers: scene.headers,
      redirect: 'manual',
    })
  }
}

const named = ({ title }: Guarded) => encodeURIComponent(title)
const fileName = ({ title }: Guarded) => encodeURIComponent(title.slice('File:'.length))
const dry = { dryRun: true }

const ways: Readonly<Record<string, Way>> = {
  create: {
    route: 'POST /page',
    files: pages,
    send: api(
      'POST',
      () => '/page',
      (_, { path, title, text }) => ({
        title: renamed(title),
        source: text,
        comment: '',
        content_model: modelOfPath(path),
      }),
    ),
  },
  'create at an address': {
    route: 'PUT /page/{title}',
    files: pages,
    send: api(
      'PUT',
      ({ title }) => `/page/${encodeURIComponent(renamed(title))}`,
      (_, { path, text }) => ({ source: text, comment: '', content_model: modelOfPath(path) }),
    ),
  },
  update: {
    route: 'PUT /page/{title}',
    files: pages,
    send: api(
      'PUT',
      file => `/page/${named(file)}`,
      (scene, { title, text }) => ({
        ...{ source: text, comment: '', latest: { id: latestOf(scene, title) } },
      }),
    ),
  },
  delete: {
    route: 'DELETE /page/{title}',
    files: pages,
    send: api(
      'DELETE',
      file => `/page/${named(file)}`,
      (scene, { title }) => ({ latest: { id: latestOf(scene, title) } }),
    ),
  },
  'delete, asked only': {
    route: 'DELETE /page/{title}',
    files: pages,
    send: api(
      'DELETE',
      file => `/page/${named(file)}`,
      (scene, { title }) => ({ latest: { id: latestOf(scene, title) }, ...dry }),
    ),
  },
  'move away': {
    route: 'POST /page/{title}/move',
    files: pages,
    send: api(
      'POST',
      file => `/page/${named(file)}/move`,
      (_, { title }) => ({ to: renamed(title), redirect: false }),
    ),
  },
  'move there': {
    route: 'POST /page/{title}/move',
    files: movable,
    send: api(
      'POST',
      ({ from }) => `/page/${from}/move`,
      (_, { title }) => ({ to: renamed(title) }),
    ),
  },
  'move there, asked only': {
    route: 'POST /page/{title}/move',
    files: movable,
    send: api(
      'POST',
      ({ from }) => `/page/${from}/move`,
      (_, { title }) => ({ to: renamed(title), ...dry }),
    ),
  },
  'move with links in it': {
    route: 'POST /page/{title}/move',
    files: movable.filter(({ from }) => from === 'Plain'),
    send: api(
      'POST',
      () => '/page/Linked/move',
      () => ({ to: 'Elsewhere', updateLinks: true }),
    ),
  },
  undo: {
    route: 'POST /page/{title}/undo',
    files: pages,
    send: api(
      'POST',
      file => `/page/${named(file)}/undo`,
      (scene, { title }) => ({ revision: latestOf(scene, title) }),
    ),
  },
  'undo, asked only': {
    route: 'POST /page/{title}/undo',
    files: pages,
    send: api(
      'POST',
      file => `/page/${named(file)}/undo`,
      (scene, { title }) => ({ revision: latestOf(scene, title), ...dry }),
    ),
  },
  restore: {
    route: 'POST /page/{title}/restore',
    files: [...pages, ...mediaFiles],
    send: api(
      'POST',
      ({ title }) => `/page/${encodeURIComponent(gone(title))}/restore`,
      () => ({}),
    ),
  },
  'restore, asked only': {
    route: 'POST /page/{title}/restore',
    files: [...pages, ...mediaFiles],
    send: api(
      'POST',
      ({ title }) => `/page/${encodeURIComponent(gone(title))}/restore`,
      () => dry,
    ),
  },
  'upload a file': {
    route: 'PUT /file/{title}',
    files: mediaFiles,
    send: async ({ root, headers }, file) =>
      fetch(`${root}/v1/file/made%2F${fileName(file)}`, { method: 'PUT', body: file.text, headers }),
  },
  'upload a version': {
    route: 'PUT /file/{title}',
    files: mediaFiles,
    send: async ({ root, headers }, file) =>
      fetch(`${root}/v1/file/${fileName(file)}`, { method: 'PUT', body: file.text, headers }),
  },
  'delete a file': {
    route: 'DELETE /file/{title}',
    files: mediaFiles,
    send: api(
      'DELETE',
      file => `/file/${fileName(file)}`,
      () => ({}),
    ),
  },
  'save the form': {
    route: 'edit',
    files: pages,
    send: form(
      file => `${named(file)}?action=edit`,
      (scene, { title, text }) => ({
        ...{ do: 'save', text, summary: '', base: String(latestOf(scene, title)) },
      }),
    ),
  },
  'submit the form': {
    route: 'submit',
    // The model follows from the title.
    files: pages.filter(({ title, from }) => title.includes(':') || from === 'Plain'),
    send: form(
      ({ title }) => `${encodeURIComponent(renamed(title))}?action=submit`,
      (_, { text }) => ({
        ...{ do: 'save', text, summary: '', base: '0' },
      }),
    ),
  },
  'move form': {
    route: 'movepage',
    files: pages,
    send: form(
      file => `Special:MovePage/${named(file)}`,
      (_, { title }) => ({ to: renamed(title), redirect: '1' }),
    ),
  },
  'move form, to there': {
    route: 'movepage',
    files: movable,
    send: form(
      ({ from }) => `Special:MovePage/${from}`,
      (_, { title }) => ({ to: renamed(title), redirect: '1' }),
    ),
  },
  'delete form': {
    route: 'deletepage',
    files: pages,
    send: form(
      file => `Special:DeletePage/${named(file)}`,
      () => ({}),
    ),
  },
  'restore form': {
    route: 'restorepage',
    files: pages,
    send: form(
      ({ title }) => `Special:RestorePage/${encodeURIComponent(gone(title))}`,
      () => ({}),
    ),
  },
  'upload form': {
    route: 'upload',
    files: mediaFiles,
    send: async ({ root, headers }, { title, text }) => {
      const body = new FormData()
      body.set('token', '+\\')
      body.set('name', renamed(title).slice('File:'.length))
      body.set('file', new Blob([text]), 'x.txt')
      return fetch(`${root}/wiki/Special:Upload`, { method: 'POST', body, headers, redirect: 'manual' })
    },
  },
  'revert form': {
    route: 'revertfile',
    files: mediaFiles,
    send: async (scene, file) => {
      const [, older] = await versionsOf(scene, file.path)
      return form(
        () => `Special:RevertFile/${named(file)}?version=${older!.commit}`,
        () => ({}),
      )(scene, file)
    },
  },
}

/** Forms that write no file that a title names: settings need an admin, and the others are about the sender. */
const elsewhere = ['userlogin', 'userlogout', 'settings', 'tokens']

/** Operations that write and only the command line and the library call, whose user owns the repository. */
const ofOwners = [
  'apply-patch',
  'commit-work',
  'configure',
  'fix-problems',
  'hide-revision',
  'import-dump',
  'init-wiki',
  'migrate-layout',
  'replace-text',
  'restore-edits',
  'undo-commit',
]
/** Operations of the ways above; `configure` is that of the settings' form, which needs an admin. */
const ofEditors = [
  'add-file',
  'create-page',
  'delete-page',
  'move-page',
  'restore-page',
  'undo-revisions',
  'update-page',
]

const repository = madeOnce(async () => {
  const { wiki, directory } = await newWiki({}, { anonymousEdits: true })
  const paths = [...pages, ...mediaFiles].map(({ path }) => path)
  const all = (text: string | null, rename = (path: string) => path) =>
    Object.fromEntries(
      paths.map(path => [rename(path), text === null ? null : path.endsWith('.md') ? `[[Linked]] ${text}` : text]),
    )
  await commitFiles(wiki, {
    ...all('[1]\n'),
    ...all('[1]\n', gone),
    'Notes.txt': 'notes',
    'Plain.md': 'plain',
    'Linked.md': '',
  })
  await commitFiles(wiki, { ...all('[1, 2]\n'), ...all(null, gone) })
  await wiki.close()
  return directory
})

const running: RunningServer[] = []
afterAll(async () => {
  for (const server of running) await server.close()
})

type Role = 'anonymous' | 'editor' | 'owner'

/** Serves a copy of the repository. */
async function scenes(): Promise<Record<Role, Scene>> {
  const { wiki } = await copyOfWiki(await repository())
  await wiki.store.refresh()
  const server = await serve(wiki, { port: 0, pages: async () => handlePage })
  running.push(server)
  const root = server.url.replace(/\/v1$/, '')
  const of = async (scopes?: string[]) => bearer((await createToken(wiki, { name: 'Ada', scopes })).token)
  return {
    anonymous: { wiki, root, headers: {} },
    editor: { wiki, root, headers: await of() },
    owner: { wiki, root, headers: await of(['admin']) },
  }
}

/** Refused requests change nothing, so they share one. */
let shared: Record<Role, Scene>
beforeAll(async () => {
  shared = await scenes()
})

describe('every way of writing', () => {
  test('of the API has a row', () => {
    const writing = routeTables.flatMap(({ routes }) => routes).filter(({ writes }) => writes !== undefined)
    const routes = new Set(Object.values(ways).map(({ route }) => route))
    expect(
      [...new Set(writing.map(({ method, path }) => `${method} ${path}`))].filter(route => !routes.has(route)),
    ).toEqual([])
  })

  test('of the pages has a row', () => {
    const { anonymous } = shared
    const actions = actionNames.filter(name => findRoute(anonymous.wiki, 'X', name)?.route.post !== undefined)
    const specials = specialNames.filter(name => findRoute(anonymous.wiki, `Special:${name}`, undefined)?.route.post)
    const routes = new Set(Object.values(ways).map(({ route }) => route))
    expect([...actions, ...specials].filter(name => !routes.has(name))).toEqual(elsewhere)
  })

  test('is an operation of editors, or one that no server calls', () => {
    const read = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith('.ts'))
        .map(name => [name, readFileSync(join(folder, name), 'utf8')] as const)
    const writing = read('src/operations').filter(([, text]) => /\b(?:store|session)\.commit\(/.test(text))
    expect(writing.map(([name]) => name.replace(/\.ts$/, '')).sort()).toEqual([...ofEditors, ...ofOwners].sort())
    const served = ['src/http', 'src/rest', 'src/web'].flatMap(read).map(([, text]) => text)
    const called = ofOwners.filter(name => served.some(text => text.includes(`/operations/${name}.ts'`)))
    expect(called).toEqual(['configure'])
  })
})

describe.each(Object.entries(ways))('%s', (_, { files, send }) => {
  test('is refused to anonymous users and editors, and changes nothing', async () => {
    const { anonymous, editor } = shared
    const before = anonymous.wiki.store.branchTip()
    for (const [role, scene] of Object.entries({ anonymous, editor }))
      for (const file of files) {
        const response = await send(scene, file)
        const text = await response.text()
        const isRefused =
          response.status === 403 && /"errorKey":"protectedpagetext"|Only an owner may change/.test(text)
        expect([role, file.path, isRefused ? 'refused' : `${response.status} ${text.slice(0, 500)}`]).toEqual([
          role,
          file.path,
          'refused',
        ])
        expect(scene.wiki.store.branchTip()).toBe(before)
      }
  })

  test('is done for an owner', { tags: 'rounds' }, async () => {
    for (const file of firstOf([files.at(-1)!, ...files.slice(0, -1)], 1)) {
      const { owner } = await scenes()
      const response = await send(owner, file)
      const outcome = response.status < 400 ? 'done' : `${response.status} ${await response.text()}`
      expect([file.path, outcome]).toEqual([file.path, 'done'])
    }
  })
})

describe('the setting editableFiles', () => {
  const write = async ({ root, headers }: Scene, title: string) => {
    const body = { title, source: '{}', comment: '', content_model: modelOfPath(title) }
    return (await fetch(`${root}/v1/page`, sending('POST', body, headers))).status
  }

  test('opens the files that it names, as they are spelled, and no others', async () => {
    const { editor } = await scenes()
    const editableFiles = ['data/*.json', 'User/*/*.css', 'Robots.txt', '**/wiki.json']
    await commitFiles(editor.wiki, {
      'wiki.json': JSON.stringify({ editableFiles }),
      'data/a.json': '{}',
      'robots.txt': null,
    })
    const statuses: [string, number][] = []
    for (const title of [
      'Data/b.json',
      'User:Bo/common.css',
      'Robots.txt',
      'Data/a/b.json',
      'User:Bo/common.js',
      'x.json',
    ])
      statuses.push([title, await write(editor, title)])
    expect(statuses.map(([, status]) => status)).toEqual([201, 201, 201, 403, 403, 403])
    expect(editor.wiki.store.isGuarded('wiki.json')).toBe(true)
  })
})
