import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { addFile } from '../../src/operations/add-file.ts'
import { createPage } from '../../src/operations/create-page.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { importDump } from '../../src/operations/import-dump.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { wikiStatus } from '../../src/operations/status.ts'
import { updatePage } from '../../src/operations/update-page.ts'
import { openWiki, type Wiki } from '../../src/operations/wiki.ts'
import { rounds } from '../_rounds.ts'
import { copyFolder, git, hasGit, temporaryDirectory } from '../_setup.ts'
import { ada, create, edit, newWiki } from './_wiki.ts'

/** Unfinished work in the work tree: on the page A, a new page and a file. */
interface Work {
  readonly name: string
  readonly begin: (directory: string) => void
  /** Paths that must not change, and their entries in `wiki status`; null for paths that are not pages. */
  readonly paths: Readonly<Record<string, 'modified' | 'added' | 'deleted' | 'conflicted' | null>>
  /** True if they are staged: then git's index does not follow there either. */
  readonly staged?: boolean
}

const put = (directory: string, path: string, text: string) => writeFileSync(join(directory, path), text)

const works: readonly Work[] = [
  {
    name: 'changes that are not committed',
    begin: directory => put(directory, 'A.wiki', 'mine\n'),
    paths: { 'A.wiki': 'modified' },
  },
  {
    name: 'a page that is deleted',
    begin: directory => rmSync(join(directory, 'A.wiki')),
    paths: { 'A.wiki': 'deleted' },
  },
  {
    name: 'changes that are staged',
    staged: true,
    begin: directory => {
      put(directory, 'A.wiki', 'mine\n')
      git(directory, 'add', 'A.wiki')
    },
    paths: { 'A.wiki': 'modified' },
  },
  {
    name: 'changes that are staged, and others that are not',
    staged: true,
    begin: directory => {
      put(directory, 'A.wiki', 'mine\n')
      git(directory, 'add', 'A.wiki')
      put(directory, 'A.wiki', 'mine, too\n')
    },
    paths: { 'A.wiki': 'modified' },
  },
  {
    name: 'a deletion that is staged',
    staged: true,
    begin: directory => git(directory, 'rm', '--quiet', 'A.wiki'),
    paths: { 'A.wiki': 'deleted' },
  },
  {
    name: 'new files that are staged',
    staged: true,
    begin: directory => {
      put(directory, 'New.wiki', 'mine\n')
      put(directory, 'notes.xyz', 'mine\n')
      git(directory, 'add', 'New.wiki', 'notes.xyz')
    },
    paths: { 'New.wiki': 'added', 'notes.xyz': null },
  },
  {
    name: 'a new file that is announced with git add -N',
    begin: directory => {
      put(directory, 'New.wiki', 'mine\n')
      git(directory, 'add', '--intent-to-add', 'New.wiki')
    },
    paths: { 'New.wiki': 'added' },
  },
  {
    name: 'files that git does not know',
    begin: directory => {
      put(directory, 'New.wiki', 'mine\n')
      put(directory, 'notes.xyz', 'mine\n')
    },
    paths: { 'New.wiki': 'added', 'notes.xyz': null },
  },
]

/** Unfinished commands of git. The last commits, `other` and the work tree differ in the same line of A, `apart` in another page. */
const operations: readonly [name: string, operation: string, begin: string[]][] = [
  ['a merge that waits for its commit', 'merge', ['merge', '--no-commit', '--no-ff', 'apart']],
  ['a merge with conflicts', 'merge', ['merge', 'other']],
  ['a rebase that stopped', 'rebase', ['rebase', '--exec', 'false', 'apart']],
  ['a rebase with conflicts', 'rebase', ['rebase', 'other']],
  ['a rebase that applies patches', 'rebase', ['rebase', '--apply', 'other']],
  ['a cherry-pick with conflicts', 'cherry-pick', ['cherry-pick', 'other']],
  ['a revert with conflicts', 'revert', ['revert', '--no-edit', 'HEAD~2']],
  ['patches with conflicts', 'am', ['am', '.git/0001-other.patch']],
  ['a bisect', 'bisect', ['bisect', 'start']],
]

const request = { author: ada, comment: 'written' }
const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="3"/>')

/** The writes, each to a page; they return the value of `leftAlone`. */
const writes: Readonly<Record<string, (wiki: Wiki, title: string) => Promise<{ leftAlone: readonly string[] }>>> = {
  create: wiki => createPage(wiki, { ...request, title: 'New', source: 'made' }),
  update: async (wiki, title) => {
    await wiki.store.refresh()
    const base = wiki.store.findPage(title)?.latest
    return updatePage(wiki, { ...request, title, source: 'edited', base })
  },
  move: (wiki, title) => movePage(wiki, { ...request, from: title, to: 'Moved' }),
  delete: (wiki, title) => deletePages(wiki, { ...request, titles: [title] }),
  'file add': wiki => addFile(wiki, { ...request, name: 'Box.svg', content: picture }),
  import: async wiki => {
    const dump = join(await temporaryDirectory(), 'dump.xml')
    writeFileSync(dump, dumpText)
    return importDump(wiki, { dump })
  },
}

const dumpText = `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"><siteinfo>
  <sitename>S</sitename><dbname>s</dbname><base>http://example.org/wiki/Main_Page</base><case>first-letter</case>
  <namespaces><namespace key="0" case="first-letter" /></namespaces></siteinfo><page><title>Imported</title><ns>0</ns><id>1</id>
  <revision><id>1</id><timestamp>2020-01-01T00:00:00Z</timestamp><contributor><username>Zoe</username><id>1</id></contributor>
  <model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">Text</text></revision></page></mediawiki>\n`

// Native git creates the states of the work tree.
describe.skipIf(!hasGit)('in a work tree with', () => {
  let base: string

  beforeAll(async () => {
    const { wiki, directory } = await newWiki({ A: 'one', B: 'b' })
    git(directory, 'checkout', '--quiet', '-b', 'other')
    put(directory, 'A.wiki', 'other\n')
    git(directory, 'commit', '--quiet', '--all', '-m', 'other')
    git(directory, 'format-patch', '--quiet', '-1', '-o', '.git')
    git(directory, 'checkout', '--quiet', '-b', 'apart', 'main')
    put(directory, 'Apart.wiki', 'apart\n')
    git(directory, 'add', 'Apart.wiki')
    git(directory, 'commit', '--quiet', '-m', 'apart')
    git(directory, 'checkout', '--quiet', 'main')
    for (const text of ['two', 'three']) await edit(wiki, 'A', text)
    await create(wiki, 'C', 'c')
    base = directory
  })

  async function copy(): Promise<string> {
    const directory = join(await temporaryDirectory(), 'wiki')
    copyFolder(base, directory)
    git(directory, 'update-index', '-q', '--refresh')
    return directory
  }

  const cases = Object.keys(writes).flatMap(write => ['A', 'B'].map(title => ({ write, title })))

  describe.each(works.map((work, number) => ({ ...work, number })))(
    '$name',
    ({ begin, paths, staged = false, number }) => {
      // Slow: a repository and a dozen starts of git for each. `npm test` takes a seventh of them.
      test.each(cases.filter((_, at) => (at + number) % rounds(7, 1) === 0))(
        '$write of $title changes none of it, and it is reported',
        { tags: 'rounds' },
        async ({ write, title }) => {
          const directory = await copy()
          begin(directory)
          const before = stateOf(directory, paths, staged)
          const wiki = await openWiki({ directory })
          const { leftAlone } = await (writes[write] as (typeof writes)[string])(wiki, title)
          expect(stateOf(directory, paths, staged)).toEqual(before)
          const { changes, operation } = await wikiStatus(wiki)
          const known = Object.entries(paths).filter(([, kind]) => kind !== null)
          // After the write the same path may have another kind of change, or none if both made the same change.
          expect(changes.map(({ path }) => path)).toEqual(
            expect.arrayContaining(known.map(([path]) => path).filter(path => differs(directory, path))),
          )
          if (title === 'B' && write !== 'create')
            for (const [path, kind] of known) expect(changes.find(change => change.path === path)?.kind).toBe(kind)
          expect(leftAlone.filter(path => !(path in paths))).toEqual([])
          expect(operation).toBeNull()
          await wiki.close()
        },
      )
    },
  )

  describe.each(operations.map((row, number) => [...row, number] as const))('%s', (_, operation, begin, number) => {
    test.each(Object.keys(writes).filter((_, at) => (at + number) % rounds(4, 1) === 0))(
      '%s is refused, and it is reported',
      { tags: 'rounds' },
      async write => {
        const directory = await copy()
        const opened = await openWiki({ directory })
        await opened.store.refresh()
        try {
          git(directory, ...begin)
        } catch {
          // It stops there: this is its middle.
        }
        const before = wholeState(directory)
        const wiki = await openWiki({ directory })
        const title = write === 'create' ? 'New' : 'B'
        await expect(writes[write]?.(wiki, title)).rejects.toMatchObject({
          code: 'wiki-repository-busy',
          message: expect.stringContaining(operation === 'am' ? ' a git am;' : ` a ${operation};`),
          hint: expect.stringContaining(`git ${operation} ${operation === 'bisect' ? 'reset' : '--abort'}`),
        })
        expect(wholeState(directory)).toEqual(before)
        expect((await wikiStatus(wiki)).operation).toBe(operation)
        // Edits made before it started are also refused for the branch of a rebase.
        if (operation !== 'bisect') {
          await expect(writes[write]?.(opened, title)).rejects.toMatchObject({ code: 'wiki-repository-busy' })
          expect(wholeState(directory)).toEqual(before)
        }
        await wiki.close()
        await opened.close()
      },
    )
  })
})

/** The content of the paths in the work tree and in git's index. */
function stateOf(directory: string, paths: Work['paths'], staged: boolean) {
  return Object.keys(paths).map(path => {
    const file = join(directory, path)
    const entry = staged ? git(directory, 'ls-files', '--stage', '--', path) : null
    return [path, existsSync(file) ? readFileSync(file, 'utf8') : null, entry]
  })
}

/** Returns true if the branch and the work tree differ at a path. */
function differs(directory: string, path: string): boolean {
  return git(directory, 'status', '--porcelain', '--untracked-files=all', '--', path) !== ''
}

function wholeState(directory: string) {
  const files = readdirSync(directory).filter(name => name !== '.git')
  return {
    files: files.map(name => [name, readFileSync(join(directory, name), 'latin1')]),
    staged: readFileSync(join(directory, '.git/index'), 'latin1'),
    refs: git(directory, 'for-each-ref'),
    head: readFileSync(join(directory, '.git/HEAD'), 'utf8'),
  }
}
