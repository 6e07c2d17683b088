/** `wiki serve`: the REST API on this machine. */

import type { LogEntry } from '../../rest/log.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { BrokenPipe } from '../io.ts'

interface Values {
  readonly port?: string
  readonly host?: string
  readonly readOnly?: boolean
  readonly allowAnonymous?: boolean
}

export const serve: Command<Values> = {
  summary: 'Serve the REST API at http://127.0.0.1:8080/v1',
  details: 'Ctrl-C ends it. Requests are told on stderr; with --json as one JSON object each.',
  options: [
    { flags: '-p, --port <port>', help: 'port to listen on; 0 takes a free one (default: 8080)' },
    { flags: '--host <name>', help: 'name or address to listen on (default: 127.0.0.1, this machine only)' },
    { flags: '--read-only', help: 'accept no edits' },
    { flags: '--allow-anonymous', help: 'accept edits of clients that do not say who they are' },
  ],
  examples: ['wiki serve --port 8081', 'wiki serve --read-only -C ~/wikis/cooking'],
  async run(context, _, values) {
    const { boundedInteger } = await import('../../operations/params.ts')
    const { serve: start } = await import('../../rest/serve.ts')
    const { readOnly = false, allowAnonymous = false } = values
    const port = boundedInteger('port', values.port ?? '8080', { min: 0, max: 65_535 })
    const log = (entry: LogEntry): void => logEntry(context, entry)
    const host = values.host ?? '127.0.0.1'
    const server = await start(await context.wiki(), { host, port, readOnly, allowAnonymous, log })
    const stopped = context.io.stopped()
    // Who started it may not care to read where it listens.
    await printAddress(context, server.url).catch(ignoreBrokenPipe)
    await stopped
    await server.close()
  },
}

function ignoreBrokenPipe(error: unknown): void {
  if (!(error instanceof BrokenPipe)) throw error
}

async function printAddress(context: Context, url: string): Promise<void> {
  if (context.options.json) return context.printJson({ url })
  const { readConfig } = await import('../../operations/configure.ts')
  const { name, mainPage } = await readConfig(await context.wiki())
  const page = encodeURIComponent(mainPage.replaceAll(' ', '_'))
  await context.print(`Serving ${name || 'a wiki'} at ${url} (Ctrl-C ends it)\nTry: curl ${url}/page/${page}\n`)
}

/** Faults are told even with `--quiet`; a full disk under the log must not end the server. */
function logEntry({ io, options }: Context, entry: LogEntry): void {
  if (options.quiet && entry.event === 'request') return
  const line = options.json ? JSON.stringify(entry) : logLine(entry)
  io.stderr.write(`${line}\n`).catch(() => {})
}

function logLine(entry: LogEntry): string {
  if (entry.event === 'error') return `${entry.time} ${entry.error}`
  const { time, method, target, status, bytes, milliseconds } = entry
  return `${time} ${status} ${method} ${target} ${bytes} bytes ${milliseconds} ms`
}
