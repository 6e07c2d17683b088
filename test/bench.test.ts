/** `npm run bench` measures every route and every command: a new one cannot be forgotten. */

import { describe, expect, test } from 'vitest'
import { commandTree, isGroup } from '../src/cli/commands.ts'
import type { Route } from '../src/rest/route.ts'
import { routeTables } from '../src/rest/routes.ts'
// @ts-expect-error: a script without types.
import { measuredElsewhere, readingCommands, writingCommands } from './bench/command-table.mjs'
// @ts-expect-error: a script without types.
import { readRoutes } from './bench/route-table.mjs'

const page = { key: 'Page_1', path: 'Page_1.wiki', latest: 2, before: 1 }

describe('the benchmark', () => {
  test('requests every route that reads', () => {
    const isRead = ({ method, path, writes, session }: Route) =>
      writes === undefined && (method === 'GET' || session !== true) && !path.startsWith('/transform/{from}')
    const routes = routeTables.flatMap(({ routes }) => routes.filter(isRead).map(({ path }) => path))
    const asked = readRoutes.map(({ route }: { route: string }) => route)
    expect([...new Set(asked)].sort()).toEqual([...new Set(routes)].sort())
  })

  test('runs every command', () => {
    const commands = Object.entries(commandTree).flatMap(([word, entry]) =>
      isGroup(entry) ? Object.keys(entry.commands).map(name => `${word} ${name}`) : [word],
    )
    const run = [
      ...readingCommands({ hot: page, page, rare: page, texts: {} }),
      ...writingCommands({ pages: [page], workTree: '', folder: '' }),
    ].map(({ command }: { command: string }) => command)
    expect([...new Set([...run, ...Object.keys(measuredElsewhere)])].sort()).toEqual(commands.sort())
  })
})
