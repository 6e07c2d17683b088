// @module-tag long
/** The installed server gives every answer that the server of the sources gives. */

import { beforeAll, expect, test } from 'vitest'
import { createToken } from '../../src/operations/tokens.ts'
import { routeTables } from '../../src/rest/routes.ts'
import { ada } from '../operations/_wiki.ts'
import { harbour, initOf, requests } from '../rest/_harbour.ts'
import { hasNpm, installed } from './_installed.ts'
import { type Sent, send, servePair } from './_pair.ts'

beforeAll(async () => void (hasNpm && (await installed())), 600_000)

/** Requests of routes that the examples of the API leave out. */
const further: readonly Sent[] = [
  { target: '/v1/session', method: 'DELETE' },
  ...['/v1', '/v1/', '/files/Chart.png', '/files/thumb/Chart.png/20'].map(target => ({ target })),
  ...['/v1', '/rest.php'].flatMap(mount =>
    ['openapi.json', 'specs', 'specs/', 'specs/v0/discovery', 'specs/v0/module/-', 'specs/v0/module/content/v1'].map(
      path => ({ target: `${mount}/${path}` }),
    ),
  ),
]

test.skipIf(!hasNpm)('each route of the API', async () => {
  const { wiki, directory } = await harbour()
  const { token } = await createToken(wiki, { name: ada.name, address: ada.address })
  const host = 'wiki.example.org'
  const { shipped, tested } = await servePair(directory, ['--allow-host', host], { allowedHosts: [host] })
  const sent = [...requests.map(one => ({ target: one.target, ...initOf(one, token) }) as Sent), ...further]
  expect(unasked(sent)).toEqual([])
  for (const one of sent) expect(await send(shipped, one), one.target).toEqual(await send(tested, one))
})

/** Routes that no request is for. */
function unasked(sent: readonly Sent[]): string[] {
  const asked = (method: string, forms: readonly RegExp[]): boolean =>
    sent.some(one => (one.method ?? 'GET') === method && forms.some(form => form.test(one.target.split('?')[0]!)))
  const rows = routeTables.flatMap(({ mounts, routes }) => routes.map(route => ({ mounts, ...route })))
  return rows
    .filter(
      ({ mounts, method, path }) =>
        !asked(
          method,
          mounts.map(mount => patternOf(mount + path)),
        ),
    )
    .map(({ mounts, method, path }) => `${method} ${mounts[0]}${path}`)
}

/** Paths of a route. */
function patternOf(path: string): RegExp {
  const literal = (text: string): string => text.replace(/[.*+?^$()[\]\\|-]/g, '\\$&')
  const parts = path.split(/(\{[^}]*\})/)
  return new RegExp(
    `^${parts.map(part => (part.startsWith('{') ? (part.includes('*') ? '.*' : '[^/]*') : literal(part))).join('')}$`,
  )
}
