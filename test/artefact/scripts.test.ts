// @module-tag long
/** Texts in any script come back as they were written, on the command line and over HTTP, and searches find them. */

import { beforeAll, describe, expect, test } from 'vitest'
import { rounds } from '../_rounds.ts'
import { temporaryDirectory } from '../_setup.ts'
import { hasNpm, installed, serve, wiki } from './_installed.ts'
import { garbled, generatedScripts, scripts } from './_scripts.ts'

beforeAll(async () => void (hasNpm && (await installed())), 600_000)

describe.skipIf(!hasNpm).each(scripts)('$name', ({ title, text, words, summary, user }) => {
  test('on the command line, without git', async () => {
    const run = { cwd: await temporaryDirectory(), withoutGit: true }
    const author = ['-m', summary, '--user', `${user} <user@example.org>`]
    await wiki(['init'], run)
    const create = await wiki(['page', 'create', title, '-f', '-', ...author], { ...run, input: `${text}\n` })
    expect(create).toMatchObject({ status: 0, stderr: expect.stringContaining(title) })
    expect(await wiki(['page', 'get', title], run)).toMatchObject({ status: 0, stdout: `${text}\n` })
    const { stdout } = await wiki(['history', title, '--json'], run)
    expect(JSON.parse(stdout).revisions[0]).toMatchObject({ comment: summary, user: { name: user } })
    for (const query of [words, `“${words}”`])
      expect((await wiki(['search', query], run)).stdout.split('\t')[0], query).toBe(title)
    expect((await wiki(['list', '--orphans'], run)).stdout).toContain(title)
  })

  test('over HTTP', async () => {
    const cwd = await temporaryDirectory()
    await wiki(['init'], { cwd })
    const { stdout: token } = await wiki(['token', 'create', user, '--email', 'user@example.org'], { cwd })
    const { url } = await serve(cwd)
    const ask = async (path: string, init: RequestInit = {}) => {
      const headers = { authorization: `Bearer ${token.trim()}`, 'content-type': 'application/json' }
      const response = await fetch(`${url}/v1${path}`, { ...init, headers })
      return JSON.parse(await response.text())
    }
    const body = JSON.stringify({ title, source: text, comment: summary })
    expect(await ask('/page', { method: 'POST', body })).toMatchObject({ title, source: text })
    const page = `/page/${encodeURIComponent(title.replaceAll(' ', '_'))}`
    expect(await ask(page)).toMatchObject({ title, source: text })
    expect((await ask(`${page}/history`)).revisions[0]).toMatchObject({ comment: summary, user: { name: user } })
    for (const query of [words, `“${words}”`])
      expect((await ask(`/search/page?q=${encodeURIComponent(query)}`)).pages[0], query).toMatchObject({ title })
    const [start] = title
    expect((await ask(`/search/title?q=${encodeURIComponent(start!)}`)).pages[0]).toMatchObject({ title })
  })
})

describe.skipIf(!hasNpm)('generated words of every script', () => {
  test('on the command line', async () => {
    const cwd = await temporaryDirectory()
    await wiki(['init'], { cwd })
    for (const { title, text, words, summary, user } of generatedScripts(2)) {
      const author = ['-m', summary, '--user', `${user} <user@example.org>`]
      await wiki(['page', 'create', title, '-f', '-', ...author], { cwd, input: `${text}\n` })
      expect(await wiki(['page', 'get', title], { cwd })).toMatchObject({ status: 0, stdout: `${text}\n` })
      expect((await wiki(['search', words], { cwd })).stdout.split('\t')[0], words).toBe(title)
      const { stdout } = await wiki(['history', title], { cwd })
      for (const part of [summary, user]) expect(stdout).toContain(part)
      expect(stdout).not.toMatch(garbled)
    }
  })

  test('over HTTP', { tags: ['rounds', 'long'] }, async () => {
    const cwd = await temporaryDirectory()
    await wiki(['init'], { cwd })
    const { url } = await serve(cwd, ['--allow-anonymous'])
    const ask = async (path: string, init: RequestInit = {}) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await (await fetch(`${url}${path}`, { ...init, headers })).text()
      expect(answer, path).not.toMatch(garbled)
      return path.startsWith('/v1') ? JSON.parse(answer) : answer
    }
    for (const { title, text, words, summary } of seeds.flatMap(generatedScripts)) {
      const body = JSON.stringify({ title, source: text, comment: summary })
      expect(await ask('/v1/page', { method: 'POST', body })).toMatchObject({ title, source: text })
      const name = encodeURIComponent(title.replaceAll(' ', '_'))
      expect(await ask(`/v1/page/${name}`)).toMatchObject({ title, source: text })
      expect((await ask(`/v1/page/${name}/history`)).revisions[0]).toMatchObject({ comment: summary })
      expect((await ask(`/v1/search/page?q=${encodeURIComponent(words)}`)).pages[0], words).toMatchObject({ title })
      for (const part of [title, text]) expect(await ask(`/wiki/${name}`)).toContain(part)
      expect(await ask(`/wiki/${name}?action=history`)).toContain(summary)
    }
  })
})

const seeds = Array.from({ length: rounds(1, 10, 100) }, (_, at) => at + 3)
