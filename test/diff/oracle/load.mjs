/** Loads the oracle and the product's merge from their sources, for programs that run without a build. */

import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Bundles `main.ts` into a folder and returns its exports. */
export async function loadOracle(folder) {
  const outfile = join(folder, 'oracle.mjs')
  const entry = fileURLToPath(new URL('main.ts', import.meta.url))
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node' })
  return import(pathToFileURL(outfile).href)
}
