import { readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { assetAddress } from '../../src/web/assets.ts'
import { newSite } from './_site.ts'

/** Most bytes, compressed. */
const budgets = { style: 6 * 1024, shell: 4 * 1024 }

test('the style sheet and the shell keep to their budgets', async () => {
  const { ask } = await newSite({ Tides: 'x' })
  const address = assetAddress('wiki.css') ?? ''
  const style = await ask(address, { headers: { 'accept-encoding': 'gzip' } })
  expect(style.headers.get('content-encoding')).toBe('gzip')
  expect((await style.arrayBuffer()).byteLength).toBeLessThan(budgets.style)
  expect(gzipSync(await (await ask('/wiki/Tides')).text()).length).toBeLessThan(budgets.shell)
})

test('pages are sent compressed, forms with a token are not', async () => {
  const { ask } = await newSite({ Tides: 'water '.repeat(2000) })
  const headers = { 'accept-encoding': 'gzip' }
  const page = await ask('/wiki/Tides', { headers })
  expect([page.headers.get('content-encoding'), page.headers.get('vary')?.includes('Accept-Encoding')]).toEqual([
    'gzip',
    true,
  ])
  const plain = await (await ask('/wiki/Tides')).text()
  expect(gunzipSync(Buffer.from(await page.arrayBuffer())).toString()).toBe(plain)
  expect(
    (await ask('/wiki/Tides', { headers: { ...headers, 'if-none-match': page.headers.get('etag') ?? '' } })).status,
  ).toBe(304)
  expect((await ask('/wiki/Tides?action=edit', { headers })).headers.get('content-encoding')).toBeNull()
})

test('assets are kept for good, in the best encoding that the browser takes', async () => {
  const { ask } = await newSite()
  const address = assetAddress('wiki.css') ?? ''
  const encodings = [['br, gzip'], ['gzip, br;q=0'], ['identity'], ['gzip;q=0.5']] as const
  const answers = await Promise.all(
    encodings.map(([accepted]) => ask(address, { headers: { 'accept-encoding': accepted } })),
  )
  expect(answers.map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null, 'gzip'])
  expect(answers[0]!.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect((await ask(`${address}/../assets.json`)).status).toBe(404)
  const plain = Buffer.from(await answers[2]!.arrayBuffer())
  expect(plain.equals(readFileSync(new URL(`../../dist/web${address.slice(2)}`, import.meta.url)))).toBe(true)
})
