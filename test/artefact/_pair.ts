/** Two servers of equal wikis: that of the installed package, and that of the sources in this process. */

import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { type ServeOptions, serve as serveSources } from '../../src/rest/serve.ts'
import { handlePage } from '../../src/web/handle-page.ts'
import { afterwards } from '../_cleanup.ts'
import { copyFolder, temporaryDirectory } from '../_setup.ts'
import { openTestWiki } from '../operations/_wiki.ts'
import { serve } from './_installed.ts'

export interface Pair {
  /** Origin of the installed server. */
  readonly shipped: string
  /** Origin of the server of the sources. */
  readonly tested: string
}

/** Serves two copies of a wiki's folder. The installed server gets the arguments, the other one the same as options. */
export async function servePair(
  directory: string,
  args: readonly string[] = [],
  options: Partial<ServeOptions> = {},
): Promise<Pair> {
  const [one, other] = [await temporaryDirectory(), await temporaryDirectory()]
  for (const copy of [one, other]) copyFolder(directory, copy)
  // A server that finds no author prints no link to sign in, which has a secret.
  const env = { GIT_AUTHOR_NAME: undefined, GIT_AUTHOR_EMAIL: undefined, GIT_CONFIG_NOSYSTEM: '1' }
  const { url } = await serve(one, args, { env })
  const server = await serveSources(await openTestWiki(other), { port: 0, pages: async () => handlePage, ...options })
  afterwards(() => server.close())
  return { shipped: url, tested: new URL(server.url).origin }
}

export interface Sent {
  readonly method?: string | undefined
  /** Path and query. */
  readonly target: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array | undefined
}

export interface Received {
  readonly status: number
  readonly type: string
  readonly body: string
}

/** Sends a request, without following redirects. */
export async function send(origin: string, { method = 'GET', target, headers = {}, body }: Sent): Promise<Received> {
  const { hostname, port } = new URL(origin)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    // Node gives the body of a DELETE no length of its own.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = request({ hostname, port, method, path: target, headers: { ...headers, ...length } }, resolve)
    sent.on('error', reject)
    sent.end(body)
  })
  const bytes = await buffer(response)
  const type = response.headers['content-type'] ?? ''
  const isText = type.startsWith('text/') || /json|xml|javascript/.test(type)
  return {
    status: response.statusCode!,
    type,
    body: comparable(bytes.toString(isText || bytes.length === 0 ? 'utf8' : 'base64'), origin),
  }
}

/** Replaces the parts of a text that differ between runs: the port, the moment, secrets and hashes. */
export function comparable(text: string, origin: string): string {
  return text
    .replaceAll(new URL(origin).host, 'HOST')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-1[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, 'UUID')
    .replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|\+00:00)?/g, 'TIME')
    .replace(/("(?:csrf_?)?token":")[^"]+/gi, '$1TOKEN')
    .replace(/(?<![0-9a-f])[0-9a-f]{7,40}(?![0-9a-f])/g, 'HASH')
}
