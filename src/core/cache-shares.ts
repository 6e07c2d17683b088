/** The memory of all caches together, and the share of each. */

import { WikiError } from './errors.ts'

/** Share of each cache. Together they are one. */
const shares = {
  /** Responses of the server. */
  answers: 0.1,
  /** Rendered pages. */
  renders: 0.22,
  /** Stashed HTML, where no file can be written. */
  stash: 0.03,
  /** Counts about histories. */
  counts: 0.02,
  /** Postings of search terms. */
  searchTerms: 0.15,
  /** Pages of the search index's files. */
  searchPages: 0.2,
  /** Decoded blocks of the search index's dictionaries. */
  searchBlocks: 0.08,
  /** Blocks of the revision index. */
  indexBlocks: 0.15,
  /** Objects that isomorphic-git unpacked. */
  packObjects: 0.05,
} as const

export type CacheName = keyof typeof shares

/** Returns the bytes that a cache may take. */
export type CacheBytes = (cache: CacheName) => number

/** Names of all caches that share the memory. */
export const cacheNames = Object.keys(shares) as readonly CacheName[]

const megabyte = 1024 * 1024
const bounds = { min: 1, max: 64 * 1024 }

/** Bytes of all caches by default. */
export const usualCacheBytes = 60 * megabyte

/** Divides the memory of all caches, in bytes, among them. */
export function divideCacheBytes(all = usualCacheBytes): CacheBytes {
  return cache => Math.floor(shares[cache] * all)
}

/** Parses megabytes for all caches into bytes. Errors: outofrange, also for what is no whole number. */
export function parseCacheBytes(name: string, megabytes: string): number {
  const value = /^\d{1,6}$/.test(megabytes) ? Number(megabytes) : Number.NaN
  if (value >= bounds.min && value <= bounds.max) return value * megabyte
  throw new WikiError('outofrange', { params: [name, megabytes, bounds.min, bounds.max] })
}
