import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { noValidators } from '../../src/http/conditional.ts'
import { ResponseCache } from '../../src/http/response-cache.ts'
import { assetAddress } from '../../src/web/assets.ts'
import { oneState } from '../rest/_state.ts'
import { attributeOf, newSite } from './_site.ts'

/** Maximum sizes in bytes, compressed: of a page to read, and of the form with a plain text box and with the editor. */
const budgets = { style: 7 * 1024, shell: 4 * 1024, script: 8 * 1024, plain: 26 * 1024, editor: 150 * 1024 }

test('the style sheet and the shell stay within their budgets', async () => {
  const { ask } = await newSite({ Tides: 'x' })
  const address = assetAddress('wiki.css') ?? ''
  const style = await ask(address, { headers: { 'accept-encoding': 'gzip' } })
  expect(style.headers.get('content-encoding')).toBe('gzip')
  expect((await style.arrayBuffer()).byteLength).toBeLessThan(budgets.style)
  expect(gzipSync(await (await ask('/wiki/Tides')).text()).length).toBeLessThan(budgets.shell)
})

/** Returns a script and the modules that it loads at once. */
function loadedWith(address: string): string[] {
  const text = readFileSync(new URL(`../../dist/web${address.slice(2)}`, import.meta.url), 'utf8')
  const others = [...text.matchAll(/(?:from|import)\s*"(\.\.?\/[^"]+)"/g)].map(
    ([, path]) => new URL(path!, `file:${address}`),
  )
  return [...new Set([address, ...others.flatMap(({ pathname }) => loadedWith(pathname))])]
}

const sizeOf = (addresses: readonly string[]): number =>
  addresses
    .map(address => readFileSync(new URL(`../../dist/web${address.slice(2)}.gz`, import.meta.url)).length)
    .reduce((sum, size) => sum + size, 0)

test('scripts stay within their budgets', async () => {
  const { page } = await newSite({ Tides: 'x' })
  // A browser loads a module once, however many import it.
  const scriptsOf = async (path: string): Promise<string[]> => {
    const { elements } = await page(path)
    const sources = elements.flatMap(one => (one.tagName === 'script' ? (attributeOf(one, 'src') ?? []) : []))
    return [...new Set(sources.flatMap(loadedWith))]
  }
  const read = await scriptsOf('/wiki/Tides')
  const plain = await scriptsOf('/wiki/Tides?action=edit')
  const editor = [...new Set([...plain, ...loadedWith(assetAddress('editor.js') ?? '')])]
  expect(plain.length).toBeGreaterThan(0)
  expect(sizeOf(read)).toBeLessThan(budgets.script)
  expect(sizeOf(plain)).toBeLessThan(budgets.plain)
  expect(sizeOf(editor)).toBeLessThan(budgets.editor)
  expect(readdirSync(new URL('../../dist/web', import.meta.url)).length).toBeGreaterThan(4)
})

test('pages are sent compressed, and forms with a token are not', async () => {
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

test('assets are cached permanently, in the best encoding for the browser', async () => {
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

test('a page of a megabyte is cached together with its compressed form', () => {
  const cache = new ResponseCache(6 * 1024 * 1024)
  const response = { status: 200, headers: {}, body: new Uint8Array(1_000_000) }
  const outcome = { response, validators: noValidators, until: 0 }
  cache.get(oneState, 'France')
  cache.set('state', 'France', outcome)
  expect(cache.get(oneState, 'France')).toBe(outcome)
})
