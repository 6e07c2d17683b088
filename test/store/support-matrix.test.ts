/** Each row of the support matrix in docs/git.md, with a repository that native git makes. */

import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { oneIn } from '../_rounds.ts'
import { copyFolder, git, hasGit, temporaryDirectory } from '../_setup.ts'
import { wiki } from '../cli/harness.ts'

interface Row {
  readonly feature: string
  readonly state: 'supported' | 'ignored' | 'refused'
  readonly says: string
}

function rowsOfDoc(): Row[] {
  const doc = readFileSync(join(import.meta.dirname, '../../docs/git.md'), 'utf8')
  const table = doc.slice(doc.indexOf('## Support matrix'))
  return [...table.matchAll(/^\| (?!feature|---)([^|]+) \| (supported|ignored|refused) \| ([^|]*) \|$/gm)].map(
    match => ({
      feature: match[1]!.trim(),
      state: match[2] as Row['state'],
      says: match[3]!,
    }),
  )
}

/** Makes a repository with the page A, in `folder`; returns the folder of the wiki. */
type Make = (folder: string) => string

function plain(folder: string, name = 'wiki'): string {
  const top = join(folder, name)
  copyFolder(plainWiki, top)
  return top
}

let plainWiki: string

beforeAll(async () => {
  if (!hasGit) return
  const top = await temporaryDirectory()
  mkdirSync(join(top, 'more'))
  git(top, 'init', '-q', '-b', 'main')
  writeFileSync(join(top, 'A.wiki'), 'first\n')
  writeFileSync(join(top, 'more/B.wiki'), 'other\n')
  git(top, 'add', '.')
  git(top, 'commit', '-q', '-m', 'One')
  writeFileSync(join(top, 'A.wiki'), 'text\n')
  git(top, 'commit', '-q', '-a', '-m', 'Two')
  plainWiki = top
})

function plainWith(...steps: readonly (readonly string[])[]): Make {
  return folder => {
    const top = plain(folder)
    for (const step of steps) git(top, ...step)
    return top
  }
}

const makers: Readonly<Record<string, Make>> = {
  'SHA-256 objects': folder => {
    git(folder, 'init', '-q', '--object-format=sha256', 'wiki')
    return join(folder, 'wiki')
  },
  'reftable refs': plainWith(
    ['config', 'core.repositoryFormatVersion', '1'],
    ['config', 'extensions.refStorage', 'reftable'],
  ),
  'newer repository formats (`core.repositoryFormatVersion`)': plainWith([
    'config',
    'core.repositoryFormatVersion',
    '2',
  ]),
  'unknown extensions (`extensions.*`)': plainWith(
    ['config', 'core.repositoryFormatVersion', '1'],
    ['config', 'extensions.other', 'true'],
  ),
  'linked work trees': folder => {
    git(plain(folder), 'worktree', 'add', '-q', '-b', 'linked', '../linked')
    return join(folder, 'linked')
  },
  'work tree settings (`extensions.worktreeConfig`)': plainWith(['config', 'extensions.worktreeConfig', 'true']),
  '`core.worktree`': folder => {
    const top = plain(folder)
    mkdirSync(join(folder, 'elsewhere'))
    for (const name of ['A.wiki', 'more']) renameSync(join(top, name), join(folder, 'elsewhere', name))
    git(top, 'config', 'core.worktree', '../../elsewhere')
    return top
  },
  '`--separate-git-dir`': folder => {
    const top = plain(folder)
    renameSync(join(top, '.git'), join(folder, 'elsewhere'))
    writeFileSync(join(top, '.git'), `gitdir: ${join(folder, 'elsewhere')}\n`)
    return top
  },
  'bare repositories': folder => {
    git(folder, 'clone', '-q', '--bare', plain(folder), 'bare.git')
    return join(folder, 'bare.git')
  },
  'a wiki that is a submodule': folder => {
    plain(folder)
    git(folder, 'init', '-q', 'outer')
    git(
      join(folder, 'outer'),
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'add',
      join(folder, 'wiki'),
      'wiki',
    )
    return join(folder, 'outer/wiki')
  },
  'submodules inside of a wiki': folder => {
    plain(folder, 'inner')
    const top = plain(folder)
    git(top, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', join(folder, 'inner'), 'sub')
    git(top, 'commit', '-q', '-m', 'Sub')
    return top
  },
  'shallow clones': folder => {
    git(folder, 'clone', '-q', '--depth', '1', `file://${plain(folder)}`, 'shallow')
    return join(folder, 'shallow')
  },
  'partial clones': folder => {
    git(plain(folder), 'config', 'uploadpack.allowFilter', 'true')
    git(folder, 'clone', '-q', '--filter=blob:none', `file://${join(folder, 'wiki')}`, 'partial')
    return join(folder, 'partial')
  },
  'content filters': plainWith(['config', 'filter.upper.clean', 'cat'], ['config', 'filter.upper.smudge', 'cat']),
  // The filter replaces git-lfs; test/operations/lfs.test.ts reads pointers.
  LFS: folder => {
    const top = plain(folder)
    git(top, 'config', 'filter.lfs.clean', 'cat')
    git(top, 'config', 'filter.lfs.smudge', 'cat')
    writeFileSync(join(top, '.gitattributes'), '*.png filter=lfs diff=lfs merge=lfs -text\n')
    git(top, 'add', '.gitattributes')
    git(top, 'commit', '-q', '-m', 'Pictures are kept by LFS')
    return top
  },
  alternates: folder => {
    git(folder, 'clone', '-q', '--shared', plain(folder), 'shared')
    return join(folder, 'shared')
  },
  'packed refs': plainWith(['pack-refs', '--all']),
  'symbolic refs': plainWith(
    ['branch', 'real'],
    ['symbolic-ref', 'refs/heads/alias', 'refs/heads/real'],
    ['symbolic-ref', 'HEAD', 'refs/heads/alias'],
  ),
  'HEAD as a symbolic link (`core.preferSymlinkRefs`)': plainWith(
    ['config', 'core.preferSymlinkRefs', 'true'],
    ['symbolic-ref', 'HEAD', 'refs/heads/main'],
    ['pack-refs', '--all'],
  ),
  'detached HEAD': plainWith(['checkout', '-q', '--detach']),
  tags: plainWith(['tag', '-a', '-m', 'Tag', 'v1']),
  notes: plainWith(['notes', 'add', '-m', 'Note', 'HEAD']),
  'replace refs': folder => {
    const top = plain(folder)
    const other = git(top, 'commit-tree', 'HEAD~1^{tree}', '-m', 'Replacement')
    git(top, 'replace', 'HEAD', other)
    return top
  },
  grafts: folder => {
    const top = plain(folder)
    mkdirSync(join(top, '.git/info'), { recursive: true })
    writeFileSync(join(top, '.git/info/grafts'), `${git(top, 'rev-parse', 'HEAD')}\n`)
    return top
  },
  'commit-graph': plainWith(['commit-graph', 'write', '--reachable']),
  'multi-pack-index': plainWith(['repack', '-q', '-a', '-d'], ['multi-pack-index', 'write']),
  bitmaps: plainWith(['repack', '-q', '-a', '-d', '-b']),
  'index version 4': plainWith(['update-index', '--index-version', '4']),
  '`index.skipHash`': plainWith(['config', 'index.skipHash', 'true'], ['update-index', '--force-write-index']),
  '`git update-index --assume-unchanged`, `--skip-worktree`': plainWith(
    ['update-index', '--assume-unchanged', 'A.wiki'],
    ['update-index', '--skip-worktree', 'more/B.wiki'],
  ),
  'split index': plainWith(['update-index', '--split-index']),
  'an index that is a symbolic link': folder => {
    const top = plain(folder)
    renameSync(join(top, '.git/index'), join(top, '.git/other'))
    symlinkSync('other', join(top, '.git/index'))
    return top
  },
  'sparse checkout': plainWith(['sparse-checkout', 'set', '--no-cone', '/*', '!/more']),
  'sparse index': plainWith(['sparse-checkout', 'init', '--cone', '--sparse-index']),
  '`core.untrackedCache`': plainWith(['config', 'core.untrackedCache', 'true'], ['update-index', '--untracked-cache']),
  '`core.fsmonitor`': plainWith(['config', 'core.fsmonitor', 'false-program']),
  '`core.ignoreCase`': plainWith(['config', 'core.ignoreCase', 'true']),
  '`core.precomposeUnicode`': plainWith(['config', 'core.precomposeUnicode', 'true']),
  '`core.sharedRepository`': plainWith(['config', 'core.sharedRepository', 'group']),
  '`core.fsync`': plainWith(['config', 'core.fsync', 'none,committed']),
  '`core.fsyncMethod`': plainWith(['config', 'core.fsyncMethod', 'batch']),
}

/** The product's result for a repository: read and edited, and checked by native git. */
async function taken(top: string): Promise<{ state: 'works' | 'refused'; says: string }> {
  const read = await wiki(['page', 'get', 'A'], { cwd: top })
  if (read.status !== 0) return { state: 'refused', says: read.stderr }
  expect(read.stdout).toBe('text\n')
  const branch = git(top, 'rev-parse', '--abbrev-ref', 'HEAD')
  const edited = await wiki(['page', 'edit', 'A', '-f', '-', '-m', 'Edit'], { cwd: top, stdin: 'edited\n' })
  if (edited.status !== 0) return { state: 'refused', says: edited.stderr }
  expect(git(top, '--no-replace-objects', 'show', 'HEAD:A.wiki')).toBe('edited')
  expect(git(top, 'rev-parse', '--abbrev-ref', 'HEAD')).toBe(branch)
  // A file that was left unchanged would show here, and so would an index that git cannot read.
  expect(
    git(top, '-c', 'core.fsmonitor=false', 'rev-parse', '--is-bare-repository') === 'true'
      ? ''
      : git(top, '-c', 'core.fsmonitor=false', 'status', '--porcelain'),
  ).toBe('')
  git(top, 'fsck', '--no-dangling')
  return { state: 'works', says: '' }
}

describe.skipIf(!hasGit || process.platform === 'win32')('the support matrix', () => {
  const rows = rowsOfDoc()

  test('has a test for each row, and a row for each test', () => {
    expect(rows.map(({ feature }) => feature)).toEqual(Object.keys(makers))
  })

  test.for(oneIn(3, rows))('$feature: $state', { tags: 'rounds' }, async ({ feature, state, says }) => {
    const make = makers[feature] as Make
    const found = await taken(make(await temporaryDirectory()))
    expect(found.state, found.says).toBe(state === 'refused' ? 'refused' : 'works')
    if (state === 'refused') expect(found.says).toContain(/`([^`]+)`/.exec(says)?.[1])
  })
})
