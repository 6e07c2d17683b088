/** The parts of the product that a replay works with, bundled from the sources: Node 20 reads no TypeScript itself. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const modules = [
  'operations/create-page',
  'operations/update-page',
  'operations/configure',
  'operations/hide-revision',
  'operations/import-dump',
  'operations/tokens',
  'operations/wiki',
  'rest/serve',
  'store/init',
]
const contents = [...modules.map(name => `./src/${name}.ts`), './test/rest/_openapi.ts']
  .map(path => `export * from '${path}'`)
  .join('\n')
// Beside node_modules, where the packages are looked for.
const outfile = `${root}dist/replay/product.mjs`
mkdirSync(`${root}dist/replay`, { recursive: true })
await build({
  stdin: { contents, resolveDir: root, loader: 'ts' },
  outfile,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
})

export const product = await import(pathToFileURL(outfile).href)
