/** A real browser that opens documents in frames, interacts with everything in them, and reports the effects. */

import { existsSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { type Browser, type BrowserContext, chromium, type Frame, type Request, type Route } from 'playwright-core'
import { browserPath } from '../../scripts/browser-path.mjs'

/** True if it is installed. If not, tests say so in their names. */
export const hasBrowser = existsSync(browserPath)
export const whereBrowser = `skipped where there is no browser at ${browserPath}`

/**
 * Arguments of every start. All tabs of a site share one process: a new one for each tab takes a third of the CPU of all tests
 * in a browser.
 */
export const browserArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--renderer-process-limit=1',
]

/** The browser shared by all files of a worker; it resolves no host names. It ends with the worker. */
let shared: Promise<Browser> | undefined

/**
 * Returns a separate context in a browser. No host name resolves except as `rules` say, which take a separate browser. The
 * context has a page that stays open: the next one is a tab of its window, which takes half the time of a new window.
 */
export async function startBrowser(rules: readonly string[] = []): Promise<BrowserContext> {
  const browser = rules.length > 0 ? await launch(rules) : await sharedBrowser()
  const context = await browser.newContext()
  // For loaded machines, as in vitest.config.ts.
  context.setDefaultTimeout(120_000)
  if (rules.length > 0) context.once('close', () => void browser.close())
  await context.newPage()
  return context
}

async function sharedBrowser(): Promise<Browser> {
  const running = await shared?.catch(() => undefined)
  if (running?.isConnected()) return running
  shared = launch()
  return shared
}

/** Chromium does not always start on a loaded machine, so a failed start is repeated once. */
function launch(rules: readonly string[] = []): Promise<Browser> {
  const names = [...rules, 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1', 'EXCLUDE localhost'].join(', ')
  const args = [...browserArguments, `--host-resolver-rules=${names}`]
  const start = () => chromium.launch({ executablePath: browserPath, args, timeout: 60_000 })
  return start().catch(start)
}

/** A response as our server sends it. */
export interface Given {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

/** A document to open: requested from the server under a path, or given directly. */
export interface Shot {
  /** Attack and surface, for messages. */
  readonly name: string
  readonly open: string | Given
}

/** A document that is made when it is needed. */
export interface Planned {
  readonly name: string
  readonly make: () => Promise<Shot['open']> | Shot['open']
}

/** Faults of a document: things it did that it should not. */
export interface Finding {
  readonly name: string
  readonly events: readonly string[]
}

/** Number of pages that are open at a time, each in a frame. */
const pagesAtOnce = 24
/** Milliseconds that a group of pages gets for late actions. */
const patience = 40
/** Milliseconds after which a group of pages counts as hanging, on any machine. */
const longest = 300_000
/** Allowed schemes of links: opened as a page, left to other programs (as MediaWiki allows them), and none (":"). */
const harmlessProtocols = [':', 'http:', 'https:', 'mailto:', 'ftp:', 'irc:', 'news:', 'sip:', 'tel:', 'urn:', 'xmpp:']
/** Addresses of the wiki itself that documents fetch. */
const ownPath = /^\/(?:files\/|style\.css$|__given\/|__all$)/
/** Members of a document that no element of a page may shadow. */
const members = 'cookie links forms querySelectorAll getElementById createElement defaultView location'

/** Runs in a page: does to every element everything that readers can do, except following links; returns anomalies. */
const touchEverything = `(() => {
  let listens = false
  document.addEventListener('probe', () => { listens = true })
  document.dispatchEvent(new Event('probe'))
  document.addEventListener('click', event => event.preventDefault())
  for (const element of document.querySelectorAll('body, body *, svg, svg *')) {
    for (const type of ['mouseover', 'mouseenter', 'pointerenter', 'click', 'dblclick', 'contextmenu', 'keydown', 'toggle']) {
      // In a sandbox there are no listeners: a click would follow the link, as intended.
      if (type === 'click' && !listens && element.closest('a, area')) continue
      element.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true }))
    }
    element.focus?.()
    element.blur?.()
    element.scrollTop = 1
  }
  const covered = '${members}'.split(' ').filter(name => document[name] instanceof Element)
  return { protocols: Array.from(document.links, link => link.protocol), covered }
})()`

/** Functions that published attacks call to show that they run; a real dialog would block all others. */
const toldDialogs = "for (const name of ['alert', 'confirm', 'prompt', 'print']) window[name] = () => window.xss()"

/** Events sent to the elements of a document that is not the source of a picture. */
interface Touched {
  readonly protocols: readonly string[]
  readonly covered: readonly string[]
}

/** Opens documents of one server. */
export interface Watcher {
  /** Makes and opens all of them; returns those that did something. */
  readonly open: (planned: readonly Planned[]) => Promise<Finding[]>
  readonly close: () => Promise<void>
}

/** Starts a browser that opens documents of the server at this origin, in the given number of tabs at a time. */
export async function watch(origin: string, tabs = 1): Promise<Watcher> {
  const trap = await listen()
  const browser = await launch([`MAP evil.example 127.0.0.1:${trap.port}`, `MAP *.evil.example 127.0.0.1:${trap.port}`])
  const openers = await Promise.all(
    Array.from({ length: tabs }, async () => openTab(await browser.newContext(), origin)),
  )
  return {
    open: async planned => {
      const waiting = [...planned]
      const findings: Finding[] = []
      trap.senders = 0
      const work = async (openGroup: Tab): Promise<void> => {
        while (waiting.length > 0) {
          const group = waiting.splice(0, pagesAtOnce)
          const shots: Shot[] = []
          for (const { name, make } of group) shots.push({ name, open: await make() })
          const events = await openGroup(shots)
          findings.push(...shots.map(({ name }, index) => ({ name, events: events[index]! })))
        }
      }
      await Promise.all(openers.map(work))
      const silent = trap.senders === 0 ? [] : [{ name: 'one of them', events: ['bytes for evil.example'] }]
      return [...findings.filter(({ events }) => events.length > 0), ...silent]
    },
    close: async () => {
      await browser.close()
      trap.close()
    },
  }
}

/**
 * A server at the address of all foreign names. It counts who sends anything, also if the browser reports no request. A
 * connection alone does not count: the browser opens one for a frame, too, that the policy then blocks.
 */
async function listen(): Promise<{ senders: number; port: number; close: () => void }> {
  const server = createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', () => {
      trap.senders++
      socket.destroy()
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const trap = { senders: 0, port: (server.address() as AddressInfo).port, close: () => void server.close() }
  return trap
}

/** Opens a group of documents; returns the actions of each. */
type Tab = (group: readonly Shot[]) => Promise<string[][]>

async function openTab(context: BrowserContext, origin: string): Promise<Tab> {
  const page = await context.newPage()
  page.setDefaultNavigationTimeout(longest)
  let shots: readonly Shot[] = []
  let events: string[][] = []
  const note = (frame: Frame | null, event: string): void => {
    const number = shotNumber(frame)
    if (number === null) for (const list of events) list.push(event)
    else events[number]?.push(event)
  }
  await context.exposeBinding('xss', ({ frame }) => note(frame, 'a script ran'))
  await context.addInitScript(toldDialogs)
  page.on('dialog', async dialog => {
    note(null, `a dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  context.on('page', other => {
    if (other !== page) note(null, `a window: ${other.url()}`)
  })
  context.on('download', download => {
    // Files are downloaded, and so is the description of a search engine, for which Chromium has no other use.
    const isMeant = download.url().startsWith(`${origin}/files/`) || download.url() === `${origin}/v1/search`
    if (!isMeant) note(null, `a download: ${download.url()}`)
  })
  const judge = (request: Request): void => {
    const url = new URL(request.url())
    const isDocument = request.isNavigationRequest() && url.origin === origin
    if (url.origin !== origin || !(isDocument || ownPath.test(url.pathname))) {
      note(request.frame(), `a request: ${url.href}`)
    }
  }
  // The browser also reports a request that a policy blocks, although it never reaches the network; redirects are not reported
  // again there.
  context.on('request', request => request.redirectedFrom() !== null && judge(request))
  await context.route('**/*', (route: Route) => {
    const url = new URL(route.request().url())
    judge(route.request())
    if (url.origin !== origin) return route.abort()
    if (url.pathname === '/__all') return route.fulfill({ contentType: 'text/html', body: allFrames(shots) })
    const given = /^\/__given\/(\d+)$/.exec(url.pathname)?.[1]
    const open = given === undefined ? undefined : shots[Number(given)]?.open
    if (open === undefined || typeof open === 'string') return route.continue()
    return route.fulfill({ status: open.status, headers: { ...open.headers }, body: open.body })
  })
  return async group => {
    shots = group
    events = group.map(() => [])
    await page.goto(`${origin}/__all`, { waitUntil: 'load' })
    await Promise.all(
      page
        .mainFrame()
        .childFrames()
        .map(frame => touch(frame, note)),
    )
    await page.waitForTimeout(patience)
    return events
  }
}

function allFrames(shots: readonly Shot[]): string {
  const address = (open: Shot['open'], number: number): string =>
    typeof open === 'string' ? open.replaceAll('&', '&amp;').replaceAll('"', '%22') : `/__given/${number}`
  return shots
    .map(({ open }, number) => `<iframe name="shot${number}" src="${address(open, number)}"></iframe>`)
    .join('')
}

/** The number of the shot that a frame, or a frame inside of it, shows. */
function shotNumber(frame: Frame | null): number | null {
  for (let at = frame; at !== null; at = at.parentFrame()) {
    const number = /^shot(\d+)$/.exec(at.name())?.[1]
    if (number !== undefined) return Number(number)
  }
  return null
}

async function touch(frame: Frame, note: (frame: Frame, event: string) => void): Promise<void> {
  for (const inner of frame.childFrames()) note(frame, `a frame: ${inner.url()}`)
  const { protocols, covered } = await frame.evaluate<Touched>(touchEverything).catch(() => nothing)
  for (const protocol of protocols) if (!harmlessProtocols.includes(protocol)) note(frame, `a link: ${protocol}`)
  for (const name of covered) note(frame, `covered: document.${name}`)
}

/** A frame that shows nothing, because its response is saved or has no body. */
const nothing: Touched = { protocols: [], covered: [] }
