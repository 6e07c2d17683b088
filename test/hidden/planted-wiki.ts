/**
 * The wiki of secret-wiki.ts with strings that do harm wherever git lets others choose one: names and addresses of people, messages,
 * branches, remotes and their addresses, tags, settings. Commits are written as bytes, because no client makes such ones.
 */

import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { frameObject, hashFrame, loosePath } from '../../src/store/git/objects.ts'
import { git, gitBytes } from '../_setup.ts'
import { wiki as run } from '../cli/harness.ts'
import { type SecretWiki, secretWiki } from './secret-wiki.ts'

/** The beginning of every planted string. */
export const planted = 'planted'

/** Strings, by the harm that they could do. The first one is harmless: all others must give output of the same form. */
export const harms: Readonly<Record<string, string>> = {
  nothing: '',
  'a line of its own': 'a\nb\rSet-Cookie: x=1\r\n\r\n<b>c\u2028d\u2029e\u0085f\vg\fh',
  'a column of its own': 'a\tb\tc',
  'a sequence of the terminal': '\u001b[2J\u001b]0;t\u0007\u009b2J\u001b]8;;http://evil.example\u001b\\x\b\u007f',
  'another direction': '\u202ea\u2066b\u200f\u2067c\u061c\u2069\u2069\u202cd',
  markup: '"><img src=x onerror=a()></title></script><script>a()</script><!--]]>&lt;b&gt;\'"',
  'a link': '](javascript:a()) [ [Tides|x] ] {{Tides}} <javascript:a()> http://evil.example/`x`|**b**',
  'an option': ' --output=ran -rf',
  'words for a shell': '$(touch ran);`touch ran`|touch ran&\'"\\!*?~{a,b}',
  'a format': '%s%n%d {0} ${x} $& $1 \\1 {{x}} &amp; %0A%0D %2e%2e%2f ::error::x',
  'no end': 'x'.repeat(30_000),
  'no character': '\ufffe\uffff\u0000\u200b\u00ad\ufeff',
}

/** Characters that git refuses in the name of a branch or a remote. */
const refused = /[\0-\x20\x7f~^:?*[\\\ud800-\udfff]|\.\.|@\{|\/\/|\.lock|(?:^|\/)\.|[./]$/g

/** Makes the wiki with one string in every place, as far as the place can hold it. */
export async function plantedWiki(harm: string): Promise<SecretWiki> {
  const wiki = await secretWiki()
  const { directory } = wiki
  const text = planted + harm
  const ref = text.replace(refused, '').slice(0, 100)
  const commits = rewritten(directory, bytes =>
    bytes
      .replace(/zqx\w+user/g, () => nameOf(text))
      .replace(/zqx\w+address@example\.org/g, () => nameOf(text))
      .replace(/zqx\w+comment/g, () => Buffer.from(text.replaceAll('\0', '')).toString('latin1')),
  )
  const tip = commits.at(-1)!
  for (const [name, hash] of [
    [`heads/${ref}`, tip],
    [`heads/other-${ref}`, commits.at(-3)!],
    [`remotes/${ref}/${ref}`, commits.at(-2)!],
    [`tags/${ref}`, commits.at(-2)!],
  ] as const)
    write(join(directory, '.git/refs', name), `${hash}\n`)
  writeFileSync(join(directory, '.git/HEAD'), `ref: refs/heads/${ref}\n`)
  rmSync(join(directory, '.git/refs/heads/main'), { force: true })
  // The index names commits that are gone.
  rmSync(join(directory, '.git/wiki'), { recursive: true, force: true })
  const remote = quoted(ref)
  const address = quoted(text.replaceAll('\0', ''))
  appendFileSync(
    join(directory, '.git/config'),
    [
      `[remote ${remote}]\n\turl = ${address}\n\tfetch = ${quoted(`+refs/heads/*:refs/remotes/${ref}/*`)}`,
      `[branch ${quoted(ref)}]\n\tremote = ${remote}\n\tmerge = ${quoted(`refs/heads/${ref}`)}`,
      `[user]\n\tname = ${address}\n\temail = ${address}\n`,
    ].join('\n'),
  )
  // A search before the index is built says so in its headers.
  await run(['search', 'ferry'], { cwd: directory })
  const known = wiki.commits
  return { ...wiki, commits: known.map((_, at) => commits[at]!) }
}

/** The name in a commit begins a line and ends at the address. */
const nameOf = (text: string): string => Buffer.from(text.replace(/[\0\n<]/g, '')).toString('latin1')

/** Writes all commits of the branch again, as text of bytes, and returns them, oldest first. */
function rewritten(directory: string, change: (bytes: string) => string): string[] {
  const made = new Map<string, string>()
  for (const old of git(directory, 'rev-list', '--reverse', 'HEAD').trim().split('\n')) {
    const before = gitBytes(directory, 'cat-file', 'commit', old).toString('latin1')
    const parent = /^parent (\w+)$/m.exec(before)?.[1]
    const after = parent === undefined ? before : before.replace(parent, made.get(parent)!)
    const frame = frameObject('commit', Buffer.from(change(after), 'latin1'))
    const hash = hashFrame(frame)
    write(loosePath(join(directory, '.git/objects'), hash), deflateSync(frame))
    made.set(old, hash)
  }
  return [...made.values()]
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** A value of git's configuration. */
function quoted(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\b', '\\b')
  return `"${escaped}"`
}
