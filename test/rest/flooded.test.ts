// @module-tag long
/** A running server whose worker one network keeps busy. */

import { request } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { hasGit } from '../_setup.ts'
import { newWiki } from '../operations/_wiki.ts'
import { type Served, startServed, stopServed } from './_served.ts'

afterAll(stopServed)

/** Sends a request from an address of this machine; resolves to its status, 0 if the connection is closed. */
function ask({ port }: Served, localAddress: string, path: string, wikitext?: string): Promise<number> {
  return new Promise(resolve => {
    const headers = wikitext === undefined ? {} : { 'content-type': 'application/json' }
    const method = wikitext === undefined ? 'GET' : 'POST'
    const asking = request({ host: '127.0.0.1', port, localAddress, path, method, headers, agent: false }, answer => {
      answer.resume().on('end', () => resolve(answer.statusCode!))
    })
    asking.on('error', () => resolve(0))
    asking.end(wikitext === undefined ? undefined : JSON.stringify({ wikitext }))
  })
}

// Only Linux has all of 127.0.0.0/8.
describe.skipIf(!hasGit || process.platform !== 'linux')(
  'a network that sends what takes a worker half a minute',
  () => {
    test.each(['from another network', 'from the same network'])('delays no page that is read %s', async where => {
      const { directory } = await newWiki({ Large: 'word [[link]] '.repeat(2000) })
      const served = await startServed(directory, ['--quiet'])
      let answered = 0
      const flood = Array.from({ length: 12 }, async (_, at) => {
        await ask(served, '127.0.0.2', '/v1/transform/wikitext/to/html', `${at}${'{{padleft:|500|x}}'.repeat(20_000)}`)
        answered++
      })
      // Its turn comes after the requests that were sent before.
      expect(await ask(served, '127.0.0.2', '/v1/page/Large/bare')).toBe(200)
      const reader = where === 'from another network' ? '127.0.0.3' : '127.0.0.2'
      expect(await ask(served, reader, '/v1/page/Large/html')).toBe(200)
      expect(answered).toBe(0)
      await stopServed()
      await Promise.all(flood)
    })
  },
)
