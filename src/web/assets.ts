/**
 * Style sheets, scripts and pictures of the pages. The build writes them into `dist/web` under names with a hash of their bytes,
 * compressed beside; `assets.json` tells which is which. They are read when first asked for.
 */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answer } from '../http/answer.ts'
import { acceptsEncoding } from '../http/compress.ts'

/** Beginning of the addresses of assets. */
export const assetFolder = '/-/'

/** Name of an asset without its hash, to its file in the folder: `wiki.css` to `a1b2c3d4/wiki.css`. */
type Manifest = Readonly<Record<string, string>>

interface Assets {
  readonly folder: string
  readonly manifest: Manifest
  /** Answers, by file and encoding. */
  readonly answers: Map<string, Answer>
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Encodings that the build makes, best first, and how their files end. */
const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

let opened: Assets | undefined

/** Returns the address of an asset; null for one that this build does not have. */
export function assetAddress(name: string): string | null {
  const file = assets().manifest[name]
  return file === undefined ? null : assetFolder + file
}

/** Answers a request for an asset; null for an unknown path. The bytes never change, so browsers cache them without a limit. */
export function assetAnswer(path: string, headers: Headers): Answer | null {
  const { folder, manifest, answers } = assets()
  const file = Object.values(manifest).find(file => path === assetFolder + file)
  if (file === undefined) return null
  const [encoding, end] = encodings.find(([name]) => acceptsEncoding(headers, name)) ?? ['', '']
  const key = file + end
  const known = answers.get(key) ?? readAnswer(join(folder, key), file, encoding)
  answers.set(key, known)
  return known
}

function readAnswer(path: string, file: string, encoding: string): Answer {
  const type = types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return {
    status: 200,
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      ...(encoding !== '' && { 'content-encoding': encoding }),
    },
    body: new Uint8Array(readFileSync(path)),
  }
}

function assets(): Assets {
  if (opened === undefined) {
    const folder = findFolder()
    opened = { folder, manifest: JSON.parse(readFileSync(join(folder, 'assets.json'), 'utf8')), answers: new Map() }
  }
  return opened
}

/** The folder lies beside the bundle, or above this module in the library and in the sources. */
function findFolder(): string {
  const here = import.meta.url
  const start = dirname(here.startsWith('file:') ? fileURLToPath(here) : here)
  const places = ['web', '../../web', '../../dist/web'].map(place => join(start, place))
  const found = places.find(place => existsSync(join(place, 'assets.json')))
  if (found === undefined)
    throw new Error(`The pages have no assets: npm run build writes them (looked in ${places.join(', ')})`)
  return found
}
