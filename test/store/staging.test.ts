import { execFileSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { isWikiError } from '../../src/core/errors.ts'
import { asSkipped, type StagedEntry, stagedEntry, stagedMode, stageOf } from '../../src/store/work-tree/staging.ts'
import { StagingTable } from '../../src/store/work-tree/staging-table.ts'
import { rounds } from '../_rounds.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'

const blob = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

async function replaceIndex(table: StagingTable, ...parameters: Parameters<StagingTable['prepare']>): Promise<void> {
  const putInPlace = await table.prepare(...parameters)
  putInPlace()
}

type Flag = '--assume-unchanged' | '--skip-worktree'

/** A row of the index: a plain file with marks, or the sides of a conflict. */
interface Row {
  readonly path: string
  readonly mode: '100644' | '100755' | '120000' | '160000'
  readonly flags: readonly Flag[]
  readonly stages: readonly number[]
}

const names = fc.oneof(
  fc.constantFrom('A.wiki', 'B', 'a b', 'Ünï', 'e\u0301', 'x'.repeat(200), '😀', 'q"\\t', '\uffee'),
  fc.string({ minLength: 1, maxLength: 12 }).filter(name => !/^\.+(git)?$|[/\0\\]|^\.|~1|:/i.test(name)),
)
const rows = fc.array(
  fc.record({
    path: fc.array(names, { minLength: 1, maxLength: 25 }).map(parts => parts.join('/').slice(0, 4100)),
    mode: fc.constantFrom<Row['mode'][]>('100644', '100755', '120000', '160000'),
    flags: fc.subarray<Flag>(['--assume-unchanged', '--skip-worktree']),
    stages: fc.oneof({ weight: 4, arbitrary: fc.constant([0]) }, fc.subarray([1, 2, 3], { minLength: 1 })),
  }),
  { maxLength: 15 },
)

// Without git the indexes cannot be made.
describe.skipIf(!hasGit)('an index of native git', () => {
  let folder: string

  beforeAll(async () => {
    folder = await temporaryDirectory()
    git(folder, 'init', '--quiet')
    git(folder, 'hash-object', '-w', '-t', 'blob', '/dev/null')
  })

  test('is unchanged for git after it was read and written', { tags: ['rounds', 'long'] }, async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(2, 3, 4), async (wanted, version) => {
        const original = makeIndex(folder, wanted, version)
        const written = join(folder, '.git', 'written')
        const table = StagingTable.read(original)
        await replaceIndex(table, written)
        expect(describeIndex(folder, written)).toBe(describeIndex(folder, original))
        expect(StagingTable.read(written).entries()).toEqual(table.entries())
      }),
      { numRuns: rounds(4, 20, 60), seed: 2026, endOnFailure: true },
    )
  })

  test('is unchanged for git after entries were set, removed and added', { tags: ['rounds', 'long'] }, async () => {
    await fc.assert(
      fc.asyncProperty(
        rows,
        fc.constantFrom(2, 3, 4),
        fc.array(fc.nat(), { maxLength: 5 }),
        async (wanted, version, chosen) => {
          const original = makeIndex(folder, wanted, version)
          const [changed, expected] = [join(folder, '.git', 'changed'), join(folder, '.git', 'expected')]
          const table = StagingTable.read(original)
          const model = new Map(
            table.entries().map(entry => [`${entry.name.toString('hex')} ${stageOf(entry)}`, entry]),
          )
          for (const [turn, at] of chosen.entries()) {
            const [key, entry] = [...model][at % Math.max(1, model.size)] ?? []
            const made = changedEntry(entry, at + turn)
            if (made === null && entry !== undefined) table.delete(entry.name, stageOf(entry))
            if (made === null) model.delete(key ?? '')
            else model.set(`${made.name.toString('hex')} ${stageOf(made)}`, made)
            if (made !== null) table.set(made)
            if (at % 5 === 0) await replaceIndex(table, changed, 0x80000001)
            for (const one of model.values()) expect(shown(table.get(one.name, stageOf(one)))).toEqual(shown(one))
            expect(table.size).toBe(model.size)
          }
          await replaceIndex(table, changed, 0x80000002)
          const other = StagingTable.read(join(folder, '.git', 'none'))
          for (const one of model.values()) other.set(one)
          await replaceIndex(other, expected, 0x80000002)
          expect(describeIndex(folder, changed)).toBe(describeIndex(folder, expected))
          expect(StagingTable.read(changed).entries()).toEqual(StagingTable.read(expected).entries())
        },
      ),
      { numRuns: rounds(6, 30, 100), seed: 2026, endOnFailure: true },
    )
  })

  test('keeps names that are not UTF-8', async () => {
    const index = join(folder, '.git', 'made')
    const names = [Buffer.from([0x41, 0xe9]), Buffer.from([0x41, 0xff, 0x2f, 0x42]), Buffer.from('A\u00e9')]
    const lines = names.map(name => Buffer.concat([Buffer.from(`100644 ${blob} 0\t`), name, Buffer.alloc(1)]))
    for (const version of [2, 4]) {
      rmSync(index, { force: true })
      withIndex(folder, index, ['update-index', '-z', '--index-info'], Buffer.concat(lines))
      withIndex(folder, index, ['update-index', `--index-version=${version}`, '--force-write-index'])
      const before = execFileSync('git', ['ls-files', '-z'], {
        cwd: folder,
        env: { ...process.env, GIT_INDEX_FILE: index },
      })
      await replaceIndex(StagingTable.read(index), index)
      const after = execFileSync('git', ['ls-files', '-z'], {
        cwd: folder,
        env: { ...process.env, GIT_INDEX_FILE: index },
      })
      expect(after).toEqual(before)
    }
  })

  test('keeps times and sizes, so that git need not read the files again', async () => {
    for (const name of ['A.wiki', 'B.wiki']) writeFileSync(join(folder, name), 'text\n')
    const original = join(folder, '.git', 'index')
    git(folder, 'add', 'A.wiki', 'B.wiki')
    const before = debug(folder, original)
    await replaceIndex(StagingTable.read(original), original)
    expect(debug(folder, original)).toBe(before)
    expect(git(folder, 'diff-files', '--name-only')).toBe('')
  })

  test('loses only cache extensions, and stays valid', async () => {
    writeFileSync(join(folder, 'C.wiki'), 'text\n')
    git(folder, 'add', 'C.wiki')
    git(folder, 'write-tree')
    git(folder, 'update-index', '--force-untracked-cache')
    const index = join(folder, '.git', 'index')
    expect(readFileSync(index).includes('TREE')).toBe(true)
    const before = describeIndex(folder, index)
    await replaceIndex(StagingTable.read(index), index)
    expect(describeIndex(folder, index)).toBe(before)
  })

  test.each([
    ['split', ['update-index', '--split-index'], 'link'],
    ['sparse', ['sparse-checkout', 'set', '--cone', '--sparse-index', 'folder'], 'sdir'],
  ])('that is %s is refused by name', async (_, command, extension) => {
    const other = await temporaryDirectory()
    git(other, 'init', '--quiet')
    for (const path of ['x.wiki', 'folder/y.wiki', 'other/z.wiki'])
      git(other, 'update-index', '--add', '--cacheinfo', `100644,${writtenBlob(other)},${path}`)
    git(other, 'commit', '--quiet', '-m', 'all')
    git(other, 'reset', '--quiet', '--hard')
    git(other, ...command)
    const error = errorOf(() => StagingTable.read(join(other, '.git', 'index')))
    expect(isWikiError(error, 'wiki-bad-repository') && error.message).toContain(extension)
  })

  test.each([2, 4])('of version %i that is truncated, or has a wrong byte, is refused', version => {
    const original = makeIndex(
      folder,
      ['A.wiki', 'B/c.wiki'].map(path => ({ path, mode: '100644', flags: ['--skip-worktree'], stages: [0] })),
      version,
    )
    const bytes = readFileSync(original)
    const damaged = join(folder, '.git', 'damaged')
    const isRefused = (content: Uint8Array) => {
      writeFileSync(damaged, content)
      return isWikiError(
        errorOf(() => StagingTable.read(damaged)),
        'wiki-bad-repository',
      )
    }
    for (let length = 0; length < bytes.length; length++)
      expect([length, isRefused(bytes.subarray(0, length))]).toEqual([length, true])
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 0x41, at)
      expect([at, isRefused(changed)]).toEqual([at, true])
    }
  })

  test('without a checksum, as index.skipHash writes it, is read', () => {
    const original = makeIndex(folder, [{ path: 'A.wiki', mode: '100755', flags: [], stages: [0] }], 2)
    const bytes = readFileSync(original)
    bytes.fill(0, bytes.length - 20)
    writeFileSync(original, bytes)
    expect(
      StagingTable.read(original)
        .entries()
        .map(({ name }) => String(name)),
    ).toEqual(['A.wiki'])
  })
})

describe('an index', () => {
  test('that is missing has no entries', async () => {
    expect(StagingTable.read(join(await temporaryDirectory(), 'index')).entries()).toEqual([])
  })

  test('is written in bytewise order of the paths, then of the stages', async () => {
    const path = join(await temporaryDirectory(), 'index')
    const entry = (name: string, stage = 0): StagedEntry => ({
      ...stagedEntry(name, blob, 0o100644, null),
      flags: stage << 12,
    })
    const table = StagingTable.read(path)
    for (const [name, stage] of [['\u{1f600}'], ['b', 2], ['b', 1], ['\uffee'], ['a/b'], ['a.b']] as const)
      table.set(entry(name, stage))
    await replaceIndex(table, path)
    const order = StagingTable.read(path)
      .entries()
      .map(row => [String(row.name), stageOf(row)])
    expect(order).toEqual([
      ['a.b', 0],
      ['a/b', 0],
      ['b', 1],
      ['b', 2],
      ['\uffee', 0],
      ['\u{1f600}', 0],
    ])
    expect(readdirSync(dirname(path)).filter(name => name.includes('.wiki-'))).toEqual([])
  })

  test('keeps the mode of an entry', () => {
    expect(stagedMode(stagedEntry('a', blob, 0o100755, null)).toString(8)).toBe('100755')
  })
})

/** Makes native git write an index; returns its path. Rows that conflict with earlier ones for git are left out. */
function makeIndex(folder: string, wanted: readonly Row[], version: number): string {
  const index = join(folder, '.git', 'made')
  rmSync(index, { force: true })
  const kept: Row[] = []
  for (const row of wanted) {
    const collides = (other: Row) =>
      `${row.path}/`.startsWith(`${other.path}/`) || other.path.startsWith(`${row.path}/`)
    if (!kept.some(collides)) kept.push(row)
  }
  const lines = kept.flatMap(({ path, mode, stages }) => stages.map(stage => `${mode} ${blob} ${stage}\t${path}\0`))
  withIndex(folder, index, ['update-index', '-z', '--index-info'], lines.join(''))
  for (const flag of ['--assume-unchanged', '--skip-worktree'] as const) {
    const flagged = kept
      .filter(({ flags, stages }) => stages[0] === 0 && flags.includes(flag))
      .map(row => `${row.path}\0`)
    if (flagged.length > 0) withIndex(folder, index, ['update-index', flag, '-z', '--stdin'], flagged.join(''))
  }
  withIndex(folder, index, ['update-index', `--index-version=${version}`, '--force-write-index'])
  copyFileSync(index, `${index}.copy`)
  return index
}

/** All that git shows about the entries: marks, modes, hashes, stages, flags. */
function describeIndex(folder: string, index: string): string {
  return withIndex(folder, index, ['ls-files', '-v', '--stage', '-z']) + debug(folder, index)
}

function debug(folder: string, index: string): string {
  return withIndex(folder, index, ['ls-files', '--stage', '--debug'])
}

function withIndex(folder: string, index: string, words: readonly string[], input: string | Buffer = ''): string {
  const env = { ...process.env, GIT_INDEX_FILE: index }
  return execFileSync('git', words, { cwd: folder, env, input, encoding: 'utf8' })
}

function writtenBlob(folder: string): string {
  return execFileSync('git', ['hash-object', '-w', '--stdin'], {
    cwd: folder,
    input: 'text\n',
    encoding: 'utf8',
  }).trim()
}

/** Another entry of the same name or of a new one; null: it is removed. */
function changedEntry(entry: StagedEntry | undefined, turn: number): StagedEntry | null {
  const name = `new/${'n'.repeat(turn % 9)}`
  if (entry === undefined || turn % 4 === 0) return stagedEntry(name, blob, 0o100644, null)
  if (turn % 4 === 1) return null
  if (turn % 4 === 2 || stageOf(entry) > 0)
    return { ...entry, head: Buffer.concat([Buffer.alloc(16, 7), entry.head.subarray(16)]) }
  // Its bytes become longer, or shorter.
  return asSkipped(entry)
}

/** All of an entry but its mark, and those of its flags that follow from the rest. */
function shown(entry: StagedEntry | undefined) {
  if (entry === undefined) return null
  const { name, head, extendedFlags } = entry
  return [name.toString('hex'), head.toString('hex', 0, 16), head.toString('hex', 20), stageOf(entry), extendedFlags]
}

function errorOf(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  return undefined
}
