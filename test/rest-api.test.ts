import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { heldBodyBytes } from '../src/http/held-bodies.ts'
import { routeTables } from '../src/rest/routes.ts'
import { connectionLimits, connectionRules, maxHeaders } from '../src/rest/serve.ts'
import { hasShellTools, runDocument } from './_document.ts'
import { temporaryDirectory } from './_setup.ts'

test('every command of docs/reference/rest-api.md works, in order', { tags: 'long' }, async context => {
  context.skip(!hasShellTools, 'the document is for a shell with curl')
  const { status, stdout, stderr } = await runDocument('docs/reference/rest-api.md', {
    directory: await temporaryDirectory(),
  })
  expect(status, `${stdout}\n${stderr}`).toBe(0)
  for (const expected of [
    '"key":"Pier"',
    '"source":"Fifty metres',
    'stale tag: 412',
    '"count":3',
    '"kind":"link"',
    'missing-end-tag',
    '* one',
    'A b c d E',
    '"title":"Depth.txt"',
    '"key":"North_pier"',
    '"deleted":[{"key":"North_pier"',
  ])
    expect(stdout).toContain(expected)
})

const document = readFileSync('docs/reference/rest-api.md', 'utf8')

test('docs/reference/rest-api.md names every route of the API', () => {
  const routes = routeTables.filter(({ mounts }) => mounts.includes('/rest.php/v1')).flatMap(table => table.routes)
  const named = documentedRoutes(document)
  const missing = routes.filter(({ method, path }) => !named.has(`${method} ${path}`))
  // The row of the transforms says that each also takes a title and a revision; one more route refuses all other pairs of formats.
  const others = missing.filter(({ path }) => !/^\/transform\/(?:\{from\}|.*\{title\})/.test(path))
  expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual([])
})

test('docs/reference/rest-api.md states the limits on connections as they are', () => {
  const seconds = (milliseconds: number) => milliseconds / 1000
  for (const sentence of [
    `| ${connectionLimits.maxHeaderSize / 1024} KiB together, ${maxHeaders} headers (431) |`,
    `within ${seconds(connectionLimits.headersTimeout)} seconds (408), a whole request within ${seconds(connectionLimits.requestTimeout)} (408),`,
    `an idle connection is closed after ${seconds(connectionLimits.keepAliveTimeout)} |`,
    `| No byte in either direction | ${seconds(connectionLimits.timeout)} seconds;`,
    `| Connections | ${connectionRules.connections}. `,
    `| ${heldBodyBytes / 2 ** 20} MiB of incomplete bodies`,
    `| Pipelined requests | ${connectionRules.pipelined} on one connection;`,
  ])
    expect(document).toContain(sentence)
})

/**
 * Returns the routes in the first cells of tables. "`GET /page/{title}/links/here`, `/out`" is two: a path without a method may begin
 * after any segment of the path before it.
 */
function documentedRoutes(text: string): Set<string> {
  const routes = new Set<string>()
  for (const [cell] of text.matchAll(/^\| `[^|]*/gm)) {
    let base: readonly string[] = []
    let methods: string[] = []
    for (const [, code] of cell.matchAll(/`([^`]*)`/g)) {
      const [, method, path] = /^([A-Z]+)?\s*(\/.*)?$/.exec(code!) ?? []
      if (method !== undefined) methods = base.length > 0 ? [method] : [...methods, method]
      if (path === undefined) continue
      const parts = path.split('/').slice(1)
      if (method !== undefined) base = parts
      const starts = method !== undefined ? [[]] : base.map((_, count) => base.slice(0, count + 1))
      for (const start of [[], ...starts])
        for (const one of methods) routes.add(`${one} /${[...start, ...parts].join('/')}`)
    }
  }
  return routes
}
