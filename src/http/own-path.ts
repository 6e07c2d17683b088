/**
 * The path below which a browser on this machine sees the wiki while it is signed in, such as `/~5wFQqOq3cHk2bLxA`. Browsers send a
 * cookie to every port of a host, so a program on another port would get the session by one click. They send it only below its path,
 * which nobody else knows. Source: RFC 6265, 8.5 (weak confidentiality); docs/authentication.md#other-ports-of-this-machine.
 */

import { createHmac } from 'node:crypto'
import type { Client } from './client.ts'
import { isLoopbackHost } from './hosts.ts'

/**
 * Headers that browsers send with a form, and programs do not: Fetch Metadata, and for browsers that are older than it the wish for https.
 * Source: Fetch Metadata Request Headers, 2.1; Upgrade Insecure Requests, 3.2.
 */
const browserHeaders = ['sec-fetch-dest', 'upgrade-insecure-requests']

const form = /^\/~[\w-]{16}(?=\/)/

/** Returns the own path that a path begins with; "" for none. */
export function ownPathIn(path: string): string {
  return form.exec(path)?.[0] ?? ''
}

/** Returns a path without the own path that it begins with. */
export function withoutOwnPath(path: string): string {
  return path.slice(ownPathIn(path).length)
}

/** Replaces own paths, wherever they stand in a text that others may read. */
export function withoutOwnPaths(text: string): string {
  return text.replace(/\/~[\w-]{16}(?=\/)/g, '/~***')
}

/**
 * Returns the path for the cookie of a user's session. The user has the same one as long as the server runs, so that a form which
 * was open before can be sent after signing in again. Other hosts are not shared with strangers, and a base path belongs to a proxy. A
 * program has no browser that could be led to another port: `browserHeaders` tell them apart.
 */
export function ownPathFor({ host, prefix }: Client, headers: Headers, { key, owner }: PathOwner): string {
  const isPlain = prefix === '' || ownPathIn(`${prefix}/`) !== ''
  if (!isPlain || !isLoopbackHost(host) || !browserHeaders.some(name => headers.has(name))) return prefix
  return `/~${createHmac('sha256', key).update(owner).digest('base64url').slice(0, 16)}`
}

/** A user by the id of the token, and the secret of this server. */
interface PathOwner {
  readonly key: Buffer
  readonly owner: string
}
