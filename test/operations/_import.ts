/** Long histories, created through `git fast-import`. */

import { execFileSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { git, temporaryDirectory } from '../_setup.ts'
import { ada, openTestWiki, type TestWiki } from './_wiki.ts'

/** One commit of one file, or of several with the same text. */
export interface ImportedEdit {
  readonly path: string | readonly string[]
  readonly text: string
  readonly author?: { readonly name: string; readonly address: string }
  readonly comment?: string
  readonly minor?: boolean
  readonly bot?: boolean
}

/** Seconds since 1970 of the first commit; the others follow a minute apart. */
const firstTime = Date.parse('2024-01-01T00:00:00Z') / 1000

/** Adds commits to the branch `main`; the work tree is unchanged. */
export function fastImport(directory: string, edits: readonly ImportedEdit[]): void {
  const from = execFileSync('git', ['for-each-ref', 'refs/heads/main'], { cwd: directory }).length > 0
  const count = from ? Number(git(directory, 'rev-list', '--count', 'main')) : 0
  const stream = edits.map((edit, n) => {
    const { name, address } = edit.author ?? ada
    const marks = [edit.minor && 'Wiki-Minor: true', edit.bot && 'Wiki-Bot: true'].filter(Boolean)
    const message = [edit.comment ?? `edit ${n + 1}`, ...(marks.length > 0 ? ['', ...marks] : [])].join('\n')
    const time = firstTime + (count + n) * 60
    const parent = from && n === 0 ? 'from refs/heads/main^0\n' : ''
    return `commit refs/heads/main\nauthor ${name} <${address}> ${time} +0000\ncommitter ${name} <${address}> ${time} +0000\n${data(message)}${parent}${files(edit)}`
  })
  execFileSync('git', ['fast-import', '--quiet'], { cwd: directory, input: stream.join('\n') })
}

function files({ path, text }: ImportedEdit): string {
  return [path]
    .flat()
    .map(name => `M 100644 inline ${name}\n${data(text)}`)
    .join('')
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}

/** Makes a bare wiki of a history, or of the last commits of another one. */
export async function importedWiki(
  edits: readonly ImportedEdit[],
  { shallowCloneOf }: { readonly shallowCloneOf?: string } = {},
): Promise<TestWiki> {
  const directory = await temporaryDirectory()
  if (shallowCloneOf === undefined) git(directory, 'init', '--quiet', '--bare', '.')
  else git(directory, 'clone', '--quiet', '--bare', '--depth', '2', pathToFileURL(shallowCloneOf).href, '.')
  if (edits.length > 0) fastImport(directory, edits)
  return { wiki: await openTestWiki(directory), directory }
}
