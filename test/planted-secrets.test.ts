/**
 * Plants recognisable secrets in a running server, uses each as its owner and as a stranger does, and looks for all of them wherever
 * somebody else may read. docs/authentication.md has the same table in words.
 */

import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { createToken } from '../src/operations/tokens.ts'
import { contentsOf } from './_hostile.ts'
import { git, hasGit, temporaryDirectory } from './_setup.ts'
import { until } from './_wait.ts'
import { newWiki } from './operations/_wiki.ts'
import { bearer, sending } from './rest/_asking.ts'
import { startServed, stopServed } from './rest/_served.ts'

afterAll(stopServed)

/** A place where secrets may be found. */
type Place =
  | 'answers to their user'
  | 'answers to others'
  | 'log'
  | 'processes'
  | 'files'
  | 'git objects'
  | 'output of commands'

/** Places in which each secret is, and nowhere else. The names are those of the document. */
const expected: Readonly<Record<string, readonly Place[]>> = {
  'access token': [],
  'token of `--token-file`': ['files'],
  'code of a sign-in link': ['files'],
  'session id': ['answers to their user'],
  'CSRF token': ['answers to their user'],
  'own path': ['answers to their user'],
  proof: ['answers to their user'],
  'password in the address of a remote': ['files'],
  'variables of the environment': [],
}

/** Headers of a browser. */
const browser = { accept: 'text/html', 'sec-fetch-dest': 'document', 'sec-fetch-site': 'same-origin' }

const program = join(import.meta.dirname, '../bin/wiki.cjs')

/** A text, and what it may be compressed from. */
function readings(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  const unpacked = [inflateSync, gunzipSync, brotliDecompressSync].flatMap(unpack => {
    try {
      return unpack(bytes).toString('latin1')
    } catch {
      return []
    }
  })
  return [text, ...unpacked].join('\n')
}

/** Command lines of a process and of all that it started. */
function commandLines(pid: number): string {
  const line = readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean)
  return [line, ...children.map(child => commandLines(Number(child)))].join('\n')
}

describe.skipIf(!hasGit || process.platform !== 'linux')('secrets of a running server', () => {
  test('are where the table says, and nowhere else', { tags: 'long' }, async () => {
    const { directory, wiki } = await newWiki({ Tides: 'See [[Fog]].', Fog: 'Grey.' }, { name: 'Coast' })
    const password = 'p4ssw0rd-of-the-remote'
    git(directory, 'remote', 'add', 'origin', `https://ada:${password}@example.org/wiki.git`)
    const { token } = await createToken(wiki, { name: 'Ada', address: 'ada@example.org', scopes: ['admin'] })
    const temporary = await temporaryDirectory()
    const environment = 's3cret-of-the-environment'
    const served = await startServed(directory, ['--token-file', join(directory, '.git/wiki-token')], {
      ...{ TMPDIR: temporary, PLANTED_SECRET: environment },
    })
    const linkFile = join(directory, '.git/wiki/.access/sign-in-link')
    const link = await until('the link', () =>
      served.said.stdout.includes('the link in') ? readFileSync(linkFile, 'utf8') : undefined,
    )
    const code = /code=(wiki_[\w-]+)/.exec(link)![1]!
    const fileToken = readFileSync(join(directory, '.git/wiki-token'), 'utf8').trim()

    const told: Record<'theirs' | 'others', string[]> = { theirs: [], others: [] }
    const ask = async (to: 'theirs' | 'others', path: string, init: RequestInit = {}): Promise<Response> => {
      const answer = await fetch(served.root + path, { redirect: 'manual', ...init })
      const text = await answer.clone().text()
      told[to].push(JSON.stringify([...answer.headers]), text)
      return answer
    }
    const form = (fields: Record<string, string>, headers: Record<string, string>): RequestInit => ({
      ...{ method: 'POST', body: new URLSearchParams(fields), headers: { ...browser, ...headers } },
    })

    // The owner signs in with one token, proves it, edits, and makes another session by the API.
    const begun = await ask('theirs', '/wiki/Special:UserLogin', form({ login: token, returnto: 'Special:Tokens' }, {}))
    const [, session] = /=([\w-]{43});/.exec(begun.headers.get('set-cookie')!)!
    const cookie = begun.headers.get('set-cookie')!.split(';', 1)[0]!
    const shown = begun.headers.get('location')!
    const [, ownPath] = /^(\/~[\w-]{16})\//.exec(shown)!
    const proof = new URL(shown, served.root).searchParams.get('proof')!
    const page = await (await ask('theirs', shown, { headers: { ...browser, cookie } })).text()
    const csrf = /name="token" value="(\w+)"/.exec(page)![1]!
    const edit = { token: csrf, proof, text: 'New.', summary: 'Edited', do: 'save' }
    await ask('theirs', `${ownPath}/wiki/Tides?action=submit`, form(edit, { cookie }))
    await ask('theirs', `${ownPath}/wiki/Special:Tokens`, form({ token: csrf, proof, do: 'end-sessions' }, { cookie }))
    await ask('theirs', '/v1/page/Fog', sending('PUT', { source: 'White.', comment: '' }, bearer(fileToken)))
    for (const path of ['/wiki/Tides', '/wiki/Special:Settings', '/v1/session', '/files/None.png'])
      await ask('theirs', ownPath + path, { headers: { cookie } })
    const secrets: Readonly<Record<string, string>> = {
      ...{ 'access token': token, 'token of `--token-file`': fileToken, 'code of a sign-in link': code },
      ...{ 'session id': session!, 'CSRF token': csrf, 'own path': ownPath!, proof },
      ...{ 'password in the address of a remote': password, 'variables of the environment': environment },
    }

    // Each secret in places where it does not belong; the answer is for whoever sent it.
    for (const secret of [token, fileToken, code, session!, csrf, proof].map(encodeURIComponent)) {
      const headers = { ...browser, referer: `http://127.0.0.1/${secret}`, authorization: `Bearer ${secret} x` }
      if (secret.startsWith('wiki_'))
        for (const path of [`/v1/page/${secret}`, `/wiki/${secret}?x=${secret}`, `/v1/nope?access_token=${secret}`])
          await ask('theirs', path, { headers: { ...headers, 'user-agent': secret } })
      await ask('theirs', '/v1/page', sending('POST', '{"title": ', { authorization: `Bearer ${secret}`, cookie }))
    }
    // A fault: the file of tokens is damaged for a moment.
    const tokens = join(directory, '.git/wiki/.access/tokens.json')
    const kept = readFileSync(tokens, 'utf8')
    writeFileSync(tokens, '{')
    const fault = await ask('theirs', `${ownPath}/wiki/Special:Tokens`, { headers: { ...browser, cookie } })
    expect([fault.status, served.said.stderr.includes('tokens')]).toEqual([500, true])
    writeFileSync(tokens, kept)
    chmodSync(tokens, 0o600)

    // Others read all that they can.
    const [wikiPages, api] = ['wiki', 'v1'].map(folder => (path: string) => `/${folder}/${path}`) as [
      (path: string) => string,
      (path: string) => string,
    ]
    const read = [
      ...['Tides', 'Tides?action=history', 'Tides?action=info', 'Tides?action=edit', 'Nowhere'].map(wikiPages),
      ...['Version', 'Statistics', 'RecentChanges', 'Settings', 'Tokens', 'UserLogin', 'Drafts'].map(name =>
        wikiPages(`Special:${name}`),
      ),
      ...['page/Tides', 'page/Tides/html', 'changes', 'session', 'search/page?q=secret', 'nope'].map(api),
      ...['/wiki/Special:RecentChanges?feed=atom', '/files/.git/config', '/files/../.git/wiki-token', '/openapi.json'],
    ]
    for (const path of read) await ask('others', path, { headers: browser })

    const commands = [
      ['status'],
      ['verify', '--json'],
      ['log', '--json'],
      ['token', 'list', '--json'],
      ['check', '--json'],
      ['config', 'list'],
      ['__complete', 'wiki', 'token', 'revoke', ''],
    ]
    const output = commands.map(argv => {
      const { stdout, stderr } = spawnSync(process.execPath, [program, '-C', directory, ...argv], { encoding: 'utf8' })
      return stdout + stderr
    })
    const files = { ...contentsOf(directory), ...contentsOf(temporary) }
    const objects = spawnSync('git', ['-C', directory, 'cat-file', '--batch', '--batch-all-objects'], {
      encoding: 'latin1',
    })
    const places: Readonly<Record<Place, string>> = {
      'answers to their user': told.theirs
        .filter(text => !/wiki_[\w-]{20,}/.test(text) || text.includes(proof))
        .join('\n'),
      'answers to others': told.others.join('\n'),
      log: served.said.stdout + served.said.stderr,
      processes: commandLines(served.process.pid!),
      files: Object.values(files).map(readings).join('\n'),
      'git objects': objects.stdout,
      'output of commands': output.join('\n'),
    }
    const found = Object.entries(secrets).map(([name, secret]) => [
      name,
      Object.entries(places).flatMap(([place, text]) => (text.includes(secret) ? [place] : [])),
    ])
    expect(Object.fromEntries(found)).toEqual(expected)
    for (const [place, text] of Object.entries(places)) expect([place, text.length > 100]).toEqual([place, true])
    // Files with a secret of the server's own are their owner's alone.
    const own = [token, fileToken, code, session!, csrf, proof, ownPath!]
    for (const [path, text] of Object.entries(contentsOf(directory)))
      if (own.some(secret => text.includes(secret)))
        expect([path, statSync(join(directory, path)).mode & 0o077]).toEqual([path, 0])
    expect(statSync(join(directory, '.git/wiki/.access')).mode & 0o777).toBe(0o700)
    expect(readdirSync(temporary)).toEqual([])
  })

  test('have a row each in the document', () => {
    const [, table = ''] = readFileSync('docs/authentication.md', 'utf8').split('## Secrets')
    const names = [...table.matchAll(/^\| (?!secret|-)(.+?) \|/gm)].map(([, name]) => name)
    expect(names.filter(name => Object.hasOwn(expected, name!)).sort()).toEqual(Object.keys(expected).sort())
  })
})
