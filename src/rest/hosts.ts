/**
 * Which names this server answers to. A page of another site can make its own name point at this machine (DNS
 * rebinding); it then speaks to us under that name, so names we do not know are refused.
 */

import { isIP, isIPv4 } from 'node:net'
import { WikiError } from '../core/errors.ts'

export interface HostRules {
  /** Name or address the server is bound to. */
  readonly host?: string
  /** Further names, without a port, e.g. that of a reverse proxy. */
  readonly allowedHosts?: readonly string[]
}

/** True where a server bound to this listens on every address of the machine. */
export function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

/**
 * Checks the Host of a request and returns it as it may stand in a URL.
 *
 * @throws WikiError wiki-bad-host where it is none, wiki-host-not-allowed where it is not ours
 */
export function checkHost(header: string, rules: HostRules): string {
  const name = /^(?:\[([\da-f:.]+)\]|([a-z\d._-]+))(?::\d{1,5})?$/i.exec(header)
  if (name === null || !URL.canParse(`http://${header}`)) throw new WikiError('wiki-bad-host', { params: [header] })
  if (!isOurs((name[1] ?? name[2] ?? '').toLowerCase(), rules)) {
    throw new WikiError('wiki-host-not-allowed', { params: [header] })
  }
  return header
}

function isOurs(name: string, { host = '', allowedHosts = [] }: HostRules): boolean {
  return (
    isLoopback(name) ||
    [host, ...allowedHosts].some(known => known.toLowerCase() === name) ||
    // An address cannot be rebound: who types it means it.
    (isAnyAddress(host) && isIP(name) !== 0)
  )
}

function isLoopback(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
  )
}

/** True where an Origin header names the host that the request was sent to. */
export function isSameOrigin(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === new URL(`http://${host}`).host
}
