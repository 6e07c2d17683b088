/** The engine as one module made from the TypeScript sources: Node 20 reads no TypeScript itself. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** The engine, and what the tags of the tests are made with. */
const entry = `
  export * from './index.ts'
  export { htmlToWikitext } from '../html2wt/index.ts'
  export { element, textNode, commentNode, fragment } from './tree/node.ts'
  export { standardExtensions } from './extensions/standard.ts'
`

/** Bundles src/wikitext and loads it. */
export async function bundleWikitext() {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const folder = mkdtempSync(join(root, 'node_modules', '.gitwiki-wikitext-'))
  const outfile = join(folder, 'wikitext.mjs')
  try {
    await build({
      stdin: { contents: entry, resolveDir: join(root, 'src/wikitext'), loader: 'ts' },
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
