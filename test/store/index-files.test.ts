import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { defaultConfig } from '../../src/core/config.ts'
import { isWikiError } from '../../src/core/errors.ts'
import { checksum } from '../../src/store/index/checksum.ts'
import { RevisionIndex } from '../../src/store/index/revision-index.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { rounds } from '../_rounds.ts'
import { copyFolder, git, hasGit, temporaryDirectory } from '../_setup.ts'
import { deadOwner, lockOf, ownerWith } from './_owners.ts'
import { bundleChild, startChild } from './_processes.ts'
import { writeHistory } from './_scripted-history.ts'
import { type Answers, answersOf, newStore, openFresh, write } from './_store.ts'

describe('the index files', () => {
  test('are a base for the first build and a tail for later additions', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'A.wiki': 'a' })
    const base = readFileSync(join(index(directory), 'base'))
    expect(existsSync(join(index(directory), 'tail'))).toBe(false)
    let length = 0
    for (const text of ['b', 'c', 'd']) {
      await write(store, { 'A.wiki': text, [`${text}.png`]: text })
      const now = statSync(join(index(directory), 'tail')).size
      expect(now).toBeGreaterThan(length)
      length = now
    }
    expect(readFileSync(join(index(directory), 'base'))).toEqual(base)
    expect(answersOf(await openFresh(directory))).toEqual(answersOf(store))
  })

  test('settings stored by an older release get defaults for newer keys', async () => {
    const { store, directory } = await newStore()
    await write(store, { 'wiki.json': '{"name":"Sea"}', 'A.wiki': 'a' })
    await openFresh(directory)
    changeKeptSettings(join(index(directory), 'base'), ({ name }) => ({ name }))
    const { config } = await openFresh(directory)
    expect(config).toEqual({ ...defaultConfig(), name: 'Sea' })
  })

  test.each([
    ['base', 'a folder'],
    ['base', 'a link to nowhere'],
    ['tail', 'a folder'],
    ['tail', 'a link to nowhere'],
  ])('are rebuilt if %s is %s', async (name, what) => {
    const { store, directory } = await newStore()
    for (const text of ['a', 'b']) await write(store, { 'A.wiki': text })
    const path = join(index(directory), name)
    rmSync(path)
    if (what === 'a folder') mkdirSync(join(path, 'inside'), { recursive: true })
    else symlinkSync(path, path)
    const fresh = await openFresh(directory)
    expect(answersOf(fresh)).toEqual(answersOf(store))
    await write(fresh, { 'A.wiki': 'c' })
    await expectSameAsRebuilt(directory, answersOf(fresh))
  })

  test('have the same bytes after a rebuild', async () => {
    const { store, directory } = await history()
    const before = readFileSync(join(index(directory), 'base'))
    await store.rebuild()
    expect(readFileSync(join(index(directory), 'base'))).toEqual(before)
  })

  test('are read by a process that opened the wiki before they were written', async () => {
    const { store, directory } = await newStore()
    const other = await openFresh(directory)
    for (const text of ['a', 'b', 'c']) {
      await write(store, { 'A.wiki': text })
      await other.refresh()
      expect(answersOf(other)).toEqual(answersOf(store))
    }
    await store.rebuild()
    await write(store, { 'A.wiki': 'd' })
    await other.refresh()
    expect(answersOf(other)).toEqual(answersOf(store))
  })

  test('can be deleted at any time', async () => {
    const { store, directory } = await history()
    const other = await openFresh(directory)
    for (const name of ['base', 'tail']) {
      await write(store, { 'A.wiki': name })
      await other.refresh()
      rmSync(join(index(directory), name), { force: true })
      await write(store, { [`${name}.wiki`]: name })
      await other.refresh()
      expect(answersOf(other)).toEqual(answersOf(store))
      await expectSameAsRebuilt(directory, answersOf(store))
    }
    rmSync(index(directory), { recursive: true })
    await write(store, { 'Gone.wiki': 'all' })
    await expectSameAsRebuilt(directory, answersOf(store))
  })

  test('of another version are rebuilt', async () => {
    const { store, directory } = await history()
    const path = join(index(directory), 'base')
    const answers = answersOf(store)
    const bytes = readFileSync(path)
    bytes.write('WIKIIDX0', bytes.length - 28, 'latin1')
    writeFileSync(path, bytes)
    expect(answersOf(await openFresh(directory))).toEqual(answers)
  })
})

describe('a damaged index', () => {
  test('is detected or harmless, whichever byte of the base is wrong', { tags: ['rounds', 'long'] }, async () => {
    const { store, directory } = await history()
    const answers = answersOf(store)
    const path = join(index(directory), 'base')
    const whole = readFileSync(path)
    for (const at of probes(whole.length)) {
      const bytes = Buffer.from(whole)
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
      writeFileSync(path, bytes)
      expect([at, await answersAfterDamage(directory)]).toEqual([at, answers])
    }
  })

  test('is detected or harmless, whichever byte of the tail is wrong', { tags: ['rounds', 'long'] }, async () => {
    const { store, directory } = await history()
    await write(store, { 'A.wiki': 'more', 'B.wiki': null })
    await write(store, { 'A.wiki': 'and more' })
    const answers = answersOf(store)
    const path = join(index(directory), 'tail')
    const whole = readFileSync(path)
    for (const at of probes(whole.length)) {
      const bytes = Buffer.from(whole)
      bytes.writeUInt8(bytes.readUInt8(at) ^ 0xff, at)
      writeFileSync(path, bytes)
      expect([at, await answersAfterDamage(directory)]).toEqual([at, answers])
    }
  })

  test.each(['base', 'tail'])(
    'is noticed at whatever length the %s was cut off',
    { tags: ['rounds', 'long'] },
    async name => {
      const { store, directory } = await history()
      await write(store, { 'A.wiki': 'more' })
      const answers = answersOf(store)
      const path = join(index(directory), name)
      copyFileSync(path, `${path}.whole`)
      const { size } = statSync(path)
      for (const length of probes(size)) {
        copyFileSync(`${path}.whole`, path)
        truncateSync(path, length)
        expect([length, await answersAfterDamage(directory)]).toEqual([length, answers])
      }
    },
  )

  test.each(['base', 'tail'])('is noticed where the end of the %s is zeros, as after a power cut', async name => {
    const { store, directory } = await history()
    await write(store, { 'A.wiki': 'more' })
    const answers = answersOf(store)
    appendFileSync(join(index(directory), name), Buffer.alloc(4096))
    expect(await answersAfterDamage(directory)).toEqual(answers)
  })

  test('is removed when damage is detected, and rebuilt for the next request', async () => {
    const { store, directory } = await history()
    const answers = answersOf(store)
    const path = join(index(directory), 'base')
    const bytes = readFileSync(path)
    bytes.fill(0x55, 0, 200)
    writeFileSync(path, bytes)
    const damaged = await openFresh(directory)
    expect(() => answersOf(damaged)).toThrow(expect.objectContaining({ code: 'wiki-index-damaged' }))
    expect(answersOf(await openFresh(directory))).toEqual(answers)
    await damaged.refresh()
    expect(answersOf(damaged)).toEqual(answers)
  })

  test('has its whole base verified by the first writer, and again after the file was changed', async () => {
    const { store, directory } = await history()
    const reading = vi.spyOn(RevisionIndex.prototype, 'verify')
    const wholeReads = async (text: string) => {
      reading.mockClear()
      await write(await openFresh(directory), { 'A.wiki': text })
      return reading.mock.calls.length
    }
    expect(await wholeReads('first')).toBe(1)
    expect(await wholeReads('second')).toBe(0)
    const path = join(index(directory), 'base')
    const { atime, mtime } = statSync(path)
    const bytes = readFileSync(path)
    bytes.writeUInt8(bytes.readUInt8(100) ^ 0xff, 100)
    writeFileSync(path, bytes)
    utimesSync(path, atime, mtime)
    expect(await wholeReads('third')).toBe(1)
    reading.mockRestore()
    await store.refresh()
    await expectSameAsRebuilt(directory, answersOf(store))
  })

  test.each(['a folder', 'a link to nowhere', 'cut off'])(
    'is looked for though what is known of it is %s',
    async what => {
      const { directory } = await history()
      const path = join(index(directory), 'sound')
      rmSync(path, { force: true })
      if (what === 'a folder') mkdirSync(join(path, 'inside'), { recursive: true })
      else if (what === 'cut off') writeFileSync(path, '12 3')
      else symlinkSync(path, path)
      const reading = vi.spyOn(RevisionIndex.prototype, 'verify')
      await write(await openFresh(directory), { 'A.wiki': 'more' })
      expect(reading).toHaveBeenCalledOnce()
      reading.mockRestore()
    },
  )

  test('is repaired under processes that have it open', async () => {
    const { store, directory } = await history()
    await write(store, { 'A.wiki': 'two' })
    const other = await openFresh(directory)
    truncateSync(join(index(directory), 'tail'), 90)
    for (const writer of [store, other, store]) {
      await write(writer, { 'A.wiki': `by ${writer === store}`, 'B.wiki': `${Math.PI}` })
      for (const reader of [store, other, await openFresh(directory)]) {
        await reader.refresh()
        await expect(reader.text(latest(reader, 'A'))).resolves.toBe(`by ${writer === store}`)
      }
    }
    await other.refresh()
    await expectSameAsRebuilt(directory, answersOf(other))
  })

  test.each([
    ['half of it', '[{"after":'],
    ['something else', '{"after":null}\n'],
    ['another byte', '[{"after":null,"revision":19,"page":4}]\n1234\n'],
  ])('cannot rebuild its file of retired ids: with %s the error says so', async (_, text) => {
    const { store, directory } = await history()
    writeFileSync(join(index(directory), 'eras.json'), text)
    const { commit } = await write(store, { 'A.wiki': 'x' })
    expect(store.branchTip()).toBe(commit)
    const error = await store.refresh().catch(caught => caught)
    expect(isWikiError(error, 'wiki-bad-repository') && error.message).toContain('eras.json')
    await expect(write(store, { 'A.wiki': 'y' })).rejects.toMatchObject({ code: 'wiki-bad-repository' })
    expect(store.branchTip()).toBe(commit)
  })
})

describe('an index that cannot be stored', () => {
  test.each<[name: string, hinder: (folder: string) => void]>([
    [
      'its folder is a file',
      folder => {
        rmSync(folder, { recursive: true })
        writeFileSync(folder, 'x')
      },
    ],
    [
      'its folder is a link to nowhere',
      folder => {
        rmSync(folder, { recursive: true })
        symlinkSync('/nonexistent/folder', folder)
      },
    ],
  ])('because of %s gives results from memory, and continues from there', async (_, hinder) => {
    const { store, directory } = await history()
    hinder(index(directory))
    for (const reader of [store, await openFresh(directory)]) {
      await write(reader, { 'A.wiki': `${reader === store}` })
      await write(reader, { 'New.wiki': '#REDIRECT [[A]]', 'A.wiki': `more ${reader === store}` })
      expect(await reader.text(latest(reader, 'A'))).toBe(`more ${reader === store}\n`.trimEnd())
      rmSync(index(directory))
      expect(answersOf(await openFresh(directory))).toEqual(answersOf(reader))
      hinder(index(directory))
    }
  })
})

describe('an index during a change', () => {
  test('shows pages in the old state or the new one', async () => {
    const { store, directory } = await history()
    const other = await openFresh(directory)
    await write(other, { 'New.wiki': '#REDIRECT [[A]]', 'A.wiki': 'a new text', 'wiki.json': '{"name": "Other"}' })
    rmSync(index(directory), { recursive: true })
    const before = answersOf(store)
    const refreshing = store.refresh()
    let isDone = false
    void refreshing.then(() => {
      isDone = true
    })
    const seen = new Set<string>()
    while (!isDone) {
      seen.add(JSON.stringify([answersOf(store), store.config.name]))
      await new Promise(resolve => setImmediate(resolve))
    }
    seen.add(JSON.stringify([answersOf(store), store.config.name]))
    expect([...seen]).toEqual(
      [before, answersOf(other)].map((answers, at) => JSON.stringify([answers, ['', 'Other'][at]])),
    )
  })

  test('is unchanged if the change fails', { tags: 'long' }, async () => {
    const { store, directory } = await history()
    const before = answersOf(store)
    const { commit } = await write(await openFresh(directory), { 'A.wiki': 'lost', 'By Zoe.wiki': 'lost' })
    const tree = git(directory, 'rev-parse', `${commit}^{tree}`)
    const path = join(directory, '.git/objects', tree.slice(0, 2), tree.slice(2))
    rmSync(index(directory), { recursive: true })
    const bytes = readFileSync(path)
    rmSync(path)
    await expect(store.refresh()).rejects.toMatchObject({ code: 'wiki-objects-missing' })
    expect(answersOf(store)).toEqual(before)
    writeFileSync(path, bytes)
    await store.refresh()
    expect(answersOf(store)).toEqual(answersOf(await openFresh(directory)))
  })
})

describe('the lock of the index', () => {
  test.each([
    ['of a process that was killed', () => lockOf(deadOwner())],
    ['that a power cut left empty', () => ''],
  ])('%s is taken over', async (_, owner) => {
    const { directory } = await history()
    rmSync(index(directory), { recursive: true })
    mkdirSync(index(directory))
    writeFileSync(join(index(directory), 'lock'), owner())
    const store = await openFresh(directory)
    expect(store.lastRevisionId).toBe(6)
    expect(readdirSync(index(directory))).toEqual(['base'])
  })

  test.each([
    ['a living process of this machine', () => lockOf(ownerWith({}))],
    ['a process of another machine', () => lockOf(ownerWith({ machine: '000000', boot: '11111111' }))],
    ['a process of another machine with an earlier version', () => 'wiki 1 elsewhere.example.org\n'],
  ])('held by %s: results come from memory, and nothing is written', async (_, owner) => {
    const { store, directory } = await history()
    const answers = answersOf(store)
    rmSync(index(directory), { recursive: true })
    mkdirSync(index(directory))
    writeFileSync(join(index(directory), 'lock'), owner())
    const other = await openFresh(directory)
    expect(answersOf(other)).toEqual(answers)
    await write(other, { 'A.wiki': 'written all the same' })
    expect(readdirSync(index(directory))).toEqual(['lock'])
    rmSync(join(index(directory), 'lock'))
    await write(other, { 'A.wiki': 'stored now' })
    expect(readdirSync(index(directory))).toEqual(['base'])
    await expectSameAsRebuilt(directory, answersOf(other))
  })

  test('is taken, and half a base left by a killed process is removed', async () => {
    const { store, directory } = await history()
    const half = `base.wiki-${deadOwner()}-new.lock`
    writeFileSync(join(index(directory), half), 'half')
    await write(store, { 'A.wiki': 'x' })
    expect(readdirSync(index(directory)).sort()).toEqual(['base', 'tail'])
  })

  test('is released after a failed update', async () => {
    const { store, directory } = await history()
    const before = answersOf(store)
    const ref = join(directory, '.git', 'refs', 'heads', 'main')
    const tip = readFileSync(ref)
    writeFileSync(ref, `${'1'.repeat(40)}\n`)
    await expect(store.refresh()).rejects.toThrow()
    expect(readdirSync(index(directory)).includes('lock')).toBe(false)
    writeFileSync(ref, tip)
    await store.refresh()
    expect(answersOf(store)).toEqual(before)
  })
})

describe('an index whose check of the branch is shared', () => {
  test('gives the results of that time, and includes its own writes at once', async () => {
    const { store, directory } = await history()
    const other = await openFresh(directory)
    other.shareCheck()
    await other.refresh()
    const before = answersOf(other)
    await write(store, { 'A.wiki': 'by another' })
    await other.refresh()
    expect(answersOf(other)).toEqual(before)
    const { commit } = await write(other, { 'B.wiki': 'own' })
    expect(latest(other, 'B').commit).toBe(commit)
    await store.refresh()
    expect(answersOf(other)).toEqual(answersOf(store))
  })

  test('is checked while it is being changed', async () => {
    const { store } = await history()
    store.shareCheck()
    await store.refresh()
    let isDone = false
    const writing = write(store, { 'New.wiki': '#REDIRECT [[A]]' }).then(() => {
      isDone = true
    })
    while (!isDone) {
      await store.refresh()
      const page = store.findPage('New')
      if (page !== undefined) expect([page.redirect, latest(store, 'New').size]).toEqual(['A', 15])
      await new Promise(resolve => setImmediate(resolve))
    }
    await writing
    expect(store.findPage('New')?.redirect).toBe('A')
  })

  test('is rebuilt anyway if it is damaged or deleted', async () => {
    const { store, directory } = await history()
    const answers = answersOf(store)
    store.shareCheck()
    await store.refresh()
    await store.rebuild()
    expect(answersOf(store)).toEqual(answers)
    const path = join(index(directory), 'base')
    const bytes = readFileSync(path)
    bytes.fill(0x55, 0, 200)
    writeFileSync(path, bytes)
    const damaged = await openFresh(directory)
    damaged.shareCheck()
    await damaged.refresh()
    expect(() => answersOf(damaged)).toThrow(expect.objectContaining({ code: 'wiki-index-damaged' }))
    await damaged.refresh()
    expect(answersOf(damaged)).toEqual(answers)
  })
})

describe.skipIf(!hasGit)('two processes', () => {
  test('that build the index at once end with a correct one', { tags: 'long' }, async () => {
    const directory = await temporaryDirectory()
    git(directory, 'init', '--quiet', '--bare')
    const commits = Array.from({ length: 400 }, (_, at) => ({
      name: `${at}`,
      files: { [`P${at % 50}.wiki`]: `${at}` },
    }))
    writeHistory(directory, commits)
    const script = await bundleChild()
    const children = Array.from({ length: 2 }, () => startChild(script, 'build', directory))
    for (const child of children) expect(await child.ended).toEqual({ end: 0, errors: '' })
    const store = await openFresh(directory)
    const pages = [...store.pages()].map(page => [page.key, page.latest])
    expect(pages).toHaveLength(50)
    for (const { lines } of children) expect(JSON.parse(lines[0] as string)).toEqual(pages)
    expect(readdirSync(join(directory, 'wiki', 'main'))).toEqual(['base'])
    const before = answersOf(store)
    await store.rebuild()
    expect(answersOf(store)).toEqual(before)
  })
})

/** Six revisions of three pages, one of them deleted, and a file: all in the base. */
async function history(): Promise<{ store: Store; directory: string }> {
  const { store, directory } = await newStore()
  await write(store, { 'A.wiki': 'a', 'x.png': 'x' })
  await write(store, { 'B.wiki': '#REDIRECT [[A]]', 'Talk/A.wiki': 'talk' }, { minor: true })
  await write(store, { 'A.wiki': 'b', 'c b.wiki': 'c' }, { author: { name: '192.0.2.1', address: '' } })
  await write(store, { 'c b.wiki': null, 'A.wiki': 'a' })
  await store.rebuild()
  return { store, directory }
}

function index(directory: string): string {
  return join(directory, '.git', 'wiki', 'main')
}

function latest(store: Store, key: string) {
  return store.revision(store.findPage(key)?.latest as number) as NonNullable<ReturnType<Store['revision']>>
}

/** Every 13th byte, and all of the last ones, which are the footer of a base. */
function probes(size: number): number[] {
  return Array.from({ length: size }, (_, at) => at).filter(at => at % rounds(97, 13) === 0 || at > size - 30)
}

/** Results of a new process, after the one error that damage may cause. Without git processes, because this runs often. */
async function answersAfterDamage(directory: string): Promise<Answers> {
  const store = openStore({ directory, backend: 'isomorphic-git' })
  try {
    await store.refresh()
    return answersOf(store)
  } catch (error) {
    if (!isWikiError(error, 'wiki-index-damaged')) throw error
    await store.rebuild()
    return answersOf(store)
  } finally {
    store.close()
  }
}

async function expectSameAsRebuilt(directory: string, answers: Answers): Promise<void> {
  expect(answersOf(await openFresh(directory))).toEqual(answers)
  const kept = `${index(directory)}-kept`
  copyFolder(index(directory), kept)
  rmSync(index(directory), { recursive: true })
  const rebuilt = await openFresh(directory)
  expect(answersOf(rebuilt)).toEqual(answers)
  rmSync(index(directory), { recursive: true })
  copyFolder(kept, index(directory))
  rmSync(kept, { recursive: true })
}

/** Changes the settings in the end of a base file: lengths of the sums and of the JSON behind them, their checksum. */
function changeKeptSettings(path: string, change: (settings: { name: string }) => object): void {
  const bytes = readFileSync(path)
  const footer = bytes.subarray(-28)
  const [sumsLength, dataLength] = [footer.readUInt32LE(8), footer.readDoubleLE(20)]
  const sums = bytes.subarray(dataLength, dataLength + sumsLength)
  const { header, ...rest } = JSON.parse(bytes.toString('utf8', dataLength + sumsLength, bytes.length - footer.length))
  const changed = { header: { ...header, settings: change(header.settings) }, ...rest }
  const end = Buffer.concat([sums, Buffer.from(JSON.stringify(changed))])
  footer.writeUInt32LE(end.length - sumsLength, 12)
  footer.writeUInt32LE(checksum(end), 16)
  writeFileSync(path, Buffer.concat([bytes.subarray(0, dataLength), end, footer]))
}
