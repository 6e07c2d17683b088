/** The parts of the product that a replay uses, bundled from the sources, because Node 20 reads no TypeScript itself. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('../../..', import.meta.url))
// Beside node_modules, where packages are resolved.
const outfile = `${root}dist/replay/product.mjs`
mkdirSync(`${root}dist/replay`, { recursive: true })
await build({
  // A TypeScript file, so that the type check detects a moved module.
  entryPoints: [fileURLToPath(new URL('_product.ts', import.meta.url))],
  outfile,
  bundle: true,
  packages: 'external',
  format: 'esm',
  platform: 'node',
})

export const product = await import(pathToFileURL(outfile).href)
