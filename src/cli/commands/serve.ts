/** `wiki serve`: serves the REST API and the pages for browsers on this machine. */

import { resolve } from 'node:path'
import { isWikiError } from '../../core/errors.ts'
import type { PageHandler } from '../../http/page-request.ts'
import type { SignInCode } from '../../http/sign-in-code.ts'
import type { Renders } from '../../operations/rendering/renders.ts'
import type { Wiki } from '../../operations/wiki.ts'
import type { Log, LogEntry } from '../../rest/log.ts'
import type { ServeOptions } from '../../rest/serve.ts'
import { findAuthor } from '../author.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { limitHeapGrowth } from '../heap-growth.ts'
import { logLosses } from '../log-losses.ts'
import { visibleLine } from '../render/text.ts'
import { isBrokenPipe } from '../terminal/io.ts'
import { createLineLog, type LineLog } from '../terminal/line-log.ts'

interface Values {
  readonly port?: string
  readonly host?: string
  readonly readOnly?: boolean
  readonly allowAnonymous?: boolean
  readonly tokenFile?: string
  readonly trustProxy?: string
  readonly allowHost?: string
  readonly https?: boolean
  readonly basePath?: string
  readonly cors?: boolean
  readonly maxBody?: string
  readonly ui?: boolean
  readonly open?: boolean
}

/** Range of the maximum size of a request body, in bytes. */
const bodyBounds = { min: 1024, max: 1024 * 1024 * 1024 }

/** Milliseconds after the server starts to listen before it preloads what the first pages need. */
const warmUpMilliseconds = 100

/** Milliseconds after the server starts to listen before it checks for lost acknowledged edits. */
const checkMilliseconds = 1000

export const serve: Command<Values> = {
  summary: 'Serve the wiki to browsers and programs at http://127.0.0.1:8080',
  details:
    'Ctrl-C ends it. Requests are logged on stderr, with --json as one JSON object each. Anyone who can reach it may ' +
    'read; edits need a token: see wiki token create. It keeps serving the branch that it names at the start, ' +
    'even if HEAD moves to another one. Hooks and signing apply to edits on this machine; for edits over the server use --hooks and --sign.',
  options: [
    { flags: '-p, --port <port>', help: 'port to listen on; 0 chooses a free one (default: 8080)' },
    { flags: '--branch <name>', help: 'branch to serve (default: the one HEAD names now)' },
    { flags: '--host <name>', help: 'name or address to listen on (default: 127.0.0.1, this machine only)' },
    { flags: '--read-only', help: 'accept no edits' },
    { flags: '--allow-anonymous', help: 'accept anonymous edits, recorded under the IP address' },
    { flags: '--token-file <file>', help: 'keep a token of yours in this file, for tools on this machine' },
    { flags: '--trust-proxy <addresses>', help: 'trust X-Forwarded-* from these proxies: 127.0.0.1,10.0.0.0/8' },
    { flags: '--allow-host <names>', help: 'further host names that clients may use for this server' },
    { flags: '--https', help: 'clients use https, through a proxy that does not send X-Forwarded-Proto' },
    { flags: '--base-path <path>', help: 'path of a proxy below which clients see the wiki, such as /team' },
    {
      flags: '--no-cors',
      help: 'do not let pages of other sites read the wiki through a browser that can reach it',
    },
    { flags: '--max-body <bytes>', help: 'largest body of a request (default: 1 MiB and six times limits.source)' },
    { flags: '--memory <MB>', help: 'memory of all caches (default: git config wiki.serverMemory, or 60)' },
    { flags: '--hooks', help: 'run git hooks for edits (default: git config wiki.serverHooks)' },
    { flags: '--sign', help: 'sign commits if commit.gpgSign is set (default: git config wiki.serverSign)' },
    { flags: '--no-ui', help: 'serve only the API, without pages for browsers' },
    { flags: '--open', help: 'open the main page in a browser' },
  ],
  examples: [
    'wiki serve --port 8081',
    'wiki serve --read-only -C ~/wikis/cooking',
    'wiki serve --trust-proxy 127.0.0.1 --allow-host wiki.example',
  ],
  byServer: true,
  async run(context, _, values) {
    const { serve: start } = await import('../../rest/serve.ts')
    const log = createLineLog(context.io.stderr)
    const options = await serveOptions(values, entry => logEntry(context, log, entry))
    if (values.tokenFile !== undefined) await prepareToken(context, values.tokenFile)
    const wiki = await context.wiki()
    limitHeapGrowth()
    const signIn = await signInCode(context, values)
    const { servedBranch } = await import('../../operations/access/served-branch.ts')
    const served = servedBranch(wiki.store)
    if (!values.readOnly) await wiki.store.checkout.watchIndex()
    // Neither a large page nor the building of a search index may delay other requests.
    const renders = await wiki.renders()
    await wiki.useWorkers()
    wiki.useSearchWorker()
    const server = await start(wiki, { ...options, version: context.io.version(), ...(signIn !== null && { signIn }) })
    const stopped = context.io.stopped()
    try {
      // If the caller has closed stdout, the server still runs.
      await printAddress(context, server.url, served).catch(ignoreBrokenPipe)
      if (signIn !== null) {
        const print = (back: string) =>
          printSignIn(context, linkOf(server.url, signIn, back), signIn).catch(ignoreBrokenPipe)
        signIn.printWith(back => void print(back))
        await print('')
      }
      void beginSearchIndex(wiki).catch(() => {})
      // The first request takes precedence over preloading.
      const soon = setTimeout(() => void warmUp(renders, options).catch(() => {}), warmUpMilliseconds)
      const check = setTimeout(() => void logLosses(context, line => log.write(line)), checkMilliseconds)
      if (values.open) await openMainPage(context, server.url, values.ui !== false)
      await stopped
      clearTimeout(soon)
      clearTimeout(check)
    } finally {
      // Also if the wiki cannot be read: the server would run on, and no signal would end it.
      await server.close()
      served.end()
      await log.flush()
    }
  },
}

/** Builds the index in a worker before the first search. */
async function beginSearchIndex({ store, search }: Wiki): Promise<void> {
  await store.refresh()
  await search(() => null, { patience: 0 })
}

async function serveOptions(values: Values, log: Log): Promise<ServeOptions> {
  const { boundedInteger } = await import('../../operations/resources/params.ts')
  const { readOnly = false, allowAnonymous = false, https = false, maxBody } = values
  return {
    host: values.host ?? '127.0.0.1',
    port: boundedInteger('port', values.port ?? '8080', { min: 0, max: 65_535 }),
    readOnly,
    allowAnonymous,
    https,
    prefix: values.basePath ?? '',
    crossOrigin: values.cors !== false,
    trustProxy: listOf(values.trustProxy),
    allowedHosts: listOf(values.allowHost),
    ...(values.ui !== false && { pages: loadPages }),
    ...(maxBody !== undefined && { maxBodyBytes: boundedInteger('max-body', maxBody, bodyBounds) }),
    log,
  }
}

/** Loads the engine and the pages for browsers, one after the other. */
async function warmUp(renders: Renders, { pages }: ServeOptions): Promise<void> {
  await renders.warmUp()
  await pages?.()
}

/** Loads the pages for browsers after the start, so that they do not delay it. */
async function loadPages(): Promise<PageHandler> {
  return (await import('../../web/handle-page.ts')).handlePage
}

function listOf(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',').map(part => part.trim())
}

async function prepareToken(context: Context, file: string): Promise<void> {
  const { readyToken } = await import('../../operations/ready-token.ts')
  const path = resolve(context.io.cwd, file)
  const author = () => findAuthor(context, undefined)
  const { token, mayBeCommitted } = await readyToken(await context.wiki(), { path, author })
  await context.say(`A token of ${token.name} (${token.id}) is in ${path}`)
  if (mayBeCommitted) await context.say('Keep it out of commits: it is in the work tree. .git/wiki-token would not be.')
}

async function openMainPage(context: Context, url: string, hasPages: boolean): Promise<void> {
  if (!context.io.stdout.isTTY) return context.say('No browser is opened, because the output is not a terminal')
  const { openBrowser } = await import('../browser.ts')
  const page = await mainPageSegment(context)
  await openBrowser(context, hasPages ? `${siteOf(url)}/wiki/${page}` : `${url}/page/${page}/html`)
}

/** Returns the URL of the site that the API belongs to. */
function siteOf(url: string): string {
  return url.replace(/\/v1$/, '')
}

function ignoreBrokenPipe(error: unknown): void {
  if (!isBrokenPipe(error)) throw error
}

/**
 * Creates the sign-in code for the user who started the server; null if others may see the terminal or intercept the
 * link: a host other than this machine, a proxy, a program that reads the output.
 */
async function signInCode(context: Context, values: Values): Promise<SignInCode | null> {
  const isOwn = /^(?:localhost|127\.[\d.]+|::1)$/.test(values.host ?? '127.0.0.1') && values.trustProxy === undefined
  if (!isOwn || values.readOnly || values.ui === false || context.options.json) return null
  const author = await findAuthor(context, undefined).catch(error => {
    if (isWikiError(error, 'wiki-no-author')) return error
    throw error
  })
  if (isWikiError(author)) {
    await context.say(`Nobody can sign in, because git knows no name for you. Set one: ${author.hint}`)
    return null
  }
  const { createSignInCode } = await import('../../http/sign-in-code.ts')
  return createSignInCode(author)
}

/** Others may read a log, so a link goes there as the path of a file that only the user can read. */
async function printSignIn(context: Context, link: string, { owner }: SignInCode): Promise<void> {
  const place = context.io.stdout.isTTY ? link : await keptLink(context, link)
  if (place !== null)
    await context.print(`Edit as ${owner.name}: ${place} (once, for ten minutes)
`)
}

/** `back` is the title to go on to; "" for the main page. */
function linkOf(url: string, { code }: SignInCode, back: string): string {
  const link = `${siteOf(url)}/wiki/Special:UserLogin?code=${code}`
  return back === '' ? link : `${link}&returnto=${encodeURIComponent(back)}`
}

/** Null, with a message, if nothing can be written: a wiki on a disk that is read-only can be read. */
async function keptLink(context: Context, link: string): Promise<string | null> {
  const { keepSignInLink } = await import('../../operations/access/sign-in-link.ts')
  try {
    return `the link in ${keepSignInLink((await context.wiki()).store.repository, link)}`
  } catch (error) {
    if (!isWikiError(error, 'wiki-cannot-write')) throw error
    await context.say(`Nobody can sign in: ${error.message}`)
    return null
  }
}

interface ServedBranch {
  readonly branch: string
  readonly head: string
}

async function printAddress(context: Context, url: string, { branch, head }: ServedBranch): Promise<void> {
  if (context.options.json) return context.printJson({ url, branch, head, ...(await programsJson(context)) })
  const { readConfig } = await import('../../operations/configure.ts')
  const { name } = await readConfig(await context.wiki())
  const page = await mainPageSegment(context)
  const which = branch === 'HEAD' ? 'detached HEAD' : `branch ${branch}`
  await context.print(`Serving ${visibleLine(name || 'a wiki')} (${visibleLine(which)}) at ${url} (Ctrl-C ends it)\n`)
  if (branch === 'HEAD') await context.print('HEAD is detached: edits are on no branch\n')
  else if (head !== branch) await context.print(`HEAD is on ${head}: the work tree does not follow edits\n`)
  await context.print(await programsText(context))
  await context.print(`Try: curl ${url}/page/${page}\n`)
}

/**
 * Describes the programs that run for edits over the server, and those that are configured but do not run; "" if there
 * are none.
 */
async function programsText(context: Context): Promise<string> {
  const programs = await (await context.wiki()).store.commitPrograms()
  if (programs === null) return ''
  const { hooks, isSigned, leftOut } = programs
  const lines = [
    ...(hooks.length > 0 ? [`Edits run hooks: ${hooks.join(', ')}`] : []),
    ...(leftOut.hooks.length > 0
      ? [`Edits run no hooks, though there are some (${leftOut.hooks.join(', ')}): --hooks`]
      : []),
    ...(isSigned ? ['Edits are signed'] : []),
    ...(leftOut.sign ? ['Edits are not signed, though commit.gpgSign is set: --sign'] : []),
  ]
  return lines.map(line => `${line}\n`).join('')
}

/** The same for programs. */
async function programsJson(context: Context): Promise<object> {
  const programs = await (await context.wiki()).store.commitPrograms()
  const { hooks = [], isSigned = false, leftOut = { hooks: [], sign: false } } = programs ?? {}
  return { hooks, isSigned, ignored: { hooks: leftOut.hooks, commitGpgSign: leftOut.sign } }
}

async function mainPageSegment(context: Context): Promise<string> {
  const { mainPageTitle } = await import('../../operations/resources/main-page.ts')
  const { store } = await context.wiki()
  return encodeURIComponent(mainPageTitle(store).replaceAll(' ', '_'))
}

/** Logs internal errors immediately, even with `--quiet`. */
function logEntry({ options }: Context, log: LineLog, entry: LogEntry): void {
  if (options.quiet && entry.event === 'request') return
  log.write(options.json ? JSON.stringify(entry) : logLine(entry))
  if (entry.event === 'error') void log.flush()
}

function logLine(entry: LogEntry): string {
  if (entry.event === 'error') return `${entry.time} ${entry.error}`
  const { time, method, target, status, bytes, milliseconds, missing } = entry
  const note = missing === undefined ? '' : ` (incomplete: ${missing} pages are not indexed yet)`
  // A terminal interprets control characters, also those above 127, which a request line may contain.
  return `${time} ${status} ${method} ${target.replace(/\p{Cc}/gu, '?')} ${bytes} bytes ${milliseconds} ms${note}`
}
