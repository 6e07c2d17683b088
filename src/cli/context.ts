/** Context of a command: the wiki, opened on first use, the streams, and functions that print results. */

import { isAbsolute, resolve } from 'node:path'
import { isWikiError } from '../core/errors.ts'
import type { OpenWikiOptions, Wiki } from '../operations/wiki.ts'
import type { GlobalOptions } from './arguments/options.ts'
import { colourLevel, createPaint, type Paint } from './terminal/colour.ts'
import type { Io } from './terminal/io.ts'
import { openPager, type Pager, pagerCommand } from './terminal/pager.ts'
import { createProgress, type Progress } from './terminal/progress.ts'
import { ownStyles } from './terminal/terminal-guard.ts'

/** Root of the links in JSON if neither `--base-url` nor WIKI_BASE_URL is given. */
const defaultBase = 'http://127.0.0.1:8080/v1'

type ProgramChoice = NonNullable<OpenWikiOptions['programs']>

export interface Context {
  readonly io: Io
  readonly options: GlobalOptions
  /** Absolute URL of the API, without a trailing slash. */
  readonly base: string
  /** Exit status so far. */
  readonly status: number
  /** Absolute path of the directory that the command works on. */
  readonly directory: string
  /** Programs to run for each commit. */
  readonly programs: ProgramChoice
  /** Opens the wiki on first use. */
  wiki(): Promise<Wiki>
  /**
   * Returns a snapshot of the wiki, opened on first use, so that a command reads a single state. Nothing is written
   * through it.
   */
  snapshot(): Promise<Wiki>
  /** Like `snapshot`. Outside a repository it returns a wiki without pages, for commands whose text belongs to none. */
  snapshotForText(): Promise<Wiki>
  /** Styles for stdout. */
  paint(): Promise<Paint>
  /** Writes part of the result. */
  print(text: string | Uint8Array): Promise<void>
  /** True if a part of the result has been written. */
  readonly hasPrinted: boolean
  /** Writes an object of the REST API as one line. */
  printJson(body: unknown): Promise<void>
  /** Prints a message on stderr; nothing with `--quiet`. */
  say(line: string): Promise<void>
  /** Creates a progress bar; with `--quiet` it shows nothing. */
  progress(label: string): Progress
  /** Sets the exit status, which depends only on the result. */
  answer(status: 0 | 1): void
  /** Path of a file with an unsaved text. */
  readonly draft: string | undefined
  storeDraft(path: string | undefined): void
  /** Waits for the pager, then closes the wiki. */
  close(): Promise<void>
}

/**
 * Creates a command's context. `paged` sends terminal output through the pager; `byServer` means that the command
 * serves edits of other users.
 */
export function createContext(io: Io, options: GlobalOptions, { paged = false, byServer = false } = {}): Context {
  let status = 0
  let draft: string | undefined
  const asked = options.dir ?? (io.env.WIKI_DIR || '.')
  const directory = isAbsolute(asked) ? asked : resolve(io.cwd, asked)
  const progressOf = (label: string) => createProgress(io.stderr, label, { isShown: !options.quiet })
  const progress = progressOf('Reading history')
  const programs = programsOf(options, { byServer, say: line => void io.stderr.write(`${line}\n`).catch(() => {}) })
  const wikis = lazyWikis(
    () => open(directory, { io, progress, indexing: progressOf('Reading pages'), options, programs }),
    { mayBeMissing: asked === '.' },
  )
  const pager = once(() => startPager(io, options, paged))
  let hasPrinted = false
  const print = async (text: string | Uint8Array) => {
    hasPrinted = true
    await progress.clear()
    return ((await pager.value()) ?? io.stdout).write(text)
  }
  return {
    io,
    options,
    programs,
    directory,
    base: (options.baseUrl ?? (io.env.WIKI_BASE_URL || defaultBase)).replace(/\/+$/, ''),
    get status() {
      return status
    },
    wiki: wikis.wiki,
    snapshot: wikis.snapshot,
    snapshotForText: wikis.snapshotForText,
    paint: once(async () => ownStyles(await createPaint(colourLevel(io.stdout, io.env, options.color)))).value,
    print,
    get hasPrinted() {
      return hasPrinted
    },
    printJson: body => print(`${JSON.stringify(body)}\n`),
    say: async line => {
      await progress.clear()
      if (!options.quiet) await io.stderr.write(`${line}\n`)
    },
    progress: progressOf,
    answer: code => {
      status = code
    },
    get draft() {
      return draft
    },
    storeDraft: path => {
      draft = path
    },
    close: async () => {
      await Promise.all([(await pager.made())?.close(), wikis.close(), progress.clear()])
    },
  }
}

/** The wiki and its snapshot, each opened on first use. With `mayBeMissing` a text needs no repository. */
function lazyWikis(open: () => Promise<Wiki>, { mayBeMissing }: { readonly mayBeMissing: boolean }) {
  const wiki = once(open)
  const snapshot = once(async () => {
    const { openSnapshot } = await import('../operations/wiki.ts')
    return openSnapshot(await wiki.value())
  })
  const emptyWiki = once(async () => {
    const { openEmptyWiki } = await import('../operations/empty-wiki.ts')
    return openEmptyWiki()
  })
  return {
    wiki: wiki.value,
    snapshot: snapshot.value,
    snapshotForText: () =>
      snapshot.value().catch(error => {
        if (!mayBeMissing || !isWikiError(error, 'wiki-not-found')) throw error
        return emptyWiki.value()
      }),
    close: async () => {
      const made = [wiki, snapshot, emptyWiki].map(value => value.made()?.catch(() => undefined))
      const [opened, read, empty] = await Promise.all(made)
      read?.store.close()
      await Promise.all([opened?.close(), empty?.close()])
    },
  }
}

/** A lazily created value. `made` returns it only if it exists. */
function once<T>(make: () => Promise<T>): { value(): Promise<T>; made(): Promise<T> | undefined } {
  let value: Promise<T> | undefined
  return {
    value: () => {
      value ??= make()
      return value
    },
    made: () => value,
  }
}

async function startPager(io: Io, options: GlobalOptions, paged: boolean): Promise<Pager | null> {
  const command = paged && options.pager && !options.json && !options.jsonl ? pagerCommand(io) : null
  return command === null ? null : openPager(command, io)
}

interface Opening {
  readonly io: Io
  readonly progress: Progress
  readonly indexing: Progress
  readonly options: GlobalOptions
  readonly programs: ProgramChoice
}

async function open(directory: string, { io, progress, indexing, options, programs }: Opening): Promise<Wiki> {
  const { openWiki } = await import('../operations/wiki.ts')
  const { parseCacheBytes } = await import('../core/cache-shares.ts')
  const say = (line: string): unknown => io.stderr.write(`${line}\n`).catch(() => {})
  return openWiki({
    directory,
    branch: options.branch,
    programs,
    ...(!programs.byServer && { environment: io.env }),
    ...(options.memory !== undefined && { cacheBytes: parseCacheBytes('memory', options.memory) }),
    progress: progress.report,
    searchProgress: indexing.report,
    ...(!options.quiet && { notice: say }),
  })
}

/**
 * Milliseconds that a hook or signing program may take: at a terminal the user may have to type a passphrase; on a
 * server a client waits.
 */
const personPatience = 10 * 60_000
const clientPatience = 60_000

/** Edits on the command line run hooks and are signed as with `git commit`; edits over a server only if configured. */
function programsOf(
  { verify, hooks = false, sign = false }: GlobalOptions,
  { byServer, say }: { byServer: boolean; say: (line: string) => void },
): ProgramChoice {
  if (byServer) return { hooks: hooks ? 'all' : 'none', sign, byServer, patience: clientPatience, say }
  return { hooks: verify === false ? 'unverified' : 'all', sign: true, patience: personPatience, say }
}
