/**
 * Repositories that no git client would make, built object by object, and files outside of them, which must stay
 * untouched.
 */

import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { frameObject, hashFrame, loosePath } from '../src/store/git/objects.ts'
import { initRepository } from '../src/store/repository/init.ts'
import { temporaryDirectory } from './_setup.ts'

/** Content of every file outside; no response may contain it. */
export const mark = 'OUTSIDE-OF-THE-WIKI'

/** An entry of a tree: mode, name (a text or its bytes), hash of its object. */
export type Entry = readonly [mode: string, name: string | Buffer, hash: string]

export interface Hostile {
  /** The work tree. */
  readonly directory: string
  /** A folder beside it without permission to read or write. */
  readonly outside: string
  readonly blob: (content: string | Buffer) => string
  readonly tree: (entries: readonly Entry[]) => string
  /** Any object, by its bytes. */
  readonly object: (type: 'blob' | 'tree' | 'commit', content: Buffer) => string
  /** Makes the tree the branch's only commit. */
  readonly commit: (tree: string) => void
}

/** An empty repository with a folder beside it. */
export async function hostileRepository(): Promise<Hostile> {
  const top = await temporaryDirectory()
  const [directory, outside] = [join(top, 'wiki'), join(top, 'outside')]
  initRepository(directory)
  for (const name of ['secret.wiki', 'secret.png', 'x.wiki', 'wiki.json', 'sub/x.wiki']) {
    mkdirSync(dirname(join(outside, name)), { recursive: true })
    writeFileSync(join(outside, name), name === 'wiki.json' ? `{"name": "${mark}"}` : `${mark} in ${name}`)
  }
  const put = (type: 'blob' | 'tree' | 'commit', content: Buffer): string => {
    const frame = frameObject(type, content)
    const hash = hashFrame(frame)
    const path = loosePath(join(directory, '.git/objects'), hash)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, deflateSync(frame))
    return hash
  }
  const bytes = ([mode, name, hash]: Entry) =>
    Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name as string), Buffer.from([0]), Buffer.from(hash, 'hex')])
  return {
    directory,
    outside,
    object: put,
    blob: content => put('blob', Buffer.from(content as string)),
    tree: entries => put('tree', Buffer.concat(entries.map(bytes))),
    commit: tree => {
      const who = 'Eve <eve@example.org> 1700000000 +0000'
      const hash = put('commit', Buffer.from(`tree ${tree}\nauthor ${who}\ncommitter ${who}\n\nhostile\n`))
      writeFileSync(join(directory, '.git/refs/heads/main'), `${hash}\n`)
    },
  }
}

/** Creates links in the work tree, as a checkout would. */
export function link({ directory, outside }: Hostile, links: Readonly<Record<string, string>>): void {
  for (const [name, target] of Object.entries(links)) symlinkSync(join(outside, target), join(directory, name))
}

/** All files in a folder with their contents, and links as links. */
export function contentsOf(folder: string, leaveOut = /^$/): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const files = paths.filter(path => !leaveOut.test(path) && statSync(join(folder, path)).isFile())
  return Object.fromEntries(files.map(path => [path, readFileSync(join(folder, path), 'latin1')]))
}
