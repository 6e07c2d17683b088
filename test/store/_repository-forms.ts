/** One history in every form in which git stores a repository. */

import { join } from 'node:path'
import { copyFolder, git, temporaryDirectory } from '../_setup.ts'

export interface RepositoryForm {
  readonly name: string
  /** Makes it from a repository with a work tree, in an empty folder; returns the folder in which a wiki is opened. */
  readonly make: (source: string, empty: string) => string
  /** Why isomorphic-git cannot read it. */
  readonly nativeOnly?: string
}

export const repositoryForms: readonly RepositoryForm[] = [
  { name: 'loose objects', make: (source, empty) => copyOf(source, empty) },
  {
    name: 'one pack',
    make: (source, empty) => {
      const copy = copyOf(source, empty)
      git(copy, 'gc', '--quiet', '--prune=now')
      return copy
    },
  },
  {
    name: 'several packs and loose objects',
    make: (source, empty) => {
      const copy = copyOf(source, empty)
      const half = git(copy, 'rev-list', '--reverse', 'HEAD').split('\n')[3] as string
      for (const tip of [half, 'HEAD~1']) {
        git(copy, 'branch', '-f', 'packed', tip)
        git(copy, '-c', 'pack.window=10', 'repack', '-q', '-d', '-l')
      }
      git(copy, 'tag', '-a', '-m', 'loose', 'after-the-packs')
      return copy
    },
  },
  {
    name: 'a bare repository',
    make: (source, empty) => {
      git(empty, 'clone', '--quiet', '--bare', '--no-local', source, 'wiki.git')
      return join(empty, 'wiki.git')
    },
  },
  {
    name: 'packed refs',
    make: (source, empty) => {
      const copy = copyOf(source, empty)
      git(copy, 'pack-refs', '--all')
      return copy
    },
  },
  {
    name: 'a detached HEAD',
    make: (source, empty) => {
      const copy = copyOf(source, empty)
      git(copy, 'checkout', '--quiet', '--detach')
      return copy
    },
  },
  {
    name: 'a linked work tree',
    make: (source, empty) => {
      git(copyOf(source, empty), 'worktree', 'add', '--quiet', '-b', 'linked', '../linked')
      return join(empty, 'linked')
    },
  },
  {
    name: 'a linked work tree of a bare repository',
    make: (source, empty) => {
      git(empty, 'clone', '--quiet', '--bare', source, 'wiki.git')
      git(join(empty, 'wiki.git'), 'worktree', 'add', '--quiet', '-b', 'linked', '../linked')
      return join(empty, 'linked')
    },
  },
  {
    name: 'a submodule',
    make: (source, empty) => {
      git(empty, 'init', '--quiet', 'outer')
      const outer = join(empty, 'outer')
      git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source, 'wiki')
      return join(outer, 'wiki')
    },
  },
  {
    name: 'a subfolder of the work tree',
    make: (source, empty) => join(copyOf(source, empty), 'folder'),
  },
  {
    name: 'objects of an alternate',
    nativeOnly: 'isomorphic-git does not know alternates',
    make: (source, empty) => {
      git(empty, 'clone', '--quiet', '--shared', source, 'wiki')
      return join(empty, 'wiki')
    },
  },
]

/** Creates a form in a separate folder. */
export async function makeForm(form: RepositoryForm, source: string): Promise<string> {
  return form.make(source, await temporaryDirectory())
}

function copyOf(source: string, empty: string): string {
  const copy = join(empty, 'wiki')
  copyFolder(source, copy)
  return copy
}
