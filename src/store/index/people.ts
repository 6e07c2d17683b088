/**
 * Authors and users of commits. A user is an address, and an author is a user under a name. Their ordinals are
 * permanent.
 */

import { type BlockFile, GrowingBytes, type Region } from './bytes.ts'
import {
  type AuthorRow,
  authorBytes,
  decodeAuthor,
  decodeUser,
  encodeAuthor,
  encodeUser,
  type HeapPlaces,
  type HeapReader,
  userBytes,
  userIn,
} from './records.ts'

/** Numbers of authors and users added since the base was written. */
export interface PeopleCounts {
  readonly authors: number
  readonly users: number
}

/** Authors and users in a frame of the tail. */
export interface AddedPeople {
  readonly authors: readonly AuthorRow[]
  readonly users: readonly string[]
}

/** Ordinals by identity. Forks share them, so each entry is verified against the people before it counts. */
interface OrdinalsByIdentity {
  authors: Map<string, number> | null
  users: Map<string, number> | null
}

export class People {
  readonly #authors: GrowingBytes
  readonly #users: GrowingBytes
  readonly #heap: HeapReader
  readonly #addedAuthors: AuthorRow[]
  readonly #addedUsers: string[]
  readonly #ordinals: OrdinalsByIdentity

  private constructor(
    base: readonly [GrowingBytes, GrowingBytes, HeapReader],
    added: AddedPeople,
    ordinals: OrdinalsByIdentity,
  ) {
    ;[this.#authors, this.#users, this.#heap] = base
    this.#addedAuthors = [...added.authors]
    this.#addedUsers = [...added.users]
    this.#ordinals = ordinals
  }

  /** Opens the people of a base file. */
  static open(file: BlockFile | null, region: (name: string) => Region, heap: HeapReader): People {
    const base = [new GrowingBytes(file, region('authors')), new GrowingBytes(file, region('users')), heap] as const
    return new People(base, { authors: [], users: [] }, { authors: null, users: null })
  }

  /** Creates a fork that may grow while these people stay the same. */
  fork(): People {
    const added = { authors: this.#addedAuthors, users: this.#addedUsers }
    return new People([this.#authors, this.#users, this.#heap], added, this.#ordinals)
  }

  author(ordinal: number): AuthorRow {
    const inBase = this.#authors.length / authorBytes
    if (ordinal >= inBase) return this.#addedAuthors[ordinal - inBase] as AuthorRow
    return decodeAuthor(this.#authors.read(ordinal * authorBytes, authorBytes), this.#heap)
  }

  /** Number that identifies an author's user: the same for all names of a user, another one for each anonymous name. */
  editor(ordinal: number): number {
    const inBase = this.#authors.length / authorBytes
    const added = this.#addedAuthors[ordinal - inBase]
    const user = added === undefined ? userIn(this.#authors.read(ordinal * authorBytes, authorBytes)) : added.user
    return user === null ? ordinal * 2 + 1 : user * 2
  }

  /** Folded address of a user. */
  address(user: number): string {
    const inBase = this.#users.length / userBytes
    if (user > inBase) return this.#addedUsers[user - 1 - inBase] as string
    return decodeUser(this.#users.read((user - 1) * userBytes, userBytes), this.#heap)
  }

  get #authorCount(): number {
    return this.#authors.length / authorBytes + this.#addedAuthors.length
  }

  get #userCount(): number {
    return this.#users.length / userBytes + this.#addedUsers.length
  }

  /** Ordinal of the author with this name and folded address, added if missing; `address` null: anonymous. */
  authorOrdinal(name: string, address: string | null): number {
    const user = address === null ? null : this.#userId(address)
    this.#ordinals.authors ??= new Map([...this.#allAuthors()].map((row, ordinal) => [identityOf(row), ordinal]))
    const identity = identityOf({ user, name })
    const existing = this.#ordinals.authors.get(identity)
    if (existing !== undefined && existing < this.#authorCount && identityOf(this.author(existing)) === identity)
      return existing
    this.#ordinals.authors.set(identity, this.#authorCount)
    this.#addedAuthors.push({ user, name })
    return this.#authorCount - 1
  }

  #userId(address: string): number {
    this.#ordinals.users ??= new Map([...this.#allUsers()].map((row, at) => [row, at + 1]))
    const existing = this.#ordinals.users.get(address)
    if (existing !== undefined && existing <= this.#userCount && this.address(existing) === address) return existing
    this.#addedUsers.push(address)
    this.#ordinals.users.set(address, this.#userCount)
    return this.#userCount
  }

  *#allAuthors(): Generator<AuthorRow> {
    for (let ordinal = 0; ordinal < this.#authorCount; ordinal++) yield this.author(ordinal)
  }

  *#allUsers(): Generator<string> {
    for (let user = 1; user <= this.#userCount; user++) yield this.address(user)
  }

  get counts(): PeopleCounts {
    return { authors: this.#addedAuthors.length, users: this.#addedUsers.length }
  }

  /** Those added after this many. */
  since({ authors, users }: PeopleCounts): AddedPeople {
    return { authors: this.#addedAuthors.slice(authors), users: this.#addedUsers.slice(users) }
  }

  /** Adds the result of `since`. */
  append({ authors, users }: AddedPeople): void {
    this.#addedAuthors.push(...authors)
    this.#addedUsers.push(...users)
    this.#ordinals.authors = null
    this.#ordinals.users = null
  }

  /** All of them, in parts: the contents of the next base. */
  parts(heap: HeapPlaces) {
    return {
      authors: mapped(this.#allAuthors(), row => encodeAuthor(row, heap)),
      users: mapped(this.#allUsers(), address => encodeUser(address, heap)),
    }
  }

  /** Their strings in the order in which `parts` placed them. */
  *textParts(): Generator<Buffer> {
    for (const { name } of this.#allAuthors()) yield Buffer.from(name)
    for (const address of this.#allUsers()) yield Buffer.from(address)
  }
}

function* mapped<From>(from: Iterable<From>, map: (item: From) => Buffer): Generator<Buffer> {
  for (const item of from) yield map(item)
}

function identityOf({ user, name }: AuthorRow): string {
  return `${user ?? 0} ${name}`
}
