/**
 * Checks the Host header. A foreign page can point its own domain to this machine (DNS rebinding) and would then send
 * requests under that name, so unknown names are refused.
 */

import { isIP, isIPv4, isIPv6 } from 'node:net'
import { WikiError } from '../core/errors.ts'

export interface HostRules {
  /** Name or address that the server is bound to. */
  readonly host?: string
  /** Further names without a port, e.g. that of a reverse proxy. */
  readonly allowedHosts?: readonly string[]
}

/** Returns true if a server bound to this name listens on every address of the machine. */
export function isAnyAddress(host: string): boolean {
  return host === '0.0.0.0' || host === '::'
}

const hostForm = /^(?:\[(?<address>[\da-f:.]+)\]|(?<name>[a-z\d._-]+))(?::(?<port>\d{1,5}))?$/i

/**
 * Checks the Host of a request and returns it in a form that is valid in a URL.
 *
 * Errors: wiki-bad-host if it is malformed, wiki-host-not-allowed if it is not a name of this server.
 */
export function checkHost(header: string, rules: HostRules): string {
  const { address, name, port = '0' } = hostForm.exec(header)?.groups ?? {}
  const host = (address ?? name)?.toLowerCase()
  const isHost = host !== undefined && Number(port) < 65_536 && (address === undefined || isIPv6(address))
  if (!isHost) throw new WikiError('wiki-bad-host', { params: [header] })
  if (!isOurs(host, rules)) throw new WikiError('wiki-host-not-allowed', { params: [header] })
  return header
}

function isOurs(name: string, { host = '', allowedHosts = [] }: HostRules): boolean {
  return (
    isLoopback(name) ||
    [host, ...allowedHosts].some(allowed => allowed.toLowerCase() === name) ||
    // An IP address cannot be rebound, so it is accepted.
    (isAnyAddress(host) && isIP(name) !== 0)
  )
}

/** Returns true if a host, with or without a port, is a name of this machine for itself, whose other ports anybody here may take. */
export function isLoopbackHost(host: string): boolean {
  const { address, name } = hostForm.exec(host)?.groups ?? {}
  return isLoopback((address ?? name ?? '').toLowerCase())
}

function isLoopback(name: string): boolean {
  return (
    name === 'localhost' || name.endsWith('.localhost') || name === '::1' || (isIPv4(name) && name.startsWith('127.'))
  )
}

/** Returns true if an Origin header names the host that the request was sent to. */
export function isSameOrigin(origin: string, host: string): boolean {
  const place = `http://${host}`
  return URL.canParse(origin) && URL.canParse(place) && new URL(origin).host === new URL(place).host
}
