import { describe, expect, test } from 'vitest'
import { checkHost, type HostRules, isSameOrigin } from '../../src/http/hosts.ts'
import { fakeApp } from './fake-wiki.ts'
import { jsonOf } from './json-response.ts'

describe('a host', () => {
  test.each<[header: string, rules: HostRules, answer: 'ours' | 'wiki-bad-host' | 'wiki-host-not-allowed']>([
    ['localhost', {}, 'ours'],
    ['LocalHost:8080', {}, 'ours'],
    ['wiki.localhost', {}, 'ours'],
    ['127.0.0.1:1', {}, 'ours'],
    ['127.9.9.9', {}, 'ours'],
    ['[::1]:8080', {}, 'ours'],
    ['evil.example', {}, 'wiki-host-not-allowed'],
    ['127.0.0.1.evil.example', {}, 'wiki-host-not-allowed'],
    ['localhost.evil.example', {}, 'wiki-host-not-allowed'],
    ['notlocalhost', {}, 'wiki-host-not-allowed'],
    ['192.168.1.5', {}, 'wiki-host-not-allowed'],
    ['[::2]', {}, 'wiki-host-not-allowed'],
    ['192.168.1.5:80', { host: '192.168.1.5' }, 'ours'],
    ['Wiki.Example', { host: 'wiki.example' }, 'ours'],
    ['192.168.1.5:80', { host: '0.0.0.0' }, 'ours'],
    ['[fe80::1]:80', { host: '::' }, 'ours'],
    ['evil.example', { host: '0.0.0.0' }, 'wiki-host-not-allowed'],
    ['wiki.example:443', { allowedHosts: ['wiki.example'] }, 'ours'],
    ['', {}, 'wiki-bad-host'],
    ['localhost, localhost', {}, 'wiki-bad-host'],
    ['localhost/x', {}, 'wiki-bad-host'],
    ['user@localhost', {}, 'wiki-bad-host'],
    ['localhost:99999', {}, 'wiki-bad-host'],
    ['localhost:', {}, 'wiki-bad-host'],
    ['[::1', {}, 'wiki-bad-host'],
    ['[:::]', {}, 'wiki-bad-host'],
    ['local\r\nhost', {}, 'wiki-bad-host'],
  ])('%j under %j is %s', (header, rules, answer) => {
    if (answer === 'ours') expect(checkHost(header, rules)).toBe(header)
    else expect(() => checkHost(header, rules)).toThrow(expect.objectContaining({ code: answer }))
  })

  test('that is not permitted is refused before anything is read', { tags: 'long' }, async () => {
    const app = fakeApp()
    for (const path of ['/v1/page/Main_Page', '/v1/nope', '/v1/page/%zz']) {
      const response = await app.request(path, { headers: { host: 'evil.example' } })
      expect([response.status, (await jsonOf(response)).errorKey]).toEqual([403, 'wiki-host-not-allowed'])
    }
  })
})

describe('an origin', () => {
  test.each<[origin: string, host: string, same: boolean]>([
    ['http://localhost:8080', 'LOCALHOST:8080', true],
    ['https://wiki.example', 'wiki.example', true],
    ['http://localhost', 'localhost:80', true],
    ['http://localhost:8081', 'localhost:8080', false],
    ['http://[::1]:80', '[0:0::1]', true],
    ['null', 'localhost', false],
    ['', '', false],
    ['http://x', 'xn--.localhost', false],
  ])('%j is that of the host %j: %s', (origin, host, same) => {
    expect(isSameOrigin(origin, host)).toBe(same)
  })
})
