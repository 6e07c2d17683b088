import { execFileSync, spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { initRepository } from '../../src/store/repository/init.ts'
import { dumpOf } from '../operations/_dump.ts'
import { sampleWiki, temporaryFolder, wiki } from './harness.ts'

const dump = dumpOf([
  {
    title: 'Boats',
    revisions: [
      { id: 6201, time: '2020-01-01T00:00:00Z', text: 'One', comment: 'first' },
      { id: 6209, time: '2020-01-02T00:00:00Z', text: 'Two', comment: 'second', by: '10.0.0.1' },
    ],
  },
  { title: 'Bad[title', id: 2, revisions: [{ id: 6210, text: 'x' }] },
])

function emptyWiki(): string {
  const cwd = temporaryFolder()
  initRepository(cwd)
  return cwd
}

async function importedWiki(): Promise<string> {
  const cwd = emptyWiki()
  writeFileSync(join(cwd, 'dump.xml'), dump)
  expect((await wiki(['import', 'dump.xml', '-q'], { cwd })).status).toBe(0)
  return cwd
}

test('an import reports its result and its omissions', async () => {
  const cwd = emptyWiki()
  writeFileSync(join(cwd, 'dump.xml.gz'), gzipSync(dump))
  const result = await wiki(['import', 'dump.xml.gz'], { cwd })
  expect(result.stderr).toMatch(
    /^Left out "Bad\[title": it has one of .*\nImported 2 revisions of 1 page up to [0-9a-f]{7,}\n$/,
  )
  expect(result).toMatchObject({ status: 0, stdout: '' })
  expect((await wiki(['import', 'dump.xml.gz', '-q'], { cwd })).stderr).toBe('')
})

test('a dump is read from standard input', async () => {
  const cwd = emptyWiki()
  const { status, stdout } = await wiki(['import', '-', '--json'], { cwd, stdin: dump })
  expect(status).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ pages: 1, revisions: 2, skippedPages: 1, commit: expect.any(String) })
})

test('a dry run counts and writes nothing', async () => {
  const cwd = emptyWiki()
  const result = await wiki(['import', '-', '--dry-run'], { cwd, stdin: dump })
  expect(result.stderr).toContain('Would import 2 revisions of 1 page\n')
  expect((await wiki(['page', 'list'], { cwd })).stdout).toBe('')
})

test.each([
  ['a broken dump', dump.replace('</mediawiki>', ''), 'wiki: The dump cannot be read: stdin:'],
  ['no dump', 'hello', 'wiki: The dump cannot be read: stdin:1: '],
])('%s ends with 2 and names the line', async (_, stdin, message) => {
  const cwd = emptyWiki()
  const result = await wiki(['import', '-'], { cwd, stdin })
  expect(result.status).toBe(2)
  expect(result.stderr).toContain(message)
  expect(existsSync(join(cwd, '.git/refs/heads/main'))).toBe(false)
})

test('a missing file ends with 2', async () => {
  const cwd = emptyWiki()
  const result = await wiki(['import', 'missing.xml'], { cwd })
  expect(result.status).toBe(2)
  expect(result.stderr).toContain('missing.xml')
})

test('existing pages end with 3 and a hint', async () => {
  const cwd = sampleWiki()
  const stdin = dumpOf([{ title: 'Main Page', revisions: [{ text: 'x' }] }])
  const result = await wiki(['import', '-'], { cwd, stdin })
  expect(result.status).toBe(3)
  expect(result.stderr).toMatch(/Main Page; nothing was written\nhint: .*--merge\n$/)
  expect((await wiki(['import', '-', '--merge'], { cwd, stdin })).status).toBe(0)
})

test.each([
  [['page', 'get', 'Boats', '--at', 'mw:6201'], 'One\n'],
  [['revision', 'get', 'mw:6209'], 'Two\n'],
  [['revision', 'mw:6209'], 'Two\n'],
])('wiki %j reads the revision', async (argv, text) => {
  expect((await wiki(argv, { cwd: await importedWiki() })).stdout).toBe(text)
})

test('mw: names revisions for compare and history', async () => {
  const cwd = await importedWiki()
  const compared = await wiki(['compare', 'mw:6201', 'mw:6209'], { cwd })
  expect(compared.status).toBe(1)
  expect(compared.stdout).toContain('Two')
  const older = await wiki(['history', 'Boats', '--older-than', 'mw:6209', '--json'], { cwd })
  expect(JSON.parse(older.stdout).revisions).toMatchObject([{ comment: 'first' }])
  expect((await wiki(['compare', 'mw:6201', 'mw:1'], { cwd })).status).toBe(2)
})

test('an export goes to standard output, to a file, or to a compressed file', async () => {
  const cwd = await importedWiki()
  const { stdout } = await wiki(['export'], { cwd })
  expect(stdout).toMatch(/^<mediawiki .*<\/mediawiki>\n$/s)
  expect(await wiki(['export', '-o', 'out.xml', '-q'], { cwd })).toEqual({ status: 0, stdout: '', stderr: '' })
  expect(readFileSync(join(cwd, 'out.xml'), 'utf8')).toBe(stdout)
  await wiki(['export', 'Boats', '--all', '-o', 'out.xml.gz'], { cwd })
  expect(gunzipSync(readFileSync(join(cwd, 'out.xml.gz'))).toString()).toBe(stdout)
  expect(readdirSync(cwd).filter(name => name.endsWith('.part'))).toEqual([])
})

test.skipIf(process.platform === 'win32')('an export leaves a pipe and a link where they are', async () => {
  const cwd = await importedWiki()
  const { stdout } = await wiki(['export'], { cwd })
  execFileSync('mkfifo', [join(cwd, 'pipe')])
  const reader = spawn('cat', [join(cwd, 'pipe')])
  const text = readAll(reader.stdout)
  expect((await wiki(['export', '-o', 'pipe', '-q'], { cwd })).status).toBe(0)
  expect(await text).toBe(stdout)
  expect(lstatSync(join(cwd, 'pipe')).isFIFO()).toBe(true)
  writeFileSync(join(cwd, 'real.xml'), 'old')
  symlinkSync('real.xml', join(cwd, 'link.xml'))
  await wiki(['export', '-o', 'link.xml', '-q'], { cwd })
  expect(lstatSync(join(cwd, 'link.xml')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(cwd, 'real.xml'), 'utf8')).toBe(stdout)
})

test('an export of a missing page leaves no file', async () => {
  const cwd = await importedWiki()
  expect((await wiki(['export', 'Nowhere', '-o', 'out.xml'], { cwd })).status).toBe(2)
  expect(existsSync(join(cwd, 'out.xml'))).toBe(false)
  expect((await wiki(['export', '--all', '--latest'], { cwd })).status).toBe(2)
})

test('media files are imported from a folder, and exported to one', { tags: 'long' }, async () => {
  const cwd = await importedWiki()
  mkdirSync(join(cwd, 'media'))
  writeFileSync(join(cwd, 'media/boat.png'), 'a boat')
  const result = await wiki(['import', 'dump.xml', '--files', 'media'], { cwd })
  expect(result.stderr).toMatch(
    /Imported 0 revisions of 1 page, 1 file up to [0-9a-f]{7,}; 2 revisions were here already\n$/,
  )
  const { stderr } = await wiki(['export', '--files', 'out', '-o', 'out.xml'], { cwd })
  expect(stderr).toBe('Wrote 1 media file to out\n')
  expect(readFileSync(join(cwd, 'out/Boat.png'), 'utf8')).toBe('a boat')
})
