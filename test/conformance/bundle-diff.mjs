import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Bundles src/diff from the TypeScript sources, loads it and returns its exports. Node 20 reads no TypeScript itself. */
export async function bundleDiff() {
  const folder = mkdtempSync(join(tmpdir(), 'gitwiki-diff-'))
  const outfile = join(folder, 'diff.mjs')
  try {
    await build({
      entryPoints: [fileURLToPath(new URL('_diff.ts', import.meta.url))],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
