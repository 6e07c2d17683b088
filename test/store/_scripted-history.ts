/** Histories written down commit by commit, and made through `git fast-import`. */

import { execFileSync } from 'node:child_process'
import { git } from '../_setup.ts'

/** A file's new text; with a mode, a link or a program; null deletes it. */
export type ScriptedFile = string | Uint8Array | null | { readonly mode: string; readonly text: string }

export interface ScriptedCommit {
  readonly name: string
  /** Names of earlier commits; the commit before this one if omitted. */
  readonly parents?: readonly string[]
  /** Differences from the first parent. */
  readonly files?: Readonly<Record<string, ScriptedFile>>
  /** The name, if omitted. */
  readonly message?: string | Uint8Array
  /** As in a commit: `Name <address> seconds zone`. */
  readonly author?: string
  /** Encoding of the message, if it is not UTF-8. */
  readonly encoding?: string
}

const usualAuthor = 'Ada Example <ada@example.org> 1704067200 +0000'

/**
 * Adds commits to a repository, the last of them as the tip of `branch`; returns their hashes by name. `known` names existing
 * commits that may be parents. The work tree, if there is one, does not follow.
 */
export function writeHistory(
  directory: string,
  commits: readonly ScriptedCommit[],
  { branch = 'main', known = new Map() }: { branch?: string; known?: ReadonlyMap<string, string> } = {},
): Map<string, string> {
  const marks = new Map<string, string>(known)
  const stream: Uint8Array[] = []
  commits.forEach((commit, at) => {
    const before = at === 0 ? undefined : commits[at - 1]?.name
    const parents = (commit.parents ?? (before === undefined ? [] : [before])).map(name => marks.get(name) as string)
    marks.set(commit.name, `:${at + 1}`)
    stream.push(...commitBlock(commit, at + 1, parents))
  })
  const last = marks.get(commits.at(-1)?.name as string)
  stream.push(Buffer.from(`reset refs/heads/${branch}\nfrom ${last}\n\ndone\n`))
  const printed = execFileSync('git', ['fast-import', '--quiet', '--force', '--done'], {
    cwd: directory,
    input: Buffer.concat(stream),
    encoding: 'utf8',
  })
  git(directory, 'update-ref', '-d', 'refs/scripted')
  const made = printed.trim().split('\n')
  return new Map([...known, ...commits.map(({ name }, at) => [name, made[at] as string] as const)])
}

function commitBlock(commit: ScriptedCommit, mark: number, parents: readonly string[]): Uint8Array[] {
  const { name, files = {}, message = name, author = usualAuthor, encoding } = commit
  const head = [
    // Otherwise a commit without parents would continue from the previous one.
    'reset refs/scripted',
    'commit refs/scripted',
    `mark :${mark}`,
    `author ${author}`,
    `committer ${author}`,
    ...(encoding === undefined ? [] : [`encoding ${encoding}`]),
  ]
  const from = parents.map((parent, at) => `${at === 0 ? 'from' : 'merge'} ${parent}\n`).join('')
  return [
    Buffer.from(`${head.join('\n')}\n`),
    ...data(message),
    Buffer.from(from),
    ...Object.entries(files).flatMap(([path, file]) => fileLines(path, file)),
    Buffer.from(`\nget-mark :${mark}\n`),
  ]
}

function fileLines(path: string, file: ScriptedFile): Uint8Array[] {
  if (file === null) return [Buffer.from(`D ${path}\n`)]
  if (typeof file === 'string' || file instanceof Uint8Array)
    return [Buffer.from(`M 100644 inline ${path}\n`), ...data(file)]
  return file.mode === '160000'
    ? [Buffer.from(`M 160000 ${file.text} ${path}\n`)]
    : [Buffer.from(`M ${file.mode} inline ${path}\n`), ...data(file.text)]
}

function data(content: string | Uint8Array): Uint8Array[] {
  const bytes = Buffer.from(content as string)
  return [Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n')]
}
