/** Creates a wiki, or turns an existing repository into one. */

import { basename, resolve } from 'node:path'
import { configFile, parseConfig, setConfigValue } from '../core/config.ts'
import { parseTitle } from '../core/title.ts'
import type { WikiConfig } from '../core/wiki-config.ts'
import type { Author, CommitPlan, FileChange } from '../store/format/entries.ts'
import { pathOfTitle, pathRules } from '../store/format/paths.ts'
import { type DriverName, installDriver, renewDrivers } from '../store/repository/git-drivers.ts'
import { initRepository } from '../store/repository/init.ts'
import { lasting } from '../store/repository/write-failure.ts'
import type { Store } from '../store/store.ts'
import { planOf } from './editing/edit.ts'
import { settingsToChange } from './editing/settings-text.ts'
import { type OpenWikiOptions, openWiki } from './wiki.ts'

export interface InitWikiRequest {
  /** Folder of the new wiki, created if missing, or of an existing repository. */
  readonly directory: string
  readonly author: Author
  /** Time of the commit; now if omitted. */
  readonly time?: Date | undefined
  /** Settings by their dotted path, e.g. `name`; other settings of an existing wiki.json stay. */
  readonly settings?: Readonly<Record<string, string>> | undefined
  /** Creates a bare repository, for a server. */
  readonly bare?: boolean | undefined
  /** Allows a repository of its own inside the work tree of another one. */
  readonly nested?: boolean | undefined
  /** Tells git, in this clone, to merge or to compare the wiki's texts by words. */
  readonly drivers?: readonly DriverName[] | undefined
  /** Programs that run for the commit: hooks and signing. */
  readonly programs?: OpenWikiOptions['programs']
  /** The user's environment, for the committer. */
  readonly environment?: OpenWikiOptions['environment']
}

export interface InitializedWiki {
  /** Absolute path. */
  readonly directory: string
  readonly config: WikiConfig
  /** Written paths; empty if the wiki already existed. */
  readonly written: readonly string[]
  /** Hash of the commit; null if nothing was written. */
  readonly commit: string | null
  readonly leftAlone: readonly string[]
  /** Number of pages in the wiki. */
  readonly pages: number
}

/**
 * Turns a folder into a wiki: creates a repository, wiki.json and a main page if they are missing. A repository with
 * pages only gets the given settings. Idempotent. Errors: wiki-bad-config, wiki-settings-kept, wiki-no-author, wiki-usage (a folder
 * inside another repository, no git for a driver), and those of the store's commit.
 */
export async function initWiki(request: InitWikiRequest): Promise<InitializedWiki> {
  const directory = resolve(request.directory)
  initRepository(directory, { bare: request.bare ?? false, nested: request.nested ?? false })
  await lasting(directory)
  const wiki = await openWiki({ directory, programs: request.programs, environment: request.environment })
  try {
    await renewDrivers(wiki.store.repository)
    for (const name of request.drivers ?? []) await installDriver(wiki.store.repository, name)
    const done = await fill(wiki.store, directory, request)
    await lasting(directory)
    return done
  } finally {
    await wiki.close()
  }
}

async function fill(store: Store, directory: string, request: InitWikiRequest): Promise<InitializedWiki> {
  await store.refresh()
  let changes: readonly FileChange[] = []
  const { commit, leftAlone } = await store.commit(async () => {
    changes = await missingFiles(store, directory, request)
    return changes.length === 0 ? null : initPlan(changes, request)
  })
  await store.refresh()
  const written = commit === null ? [] : changes.map(({ path }) => path)
  return { directory, config: store.config, written, commit, leftAlone, pages: store.countPages() }
}

function initPlan(changes: readonly FileChange[], { author, time }: InitWikiRequest): CommitPlan {
  return planOf(
    { author, comment: null, time },
    { changes, comment: 'Initialize the wiki', subject: 'Initialize the wiki' },
  )
}

async function missingFiles(store: Store, directory: string, request: InitWikiRequest): Promise<FileChange[]> {
  const before = await settingsToChange(store)
  const settings = request.settings ?? {}
  // A repository with pages is a wiki already, so only requested changes are made.
  if (store.countPages() > 0) {
    const after = withSettings(before, settings)
    return after === before ? [] : [{ path: configFile, content: Buffer.from(after) }]
  }
  const after = withSettings(before === '' ? newSettings(directory) : before, settings)
  const mainPage = missingMainPage(store, parseConfig(after))
  return [...(after === before ? [] : [{ path: configFile, content: Buffer.from(after) }]), ...mainPage]
}

function newSettings(directory: string): string {
  const name = basename(directory)
    .replace(/\.git$/, '')
    .replace(/[\p{Cc}\p{Surrogate}]/gu, '')
  return setConfigValue('', 'name', name.slice(0, 100))
}

function withSettings(text: string, settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings).reduce((json, [path, value]) => setConfigValue(json, path, value), text)
}

/** The main page, under the settings written with it. */
function missingMainPage(store: Store, config: WikiConfig): FileChange[] {
  const rules = pathRules(config)
  const title = parseTitle(config.mainPage, rules.titles)
  if (store.findPage(title.key) !== undefined) return []
  const welcome = `'''Welcome to ${config.name}.'''\n\nThis is the main page. Edit it, or create others beside it.\n`
  return [{ path: pathOfTitle(title, 'wikitext', rules), content: Buffer.from(welcome) }]
}
