/**
 * Determines the client's address, and the host name and scheme that it used, from the connection or from the headers
 * of a trusted proxy.
 */

import type { H3Event } from 'h3'
import ipaddr from 'ipaddr.js'
import { WikiError } from '../core/errors.ts'
import { checkHost, type HostRules } from './hosts.ts'
import { authorityIn } from './params.ts'

/** The client, as seen from the connection and trusted proxies. */
export interface Client {
  /** IP address. An IPv4-mapped IPv6 address is given as IPv4. */
  readonly address: string
  /** The server's name, with its port, valid in a URL. */
  readonly host: string
  /** True if the client uses https. */
  readonly isSecure: boolean
  /** Path below which the client sees the server; "" at the root of the host. */
  readonly prefix: string
}

/** Returns true if an IP address is that of a trusted proxy. */
export type Trust = (address: string) => boolean

export interface ClientRules extends HostRules {
  readonly trust: Trust
  /** True if every client uses https, regardless of proxies. */
  readonly https?: boolean
  readonly prefix?: string
}

/**
 * Returns a function that checks whether an address is trusted, from addresses and CIDR blocks (`10.0.0.0/8`).
 *
 * Errors: wiki-usage for an invalid address or block.
 */
export function trustIn(proxies: readonly string[]): Trust {
  if (proxies.length === 0) return () => false
  const blocks = proxies.map(parseBlock)
  return text => {
    const address = parseAddress(text)
    return address !== null && blocks.some(block => block[0].kind() === address.kind() && address.match(block))
  }
}

type Address = ReturnType<typeof ipaddr.parse>

function parseBlock(text: string): [Address, number] {
  const [address = '', prefix] = text.split('/', 2)
  const parsed = parseAddress(address)
  if (prefix === undefined && parsed !== null) return [parsed, parsed.kind() === 'ipv4' ? 32 : 128]
  // The prefix length of an IPv4-mapped address is ambiguous, so IPv4 blocks must be written as IPv4.
  if (prefix !== undefined && isExact(address) && ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text)
  throw new WikiError('wiki-usage', { params: [`"${text}" is neither an IP address nor a block like 10.0.0.0/8`] })
}

/** IPv4 must be written in full, because the library also accepts `10.1`. */
function isExact(address: string): boolean {
  return address.includes(':') ? ipaddr.IPv6.isValid(address) : ipaddr.IPv4.isValidFourPartDecimal(address)
}

function parseAddress(text: string): Address | null {
  const address = text.replace(/%.*/, '')
  return isExact(address) ? ipaddr.process(address) : null
}

/**
 * Returns the address of the connection. A request without one is local. A closed connection has an unknown address,
 * which is never trusted.
 */
function socketAddress(event: H3Event): string {
  const request = event.runtime?.node?.req
  return request === undefined ? '127.0.0.1' : (request.socket.remoteAddress ?? unknownAddress)
}

const unknownAddress = '0.0.0.0'

/** Returns the address of the client. */
export function readPeer(event: H3Event, trust: Trust): string {
  return peerOf(socketAddress(event), event.req.headers.get('x-forwarded-for') ?? '', trust)
}

/** Returns the address of the client, from that of the connection and `X-Forwarded-For`. */
export function peerOf(socket: string | undefined, forwarded: string, trust: Trust): string {
  const address = socket ?? unknownAddress
  const hops = trust(address) ? forwarded.split(',') : []
  let peer = normalAddress(address)
  // Each proxy appends its client's address. Earlier entries are only as trustworthy as the client that sent them.
  while (hops.length > 0 && trust(peer)) {
    const hop = parseAddress(withoutPort(hops.pop() ?? ''))
    if (hop === null) break
    peer = hop.toString()
  }
  return peer
}

function normalAddress(text: string): string {
  return text.includes(':') ? (parseAddress(text)?.toString() ?? text) : text
}

/**
 * Returns the network that counts as one client: an IPv4 address, or an IPv6 /64, in which a client can choose
 * addresses freely.
 */
export function networkOf(address: string): string {
  const parsed = parseAddress(address)
  if (parsed === null || parsed.kind() === 'ipv4') return parsed?.toString() ?? address
  return parsed.toNormalizedString().split(':', 4).join(':')
}

/** Extracts the address from ` 192.0.2.1:1234` and `[2001:db8::1]:1234`. */
function withoutPort(text: string): string {
  const [, bracketed, plain] = /^\s*(?:\[([^\]]*)\](?::\d+)?|([\d.]+)(?::\d+)?)\s*$/.exec(text) ?? []
  return bracketed ?? plain ?? text.trim()
}

/**
 * Determines the client. Both the host name of the connection and the one sent by a proxy must be allowed: a page that
 * rebinds its own name to this machine can send any header but Host. Errors: wiki-bad-host, wiki-host-not-allowed.
 */
export function readClient(event: H3Event, rules: ClientRules): Client {
  const { headers } = event.req
  const host = checkHost(authorityIn(event) ?? headers.get('host') ?? event.url.host, rules)
  const address = readPeer(event, rules.trust)
  const { prefix = '' } = rules
  if (!rules.trust(socketAddress(event))) return { address, host, isSecure: rules.https === true, prefix }
  const forwarded = lastOf(headers.get('x-forwarded-host'))
  const scheme = lastOf(headers.get('x-forwarded-proto'))?.toLowerCase()
  return {
    address,
    host: forwarded === undefined ? host : checkHost(forwarded, rules),
    isSecure: rules.https === true || scheme === 'https',
    prefix,
  }
}

/** Returns the last entry, which the nearest proxy added. */
function lastOf(list: string | null): string | undefined {
  return list?.split(',').at(-1)?.trim() || undefined
}
