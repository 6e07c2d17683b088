/** Stores rendered HTML that a client intends to send back, together with its source. */

import { hash } from 'node:crypto'
import { divideCacheBytes } from '../../core/cache-shares.ts'
import { bytesOfText, createLruCache } from '../../core/lru-cache.ts'
import { openJsonCache } from './json-cache.ts'

/** Maximum bytes of all entries, and of one. */
const totalBytes = 128 * 1024 * 1024
const fileBytes = 32 * 1024 * 1024
/** Milliseconds that an entry lives. Source: MediaWiki's ParsoidCacheConfig. */
const lifetime = 24 * 60 * 60 * 1000
/** Maximum bytes of an entry in memory if nothing can be written to disk. */
const memoryEntryBytes = 4 * 1024 * 1024

/** Identifies a rendering of a text. */
export interface RenderId {
  /** Id of the revision; 0 for a text that is not saved. */
  readonly revision: number
  readonly uuid: string
}

/** Source and HTML of a rendering. */
export interface Stashed {
  readonly source: string
  /** The HTML for editors, which records the source range of each node. */
  readonly html: string
  /** Commit and blob of the revision, because its id may be reassigned; missing for an unsaved text. */
  readonly of?: { readonly commit: string; readonly blob: string } | undefined
}

export interface Stash {
  /** Stores an entry for a client; one that is too large is dropped. */
  readonly set: (id: RenderId, entry: Stashed, client?: string) => Promise<void>
  readonly get: (id: RenderId) => Promise<Stashed | undefined>
}

/** Opens the stash in a folder, which need not exist. If it is not writable, this many bytes are held in memory. */
export function openStash(folder: string, memoryBytes = divideCacheBytes()('stash')): Stash {
  const files = openJsonCache<Stashed>(folder, { totalBytes, fileBytes, lifetime })
  const memory = createLruCache<Stashed & { readonly until: number }>({
    total: memoryBytes,
    each: memoryEntryBytes,
    sizeOf: ({ source, html }) => bytesOfText(source) + bytesOfText(html),
  })
  return {
    set: async (id, entry, client = '') => {
      const key = fileName(id)
      if (await files.set(key, entry, client)) return
      memory.set(key, { ...entry, until: Date.now() + lifetime }, { client })
    },
    get: async id => {
      const key = fileName(id)
      const held = memory.get(key)
      return held !== undefined && held.until > Date.now() ? held : files.get(key)
    },
  }
}

function fileName({ revision, uuid }: RenderId): string {
  return `${revision}-${uuid}`
}

/** Derives a UUID from a text. Source: RFC 9562, version 8. */
export function uuidOf(text: string): string {
  const digits = hash('sha256', text).slice(0, 32)
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-8$3-8$4-$5')
}

const renderId = /^(\d{1,15})\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/[^"]{0,100})?$/

/** Reads the id from an entity tag of HTML, or from its content; null for anything else. */
export function parseRenderId(text: string): RenderId | null {
  const [, opaque = text] = /^(?:W\/)?"([^"]*)"$/.exec(text) ?? []
  const match = renderId.exec(opaque)
  return match === null ? null : { revision: Number(match[1]), uuid: match[2]! }
}
