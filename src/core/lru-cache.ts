/** A cache that is bounded by bytes and number, and in which one client cannot displace what others use. */

export interface LruCacheOptions<Value> {
  /** Maximum bytes of all entries together, including their overhead. */
  readonly total: number
  /** Maximum bytes of one entry; `total` if omitted. */
  readonly each?: number
  /** Maximum number of entries; only bytes bound them if omitted. */
  readonly entries?: number
  /** Milliseconds after which an entry gives way, whether or not the cache is full; never if omitted. */
  readonly lifetime?: number
  /** Returns the bytes of a value. */
  readonly sizeOf: (value: Value) => number
  /** Returns the bytes of an entry besides its value; those in memory if omitted. */
  readonly overheadOf?: (name: string) => number
  /** Called for each entry that gives way. */
  readonly onEvicted?: (name: string) => void
}

/** The client for which an entry was made, and when it was last used. */
export interface EntryUse {
  /** The network of the client; "" if it is nobody's, so that it counts towards no share. */
  readonly client?: string
  /** Milliseconds since 1970; now if omitted. */
  readonly used?: number
}

/** Overhead of an entry in memory, in bytes, besides its value and name. */
const entryBytes = 200

/**
 * Share of the cache above which a client's own entries give way first. Without it one client that asks for everything
 * once would leave nothing of what the others ask for again.
 */
const shareOfClient = 1 / 8

/** Milliseconds without a use after which an entry gives way before those of a client above its share. */
const idleMilliseconds = 60 * 60 * 1000

/** Bytes that a string may take: two for each UTF-16 unit. */
export function bytesOfText(text: string): number {
  return 2 * text.length
}

export interface LruCache<Value> {
  readonly get: (name: string) => Value | undefined
  readonly set: (name: string, value: Value, use?: EntryUse) => void
  readonly delete: (name: string) => void
  readonly clear: () => void
  readonly has: (name: string) => boolean
  /** Names of all entries, the least recently used first. */
  readonly names: () => Iterable<string>
}

interface Entry<Value> {
  readonly value: Value
  readonly size: number
  readonly client: string
  used: number
}

/** The entries of one client; the names in order of their last use. */
interface Holding {
  bytes: number
  readonly names: Set<string>
}

/** Creates an empty cache. */
export function createLruCache<Value>({
  total,
  each = total,
  entries: most = Number.POSITIVE_INFINITY,
  lifetime = Number.POSITIVE_INFINITY,
  sizeOf,
  overheadOf = name => entryBytes + bytesOfText(name),
  onEvicted = () => {},
}: LruCacheOptions<Value>): LruCache<Value> {
  // A Map and a Set iterate in insertion order, so the first entry is the least recently used.
  const entries = new Map<string, Entry<Value>>()
  const holdings = new Map<string, Holding>()
  /** Those above their share; fewer than ten, because the shares add up to the whole. */
  const large = new Set<Holding>()
  let sum = 0
  const count = (name: string, { client, size }: Entry<Value>): void => {
    if (client === '') return
    const holding = holdings.get(client) ?? { bytes: 0, names: new Set() }
    holdings.set(client, holding)
    holding.names.add(name)
    holding.bytes += size
    if (holding.bytes > total * shareOfClient) large.add(holding)
  }
  const discount = (name: string, { client, size }: Entry<Value>): void => {
    const holding = holdings.get(client)
    if (holding === undefined) return
    holding.names.delete(name)
    holding.bytes -= size
    if (holding.bytes <= total * shareOfClient) large.delete(holding)
    if (holding.names.size === 0) holdings.delete(client)
  }
  const drop = (name: string): void => {
    const entry = entries.get(name)
    if (entry === undefined) return
    entries.delete(name)
    sum -= entry.size
    discount(name, entry)
  }
  /** Name of the entry that gives way: nobody has used it for long, or its client has more than its share, or it is the oldest. */
  const victim = (now: number): string => {
    const [[oldest, { used }]] = entries as unknown as readonly [[string, Entry<Value>]]
    if (now - used <= idleMilliseconds)
      for (const { names } of large) if (names.size > 1) return names.values().next().value as string
    return oldest
  }
  const isTooMuch = (now: number): boolean => {
    if (sum > total) return true
    const [oldest] = entries.values()
    return oldest !== undefined && now - oldest.used > lifetime
  }
  return {
    get: name => {
      const found = entries.get(name)
      if (found === undefined) return undefined
      entries.delete(name)
      entries.set(name, found)
      found.used = Date.now()
      const names = holdings.get(found.client)?.names
      names?.delete(name)
      names?.add(name)
      return found.value
    },
    set: (name, value, { client = '', used } = {}) => {
      drop(name)
      const now = Date.now()
      // An entry counts as its part of the number as well, so that one sum bounds both.
      const size = Math.max(overheadOf(name) + sizeOf(value), total / most)
      if (size > each) return
      const entry = { value, size, client, used: used ?? now }
      entries.set(name, entry)
      sum += size
      count(name, entry)
      while (isTooMuch(now)) {
        const name = victim(now)
        drop(name)
        onEvicted(name)
      }
    },
    delete: drop,
    clear: () => {
      entries.clear()
      holdings.clear()
      large.clear()
      sum = 0
    },
    has: name => entries.has(name),
    names: () => entries.keys(),
  }
}
