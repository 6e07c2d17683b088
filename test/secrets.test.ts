import { execFileSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { contentsOf } from './_hostile.ts'
import { hasGit, temporaryDirectory } from './_setup.ts'

const compared: number[][] = []
vi.mock('node:crypto', async original => {
  const real = await original<typeof import('node:crypto')>()
  const timingSafeEqual: typeof real.timingSafeEqual = (left, right) => {
    compared.push([left.byteLength, right.byteLength])
    return real.timingSafeEqual(left, right)
  }
  return { ...real, timingSafeEqual, default: { ...real, timingSafeEqual } }
})

const { createToken, openTokenBook } = await import('../src/operations/tokens.ts')
const { createApp } = await import('../src/rest/app.ts')
const { newWiki, openTestWiki } = await import('./operations/_wiki.ts')
const { bearer, cookieOf, sending } = await import('./rest/_asking.ts')
const { jsonOf } = await import('./rest/json-response.ts')
const { wiki: command } = await import('./cli/harness.ts')

const path = process.env.PATH ?? ''
afterAll(() => {
  process.env.PATH = path
})

/** Puts a program named git before the real one: it records its arguments, one per line, and an empty line after each call. */
async function watchedGit(): Promise<() => string[][]> {
  const folder = await temporaryDirectory()
  const notes = join(folder, 'calls')
  writeFileSync(notes, '')
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const script = `#!/bin/sh\n{ for word; do printf '%s\\n' "$word"; done; echo; } >> '${notes}'\nexec '${real}' "$@"\n`
  writeFileSync(join(folder, 'git'), script)
  chmodSync(join(folder, 'git'), 0o755)
  process.env.PATH = `${folder}:${path}`
  return () => {
    const calls = readFileSync(notes, 'utf8').split('\n\n')
    return calls.filter(call => call !== '').map(call => call.split('\n'))
  }
}

const option = '--upload-pack=touch'

describe.skipIf(!hasGit || process.platform === 'win32')('the arguments of git', () => {
  test('contain nothing that a user wrote except after --end-of-options, and no token', { tags: 'long' }, async () => {
    const calls = await watchedGit()
    const { wiki, directory } = await newWiki({ A: 'one', [`-${option}`]: 'two' })
    const { token } = await createToken(wiki, { name: 'Ada', address: 'ada@example.org' })
    const log: unknown[] = []
    const app = createApp(wiki, { log: entry => log.push(entry) })
    const body = { title: option, source: option, comment: option }
    expect((await app.request('/v1/page', sending('POST', body, bearer(token)))).status).toBe(201)
    await app.request(`/v1/page/${option}/html`, { headers: bearer(token) })
    await app.request(`/v1/search/page?q=${option}`, { headers: bearer(`${token}x`) })
    await wiki.close()
    for (const argv of [['page', 'get'], ['history'], ['compare'], ['search'], ['lint'], ['commit']])
      await command(['-C', directory, '--no-input', ...argv, '--', option])
    await command(['-C', directory, 'compare', '--', `${option}..main`])
    await command(['-C', directory, 'compare', '--', `commit:${option}`, 'A@latest'])
    await command(['-C', directory, 'status'])
    const made = calls()
    expect(made.length).toBeGreaterThan(0)
    for (const words of made) {
      const end = words.findIndex(word => word === '--end-of-options' || word === '--')
      expect(words.slice(0, end < 0 ? words.length : end).filter(word => word.includes(option))).toEqual([])
    }
    expect(made.some(words => words.includes(option))).toBe(true)
    expect(JSON.stringify([made, log, process.title, process.argv])).not.toContain(token)
    for (const [file, content] of Object.entries(contentsOf(directory))) expect(content, file).not.toContain(token)
  })
})

describe('every start of a program', () => {
  /** Files of src that start programs, and how often; a new place must be reviewed and listed here. */
  const starts: Readonly<Record<string, number>> = {
    'cli/browser.ts': 1,
    'cli/editor.ts': 2,
    'cli/terminal/pager.ts': 1,
    'dump/decompress.ts': 1,
    'media/decoder.ts': 1,
    'operations/searching/search-worker.ts': 1,
    'operations/workers/worker-pool.ts': 1,
    'store/repository/process.ts': 5,
  }

  test('is a known one, and no git call goes through a shell', () => {
    const root = join(import.meta.dirname, '../src')
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'))
    const found = files.flatMap(file => {
      const text = readFileSync(join(root, file), 'utf8')
      if (!text.includes('node:child_process') && !text.includes('node:cluster')) return []
      const calls = text.match(/(?<![\w.#])(?:spawn|spawnSync|exec|execSync|execFile|fork)\(.*/g)
      return calls === null ? [] : [[file.replaceAll('\\', '/'), calls] as const]
    })
    expect(Object.fromEntries(found.map(([file, calls]) => [file, calls.length]))).toEqual(starts)
    const gits = found.flatMap(([, calls]) => calls).filter(call => call.includes("'git'"))
    expect(gits.filter(call => call.includes('shell') || call.includes('`'))).toEqual(
      gits.filter(call => call.includes('`--git-dir=')),
    )
  })
})

describe('tokens are compared in constant time, by their hashes', () => {
  test('right ones, wrong ones and short ones alike', async () => {
    const { wiki } = await newWiki()
    const { token } = await createToken(wiki, { name: 'Ada', address: 'ada@example.org' })
    await createToken(wiki, { name: 'Bob', address: 'bob@example.org' })
    const book = openTokenBook(wiki)
    for (const presented of [token, `${token.slice(0, -1)}x`, '', 'x'.repeat(10_000)]) {
      compared.length = 0
      expect(book.find(presented)?.name).toBe(presented === token ? 'Ada' : undefined)
      expect(compared).toEqual([
        [32, 32],
        [32, 32],
      ])
    }
  })

  test('and those of sessions', async () => {
    const { wiki } = await newWiki({ A: 'one' })
    const { token } = await createToken(wiki, { name: 'Ada', address: 'ada@example.org' })
    const app = createApp(await openTestWiki(wiki.store.repository.workTree!))
    const cookie = cookieOf(await app.request('/v1/session', sending('POST', { token })))
    const { csrf_token } = await jsonOf(await app.request('/v1/session', { headers: { cookie } }))
    for (const presented of [csrf_token, 'x', 'x'.repeat(1_000)]) {
      compared.length = 0
      const body = { title: 'B', source: 'x', comment: '', token: presented }
      const { status } = await app.request('/v1/page', sending('POST', body, { cookie }))
      expect(status).toBe(presented === csrf_token ? 201 : 403)
      expect(compared.length).toBeGreaterThan(0)
      expect(compared.every(([left, right]) => left === right && left! >= 20)).toBe(true)
    }
  })
})
