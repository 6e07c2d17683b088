import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { isWikiError } from '../../src/core/errors.ts'
import type { CommitChanges, GitBackend, History } from '../../src/store/git/backend.ts'
import { startBytes } from '../../src/store/git/objects.ts'
import { type BackendName, openBackend } from '../../src/store/git/open-backend.ts'
import { findRepository, readRef } from '../../src/store/repository/repository.ts'
import { git, hasGit, temporaryDirectory } from '../_setup.ts'
import { makeForm, repositoryForms } from './_repository-forms.ts'
import { type ScriptedCommit, writeHistory } from './_scripted-history.ts'

const backends: readonly BackendName[] = ['git', 'isomorphic-git']
const large = randomBytes(300_000)

const script: readonly ScriptedCommit[] = [
  { name: 'root', files: { 'A.wiki': 'a1\n', 'folder/B.wiki': 'b1\n', 'folder/deep/C.md': 'c1\n', 'x.png': large } },
  { name: 'edit', files: { 'A.wiki': 'a2\n' }, author: 'Bob <Bob@Example.org> 1700000000 +0530' },
  { name: 'mode only', files: { 'A.wiki': { mode: '100755', text: 'a2\n' } } },
  { name: 'link and program', files: { 'L.wiki': { mode: '120000', text: 'A.wiki' }, 'tool.py': 'x\n' } },
  { name: 'empty' },
  {
    name: 'latin',
    message: Buffer.from('caf\xe9\n', 'latin1'),
    author: 'Zoë <z@example.org> 1700000100 +0000',
    encoding: 'UTF-8',
  },
  { name: 'link becomes page', files: { 'L.wiki': 'l1\n' } },
  { name: 'names', files: { 'Ünï cöde.wiki': 'u\n', 'a"q\\.wiki': 'q\n', 'A.b.wiki': '.\n', 'A/x.wiki': '/\n' } },
  { name: 'side 1', files: { 'folder/B.wiki': 'b2\n', 'S.wiki': 's1\n' } },
  { name: 'side 2', files: { 'A.wiki': { mode: '100755', text: 'a3 side\n' } } },
  { name: 'main', parents: ['names'], files: { 'A.wiki': { mode: '100755', text: 'a3 main\n' } } },
  {
    name: 'merge',
    parents: ['main', 'side 2'],
    files: { 'A.wiki': 'a4 both\n', 'folder/B.wiki': 'b2\n', 'S.wiki': 's1\n' },
  },
  { name: 'file becomes folder', files: { 'x.png': null, 'x.png/in.wiki': 'in\n', 'S.wiki': null } },
  { name: 'one', parents: ['merge'], files: { 'One.wiki': '1\n' } },
  { name: 'two', parents: ['merge'], files: { 'Two.wiki': '2\n' } },
  {
    name: 'octopus',
    parents: ['file becomes folder', 'one', 'two'],
    files: { 'One.wiki': '1\n', 'Two.wiki': '2\n' },
  },
  { name: 'ours', parents: ['octopus', 'two'] },
  { name: 'other root', parents: [], files: { 'R.wiki': 'r\n', 'A.wiki': 'of another root\n' } },
  { name: 'roots meet', parents: ['ours', 'other root'], files: { 'R.wiki': 'r\n' } },
]

/** Changes of each commit, by the texts before and after; `~` marks those of side branches. */
const expected: Readonly<Record<string, Readonly<Record<string, readonly [string | null, string | null]>>>> = {
  root: {
    'A.wiki': [null, 'a1\n'],
    'folder/B.wiki': [null, 'b1\n'],
    'folder/deep/C.md': [null, 'c1\n'],
    'x.png': [null, 'large'],
  },
  edit: { 'A.wiki': ['a1\n', 'a2\n'] },
  'mode only': {},
  'link and program': {},
  empty: {},
  'caf\ufffd': {},
  'link becomes page': { 'L.wiki': [null, 'l1\n'] },
  names: {
    'A.b.wiki': [null, '.\n'],
    'A/x.wiki': [null, '/\n'],
    'a"q\\.wiki': [null, 'q\n'],
    'Ünï cöde.wiki': [null, 'u\n'],
  },
  '~side 1': { 'S.wiki': [null, 's1\n'], 'folder/B.wiki': ['b1\n', 'b2\n'] },
  '~side 2': { 'A.wiki': ['a2\n', 'a3 side\n'] },
  main: { 'A.wiki': ['a2\n', 'a3 main\n'] },
  merge: {
    'A.wiki': ['a3 main\n', 'a4 both\n'],
    'S.wiki': [null, 's1\n'],
    'folder/B.wiki': ['b1\n', 'b2\n'],
  },
  'file becomes folder': {
    'S.wiki': ['s1\n', null],
    'x.png': ['large', null],
    'x.png/in.wiki': [null, 'in\n'],
  },
  '~one': { 'One.wiki': [null, '1\n'] },
  '~two': { 'Two.wiki': [null, '2\n'] },
  octopus: { 'One.wiki': [null, '1\n'], 'Two.wiki': [null, '2\n'] },
  ours: {},
  '~other root': { 'A.wiki': [null, 'of another root\n'], 'R.wiki': [null, 'r\n'] },
  'roots meet': { 'R.wiki': [null, 'r\n'] },
}

const chainNames = Object.keys(expected).filter(name => !name.startsWith('~'))
/** These two paths of a commit, compared by name in bytewise order. */
const filter = (path: string) => /\.(wiki|md|png)$/.test(path)

let source: string
let hashes: ReadonlyMap<string, string>

// Without git the repositories cannot be made.
describe.skipIf(!hasGit)('a backend', () => {
  beforeAll(async () => {
    const folder = await temporaryDirectory()
    git(folder, 'init', '--quiet')
    hashes = writeHistory(folder, script)
    git(folder, 'reset', '--quiet', '--hard')
    git(folder, 'tag', '-a', '-m', 'a tag', 'tagged')
    source = folder
  })

  const cases = backends.flatMap(backend => repositoryForms.map(form => ({ backend, form, name: form.name })))
  describe.each(cases)('$backend, $name', ({ backend, form }) => {
    test('returns the whole history and reads every object', async context => {
      context.skip(backend !== 'git' && form.nativeOnly !== undefined, form.nativeOnly)
      await inBackend(await makeForm(form, source), backend, async ({ git: opened, tip }) => {
        const history = await opened.history(null, tip, filter)
        expect(history?.chainLength).toBe(chainNames.length)
        expect(await describeHistory(opened, history)).toEqual(expected)
        const commit = await opened.read(tip)
        expect([commit.type, commit.content.toString().trim().split('\n').at(-1)]).toEqual(['commit', 'roots meet'])
        const blobs = ['a1\n', 'b1\n', 'r\n'].map(blobOf)
        expect((await collect(opened.readBlobs(blobs))).map(String)).toEqual(['a1\n', 'b1\n', 'r\n'])
        expect((await collect(opened.sizes(blobs))).flat()).toEqual([3, 3, 2])
        expect((await collect(opened.textSizes(blobs))).flat()).toEqual([2, 2, 1])
        expect(await collect(opened.chain(tip))).toEqual(chainNames.map(hashOf).reverse())
      })
    })
  })

  describe.each(backends)('%s', backend => {
    test('returns the author, the time and the message of a commit', async () => {
      await inBackend(source, backend, async ({ git: opened, tip }) => {
        const commits = await listHistory(await opened.history(null, tip, filter))
        const found = commits.find(commit => commit.hash === hashOf('edit'))
        expect(found).toMatchObject({
          parents: [hashOf('root')],
          authorName: 'Bob',
          authorAddress: 'Bob@Example.org',
          time: 1700000000,
          onChain: true,
        })
        expect(found?.message.trim()).toBe('edit')
      })
    })

    test('returns paths in bytewise order', async () => {
      await inBackend(source, backend, async ({ git: opened, tip }) => {
        const commits = await listHistory(await opened.history(null, tip, () => true))
        for (const { changes } of commits) {
          const paths = changes.map(({ path }) => Buffer.from(path))
          expect(paths).toEqual([...paths].sort(Buffer.compare))
        }
      })
    })

    test('returns parents before children', async () => {
      await inBackend(source, backend, async ({ git: opened, tip }) => {
        const seen = new Set<string>()
        for (const commit of await listHistory(await opened.history(null, tip, filter))) {
          expect(commit.parents.filter(parent => !seen.has(parent))).toEqual([])
          seen.add(commit.hash)
        }
      })
    })

    test('returns for each commit of the chain the newer ones', { tags: 'long' }, async () => {
      await inBackend(source, backend, async ({ git: opened, tip }) => {
        for (const [at, name] of chainNames.entries()) {
          const history = await opened.history(hashOf(name), tip, filter)
          const made = await describeHistory(opened, history)
          const chain = Object.keys(made).filter(subject => !subject.startsWith('~'))
          expect(chain.sort()).toEqual(chainNames.slice(at + 1).sort())
          for (const [subject, changes] of Object.entries(made)) expect(changes).toEqual(expected[subject])
          expect(history?.chainLength).toBe(chain.length)
        }
      })
    })

    test.each(['side 1', 'side 2', 'other root'])('gives null from %s, which is off the chain', async name => {
      await inBackend(source, backend, async ({ git: opened, tip }) => {
        expect(await opened.history(hashOf(name), tip, filter)).toBeNull()
        expect(await opened.history(tip, hashOf('merge'), filter)).toBeNull()
      })
    })

    test('returns long ranges like short ones', { tags: 'long' }, async () => {
      const folder = await temporaryDirectory()
      git(folder, 'init', '--quiet')
      const steps = Array.from({ length: 80 }, (_, at) => ({ name: `step ${at}`, files: { 'P.wiki': `${at}\n` } }))
      const made = writeHistory(folder, [...steps, { name: 'elsewhere', parents: ['step 3'] }, end])
      await inBackend(folder, backend, async ({ git: opened, tip }) => {
        const from = made.get('step 3') as string
        const commits = await listHistory(await opened.history(from, tip, filter))
        expect(commits.map(commit => commit.message.trim())).toEqual([...steps.slice(4).map(step => step.name), 'end'])
        const chain = [...steps.map(step => step.name), 'end'].reverse()
        expect(await collect(opened.chain(tip))).toEqual(chain.map(name => made.get(name)))
        expect(await opened.history(made.get('elsewhere') as string, tip, filter)).toBeNull()
      })
    })

    test('answers many requests at once, in order', { tags: 'long' }, async () => {
      await inBackend(source, backend, async ({ git: opened }) => {
        // A third of them are missing; each row has the object, its text and its size.
        const rows = [[blobOf('a1\n'), 'a1\n', 3] as const, [blobOf('q\n'), 'q\n', 2] as const]
        const asked = Array.from({ length: 700 }, (_, at) => rows[at % 3] ?? ([absent(at), null, null] as const))
        const blobs = asked.map(([hash]) => hash)
        const contents = (await collect(opened.readBlobs(blobs))).map(content => content?.toString() ?? null)
        expect(contents).toEqual(asked.map(([, text]) => text))
        expect((await collect(opened.sizes(blobs))).flat()).toEqual(asked.map(([, , size]) => size))
        const texts = asked.map(([, , size]) => (size === null ? null : size - 1))
        expect((await collect(opened.textSizes(blobs))).flat()).toEqual(texts)
        const starts = (await collect(opened.starts(blobs))).flat()
        expect(starts.map(start => start?.toString() ?? null)).toEqual(contents)
      })
    })

    test('returns nothing for an empty request', async () => {
      await inBackend(source, backend, async ({ git: opened }) => {
        expect(await collect(opened.readBlobs([]))).toEqual([])
        expect((await collect(opened.sizes([]))).flat()).toEqual([])
        expect((await collect(opened.textSizes([]))).flat()).toEqual([])
        expect((await collect(opened.starts([]))).flat()).toEqual([])
      })
    })

    test('reads a large blob between small ones', async () => {
      await inBackend(source, backend, async ({ git: opened }) => {
        const blobs = [blobOf('a1\n'), git(source, 'rev-parse', `${hashOf('root')}:x.png`), blobOf('b1\n')]
        const contents = await collect(opened.readBlobs(blobs))
        expect(contents[1]?.equals(large)).toBe(true)
        expect([contents[0], contents[2]].map(String)).toEqual(['a1\n', 'b1\n'])
        expect((await collect(opened.sizes(blobs))).flat()).toEqual([3, large.length, 3])
        const shown = large.length - Number(large.at(-1) === 0x0a)
        expect((await collect(opened.textSizes(blobs))).flat()).toEqual([2, shown, 2])
        expect((await opened.read(blobs[1] as string)).content.length).toBe(large.length)
        const starts = (await collect(opened.starts(blobs))).flat()
        expect(starts[1]?.equals(large.subarray(0, startBytes))).toBe(true)
        expect([starts[0], starts[2]].map(String)).toEqual(['a1\n', 'b1\n'])
      })
    })

    test('streams a blob, and may be stopped before its end', async () => {
      await inBackend(source, backend, async ({ git: opened }) => {
        const blob = git(source, 'rev-parse', `${hashOf('root')}:x.png`)
        expect(Buffer.concat(await collect(opened.stream(blob))).equals(large)).toBe(true)
        expect(Buffer.concat(await collect(opened.stream(blobOf('a1\n')))).toString()).toBe('a1\n')
        for await (const piece of opened.stream(blob)) {
          expect(piece.length).toBeGreaterThan(0)
          break
        }
        const error = await collect(opened.stream(absent(1))).catch(caught => caught)
        expect(isWikiError(error, 'wiki-objects-missing')).toBe(true)
      })
    })

    test.each(['tree', 'tag', 'blob'] as const)('reads a %s', async type => {
      const names = { tree: 'HEAD^{tree}', tag: 'tagged', blob: 'HEAD:A.wiki' }
      await inBackend(source, backend, async ({ git: opened }) => {
        expect((await opened.read(git(source, 'rev-parse', names[type]))).type).toBe(type)
      })
    })

    test('reports a missing object', async () => {
      await inBackend(source, backend, async ({ git: opened }) => {
        const error = await opened.read(absent(1)).catch(caught => caught)
        expect(isWikiError(error, 'wiki-objects-missing')).toBe(true)
      })
    })

    test('may be stopped before its last result', async () => {
      await inBackend(source, backend, async ({ git: opened, tip }) => {
        for await (const content of opened.readBlobs(Array(600).fill(blobOf('a1\n')))) {
          expect(String(content)).toBe('a1\n')
          break
        }
        for await (const hash of opened.chain(tip)) {
          expect(hash).toBe(tip)
          break
        }
        expect((await opened.read(tip)).type).toBe('commit')
      })
    })

    test.each([1, 2, 5])('treats the boundary of a clone with %i commits as a root', async depth => {
      const empty = await temporaryDirectory()
      git(empty, 'clone', '--quiet', '--no-local', `--depth=${depth}`, `file://${source}`, 'wiki')
      await inBackend(join(empty, 'wiki'), backend, async ({ git: opened, tip }) => {
        const native = git(join(empty, 'wiki'), 'rev-list', 'HEAD').split('\n')
        const history = await opened.history(null, tip, filter)
        const commits = await listHistory(history)
        expect(commits.map(commit => commit.hash).sort()).toEqual(native.sort())
        const root = commits.find(commit => commit.onChain) as CommitChanges
        expect(root.parents).toEqual([])
        const files = git(join(empty, 'wiki'), 'ls-tree', '-r', '-z', '--name-only', root.hash)
          .split('\0')
          .filter(filter)
        expect(root.changes.map(({ path }) => path).sort()).toEqual(files.sort())
        expect(await collect(opened.chain(tip))).toHaveLength(history?.chainLength ?? -1)
      })
    })
  })
})

const end: ScriptedCommit = { name: 'end', parents: ['step 79'], files: { 'P.wiki': 'end\n' } }

interface Opened {
  readonly git: GitBackend
  readonly tip: string
}

async function inBackend(
  directory: string,
  backend: BackendName,
  use: (opened: Opened) => Promise<void>,
): Promise<void> {
  const repository = findRepository(directory)
  const opened = openBackend(repository, backend)
  try {
    await use({ git: opened, tip: readRef(repository, repository.branch) as string })
  } finally {
    opened.close()
  }
}

async function listHistory(history: History | null): Promise<CommitChanges[]> {
  return history === null ? [] : (await collect(history.batches)).flat()
}

/** Subject to paths to texts; `~` before the subjects of side branches. */
async function describeHistory(opened: GitBackend, history: History | null): Promise<Record<string, unknown>> {
  const text = async (hash: string | null) => {
    if (hash === null) return null
    const { content } = await opened.read(hash)
    return content.length > 1000 ? 'large' : content.toString()
  }
  const described: Record<string, unknown> = {}
  for (const { message, onChain, changes } of await listHistory(history)) {
    const rows = changes.map(
      async ({ path, before, after }) => [path, [await text(before), await text(after)]] as const,
    )
    described[`${onChain ? '' : '~'}${message.trim()}`] = Object.fromEntries(await Promise.all(rows))
  }
  return described
}

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const value of values) found.push(value)
  return found
}

/** Positions at which a text is the whole of a file. */
const places: Readonly<Record<string, readonly [commit: string, path: string]>> = {
  'a1\n': ['root', 'A.wiki'],
  'b1\n': ['root', 'folder/B.wiki'],
  'r\n': ['roots meet', 'R.wiki'],
  'q\n': ['names', 'a"q\\.wiki'],
}

function blobOf(text: string): string {
  blobs.set(text, blobs.get(text) ?? askForBlob(text))
  return blobs.get(text) as string
}

const blobs = new Map<string, string>()

function askForBlob(text: string): string {
  const [commit, path] = places[text] as readonly [string, string]
  return git(source, 'rev-parse', `${hashOf(commit)}:${path}`)
}

function hashOf(name: string): string {
  return hashes.get(name === 'caf\ufffd' ? 'latin' : name) as string
}

/** A hash that no object has; some of them start with digits, which are not a size. */
function absent(at: number): string {
  return `12${at.toString(16).padStart(38, '0')}`
}
