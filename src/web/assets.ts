/**
 * Style sheets, scripts and images of the pages. The build writes them into `dist/web`, compressed as well, under names
 * with a hash of their bytes. `assets.json` maps the plain names to these. Files are read on first use.
 */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { preferredCoding } from '../http/compress.ts'
import { keeping, type PlainResponse } from '../http/response.ts'
import { urlPrefix } from './addresses.ts'

/** Prefix of the paths of assets. */
export const assetFolder = '/-/'

/** Maps the name of an asset without its hash to its file: `wiki.css` to `a1b2c3d4/wiki.css`. */
type Manifest = Readonly<Record<string, string>>

interface Assets {
  readonly folder: string
  readonly manifest: Manifest
  /** Responses, by file and encoding. */
  readonly loaded: Map<string, PlainResponse>
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Suffixes of the files that the build writes in a coding. */
const suffixes = { br: '.br', gzip: '.gz' } as const

let opened: Assets | undefined

/** Returns the URL of an asset; null if this build does not contain it. */
export function assetAddress(name: string): string | null {
  const file = assets().manifest[name]
  return file === undefined ? null : urlPrefix() + assetFolder + file
}

/**
 * Responds to a request for an asset; null for an unknown path. The bytes never change, so browsers may cache them
 * forever.
 */
export function assetResponse(path: string, headers: Headers): PlainResponse | null {
  const { folder, manifest, loaded } = assets()
  const file = Object.values(manifest).find(file => path === assetFolder + file)
  if (file === undefined) return null
  const coding = preferredCoding(headers, ['br', 'gzip']) as keyof typeof suffixes | null
  const key = coding === null ? file : file + suffixes[coding]
  const asset = loaded.get(key) ?? readAsset(join(folder, key), file, coding)
  loaded.set(key, asset)
  return asset
}

function readAsset(path: string, file: string, coding: string | null): PlainResponse {
  const type = types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return {
    status: 200,
    headers: {
      'content-type': type,
      'cache-control': keeping.always,
      vary: 'Accept-Encoding',
      ...(coding !== null && { 'content-encoding': coding }),
    },
    body: new Uint8Array(readFileSync(path)),
  }
}

function assets(): Assets {
  if (opened === undefined) {
    const folder = findFolder()
    opened = { folder, manifest: JSON.parse(readFileSync(join(folder, 'assets.json'), 'utf8')), loaded: new Map() }
  }
  return opened
}

/** The folder lies next to the bundle; in the library and in the sources it lies above this module. */
function findFolder(): string {
  const here = import.meta.url
  const start = dirname(here.startsWith('file:') ? fileURLToPath(here) : here)
  const places = ['web', '../../web', '../../dist/web'].map(place => join(start, place))
  const found = places.find(place => existsSync(join(place, 'assets.json')))
  if (found === undefined)
    throw new Error(`The pages have no assets: npm run build writes them (looked in ${places.join(', ')})`)
  return found
}
