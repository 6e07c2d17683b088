/** The engine as one module made from the TypeScript sources: Node 20 reads no TypeScript itself. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Bundles src/wikitext and loads it. */
export async function bundleWikitext() {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const folder = mkdtempSync(join(root, 'node_modules', '.gitwiki-wikitext-'))
  const outfile = join(folder, 'wikitext.mjs')
  try {
    await build({
      entryPoints: [fileURLToPath(new URL('_wikitext.ts', import.meta.url))],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
