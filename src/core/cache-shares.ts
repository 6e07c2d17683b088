/** Divides the cache memory among all caches. */

import { WikiError } from './errors.ts'

/** Fraction of each cache. The sum is one. */
const shares = {
  /** Responses of the server. */
  responses: 0.1,
  /** Rendered pages. */
  renders: 0.2,
  /** Stashed HTML, if no file can be written. */
  stash: 0.03,
  /** Counts about histories. */
  counts: 0.02,
  /** Postings of search terms. */
  searchTerms: 0.15,
  /** Pages of the search index's files. */
  searchPages: 0.18,
  /** Decoded blocks of the search index's dictionaries. */
  searchBlocks: 0.08,
  /** Blocks of the revision index. */
  indexBlocks: 0.15,
  /** Objects unpacked by isomorphic-git. */
  packObjects: 0.05,
  /** Trees and commits of git that were read last. */
  objects: 0.04,
} as const

export type CacheName = keyof typeof shares

/** Returns the size of a cache in bytes. */
export type CacheBytes = (cache: CacheName) => number

/** Names of all caches that share the memory. */
export const cacheNames = Object.keys(shares) as readonly CacheName[]

const megabyte = 1024 * 1024
const bounds = { min: 1, max: 64 * 1024 }

/** Default size of all caches together, in bytes. */
export const usualCacheBytes = 60 * megabyte

/** Divides the memory of all caches, in bytes, among them. */
export function divideCacheBytes(all = usualCacheBytes): CacheBytes {
  return cache => Math.floor(shares[cache] * all)
}

/** Parses the size of all caches from megabytes to bytes. Errors: outofrange, also if it is not a whole number. */
export function parseCacheBytes(name: string, megabytes: string): number {
  const value = /^\d{1,6}$/.test(megabytes) ? Number(megabytes) : Number.NaN
  if (value >= bounds.min && value <= bounds.max) return value * megabyte
  throw new WikiError('outofrange', { params: [name, megabytes, bounds.min, bounds.max] })
}
