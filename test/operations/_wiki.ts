/** Wikis for the tests of the operations: real repositories in temporary folders, edited by the operations themselves. */

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { vi } from 'vitest'
import { type CreatePageRequest, createPage } from '../../src/operations/create-page.ts'
import { type UpdatePageRequest, updatePage } from '../../src/operations/update-page.ts'
import { type OpenWikiOptions, openWiki, type Wiki } from '../../src/operations/wiki.ts'
import { initRepository } from '../../src/store/repository/init.ts'
import { afterFile } from '../_cleanup.ts'
import { copyFolder, git, gitBytes, hasGit, temporaryDirectory } from '../_setup.ts'

export const base = 'http://127.0.0.1:8080/v1'
export const ada = { name: 'Ada Example', address: 'ada@example.org' }
export const bob = { name: 'Bob Example', address: 'bob@example.org' }
export const visitor = { name: '203.0.113.5', address: '' }

export interface TestWiki {
  readonly wiki: Wiki
  readonly directory: string
}

/** Pages by title, with their text. */
export type Pages = Readonly<Record<string, string>>

/** Folders of wikis that were made, by their pages and settings. They stay until the run ends. */
const templates = new Map<string, string>()

/**
 * Makes a wiki with these pages, one commit each; `config` is its wiki.json. Wikis with the same pages and settings are copies of
 * one: a commit takes 12 ms, a copy 1.
 */
export async function newWiki(pages: Pages = {}, config?: Readonly<Record<string, unknown>>): Promise<TestWiki> {
  // A wiki without pages is as fast to create; with a fake clock a test needs commits of that time.
  if (Object.keys(pages).length === 0 || vi.isFakeTimers()) return writtenWiki(pages, config)
  const key = JSON.stringify([pages, config])
  const template = templates.get(key) ?? (await makeTemplate(pages, config))
  templates.set(key, template)
  const directory = await temporaryDirectory()
  copyFolder(template, directory)
  return { wiki: await openTestWiki(directory), directory }
}

async function makeTemplate(pages: Pages, config?: Readonly<Record<string, unknown>>): Promise<string> {
  const template = await mkdtemp(join(tmpdir(), 'wiki-template-'))
  await (await makeWiki(template, pages, config)).close()
  return template
}

/** Makes a wiki like `newWiki`, never as a copy: the given store has written the pages itself. */
export async function writtenWiki(pages: Pages = {}, config?: Readonly<Record<string, unknown>>): Promise<TestWiki> {
  const directory = await temporaryDirectory()
  return { wiki: await makeWiki(directory, pages, config), directory }
}

async function makeWiki(directory: string, pages: Pages, config?: Readonly<Record<string, unknown>>): Promise<Wiki> {
  initRepository(directory)
  const wiki = await openTestWiki(directory)
  if (config !== undefined) await commitFiles(wiki, { 'wiki.json': JSON.stringify(config) })
  for (const [title, source] of Object.entries(pages)) await create(wiki, title, source)
  return wiki
}

/** Opens a wiki that is closed at the end of the file. */
export async function openTestWiki(directory: string, options: Omit<OpenWikiOptions, 'directory'> = {}): Promise<Wiki> {
  const wiki = await openWiki({ ...options, directory })
  afterFile(() => wiki.close())
  return wiki
}

/** Opens a copy of a wiki's folder, because many tests start with the same wiki. */
export async function copyOfWiki(original: string): Promise<TestWiki> {
  const directory = join(await temporaryDirectory(), 'wiki')
  copyFolder(original, directory)
  if (hasGit) git(directory, 'update-index', '-q', '--refresh')
  return { wiki: await openTestWiki(directory), directory }
}

/** Creates a page and returns the id of its revision. */
export async function create(
  wiki: Wiki,
  title: string,
  source: string,
  request: Partial<CreatePageRequest> = {},
): Promise<number> {
  const { page } = await createPage(wiki, { title, source, comment: 'created', author: ada, ...request })
  return page.latest.id
}

/** Saves the next revision of a page and returns its id. */
export async function edit(
  wiki: Wiki,
  title: string,
  source: string,
  request: Partial<UpdatePageRequest> = {},
): Promise<number> {
  await wiki.store.refresh()
  const key = title.replaceAll(' ', '_')
  const base = wiki.store.findPage(key)!.latest
  const { page } = await updatePage(wiki, { title, source, base, comment: 'edited', author: ada, ...request })
  return page.latest.id
}

/** Commits files by their paths, as git would; null deletes one. */
export async function commitFiles(wiki: Wiki, files: Readonly<Record<string, string | Buffer | null>>): Promise<void> {
  const changes = Object.entries(files).map(([path, text]) => ({
    path,
    content: text === null ? null : Buffer.from(text),
  }))
  await wiki.store.commit(() => ({ changes, author: ada, comment: 'by hand', subject: 'By hand' }))
}

/** Writes a file of the work tree. */
export async function writeWork(directory: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true })
  await writeFile(join(directory, path), text)
}

/** The text of a file at the tip, as git returns it. */
export function gitText(directory: string, path: string): string {
  return gitBytes(directory, 'show', `HEAD:${path}`).toString()
}

/** Paths at the tip. */
export function gitPaths(directory: string): string[] {
  return git(directory, 'ls-tree', '-r', '--name-only', '-z', 'HEAD').split('\0').filter(Boolean)
}

/** Number of commits on the branch. */
export function commitCount(directory: string): number {
  return Number(git(directory, 'rev-list', '--count', 'HEAD'))
}

/** Message of the last commit. */
export function lastMessage(directory: string): string {
  return git(directory, 'log', '-1', '--format=%B').trimEnd()
}
