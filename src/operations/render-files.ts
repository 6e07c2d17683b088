/** Rendered pages beside the index: derived, bounded, safe to delete. */

import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { KeptRender } from './renders.ts'

/** Bytes that all files may take together, and that one may. */
const totalLimit = 128 * 1024 * 1024
const fileLimit = 8 * 1024 * 1024
/** Writes after which the folder is looked through for what is too much. */
const writesBetweenSweeps = 50

export interface RenderFiles {
  readonly find: (key: string) => Promise<KeptRender | undefined>
  /** Writes in the background; what fails is not kept. */
  readonly keep: (key: string, kept: KeptRender) => void
}

/** Opens the folder, which need not exist. */
export function openRenderFiles(folder: string): RenderFiles {
  const pathOf = (key: string): string => join(folder, `${key}.json`)
  let writes = 0
  return {
    find: async key => {
      try {
        const kept = parse(await readFile(pathOf(key), 'utf8'))
        const now = new Date()
        // Its time says when it was last of use.
        void utimes(pathOf(key), now, now).catch(() => {})
        return kept
      } catch {
        return undefined
      }
    },
    keep: (key, kept) => {
      const json = JSON.stringify(kept)
      const text = `${crc32(json)}\n${json}`
      if (text.length > fileLimit) return
      void write(folder, pathOf(key), text)
        .then(() => (++writes % writesBetweenSweeps === 1 ? sweep(folder) : undefined))
        .catch(() => {})
    },
  }
}

/** A file that was cut off or changed is as good as none: its first line is the checksum of the rest. */
function parse(text: string): KeptRender | undefined {
  const end = text.indexOf('\n')
  const json = text.slice(end + 1)
  return end > 0 && Number(text.slice(0, end)) === crc32(json) ? (JSON.parse(json) as KeptRender) : undefined
}

async function write(folder: string, path: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const temporary = `${path}.${Math.random().toString(36).slice(2)}.new`
  await writeFile(temporary, text)
  await rename(temporary, path)
}

/** Takes away what was of no use for the longest time. */
async function sweep(folder: string): Promise<void> {
  const found = await Promise.all(
    (await readdir(folder)).map(async name => {
      const path = join(folder, name)
      const { size, mtimeMs } = await stat(path)
      return { path, size, time: mtimeMs }
    }),
  )
  let total = found.reduce((sum, { size }) => sum + size, 0)
  for (const { path, size } of found.toSorted((a, b) => a.time - b.time)) {
    if (total <= totalLimit * 0.9) break
    await rm(path, { force: true })
    total -= size
  }
}
