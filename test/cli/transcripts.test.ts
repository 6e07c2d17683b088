/**
 * Runs the command lines in transcripts/*.txt, each file on a separate wiki, and compares their output.
 *
 *     npx vitest run test/cli/transcripts.test.ts -u    rewrites the output
 *
 *     # a comment about the next lines
 *     $ wiki page edit "Main Page" -f - <<< "A text"
 *     tty$ the same, on a terminal of 80 columns
 *     > a line of stdout
 *     2> a line of stderr
 *     ? the exit status if it is not 0
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sampleWiki, wiki } from './harness.ts'

const folder = join(import.meta.dirname, 'transcripts')

test.each(readdirSync(folder))('%s', async name => {
  const file = join(folder, name)
  const cwd = sampleWiki()
  let answered = ''
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (/^(#|$)/.test(line)) answered += answered === '' && line === '' ? '' : `${line}\n`
    if (/^(tty)?\$ /.test(line)) answered += `${line}\n${await answer(line, cwd)}`
  }
  await expect(`${answered.trimEnd()}\n`).toMatchFileSnapshot(file)
})

async function answer(line: string, cwd: string): Promise<string> {
  const [prompt = '', , ...words] = shellWords(line)
  const here = words.indexOf('<<<')
  const argv = here < 0 ? words : words.slice(0, here)
  const stdin = here < 0 ? '' : (words[here + 1] ?? '').replaceAll('\\n', '\n')
  const tty = prompt === 'tty$' ? (['stdin', 'stdout', 'stderr'] as const) : []
  const { status, stdout, stderr } = await wiki(argv, { cwd, stdin, tty, columns: 80, env: { NO_COLOR: '1' } })
  const lines = [
    ...prefixed('>', stdout),
    ...prefixed('2>', withoutProgress(stderr)),
    ...(status === 0 ? [] : [`? ${status}`]),
  ]
  return lines.map(text => `${stable(text, cwd)}\n`).join('')
}

/** `a "b c" 'd'` → its words. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
}

function prefixed(sign: string, text: string): string[] {
  if (text === '') return []
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map(line => `${sign} ${line.replaceAll('\t', ' → ').replaceAll('\0', '␀')}`)
}

/** Progress that only a slow machine shows and removes. */
const progressLine = /(?:\r|\u001b\[G)[^\r\n]*?\u001b\[K/g

function withoutProgress(text: string): string {
  return text.replace(progressLine, '')
}

/** Hashes and times of new commits, and the wiki's folder, differ from run to run. */
function stable(line: string, cwd: string): string {
  return line
    .replaceAll(cwd, '/wiki')
    .replace('read by isomorphic-git', 'read by git')
    .replace(/\b[0-9a-f]{40}\b/g, '<hash>')
    .replace(/\(([0-9a-f]{7,})\)/g, '(<hash>)')
    .replace(/(?<!2026-01-31)\b20\d\d-\d\d-\d\d(?<!2026-01-31)[T ]\d\d:\d\d(:\d\dZ)?/g, '<now>')
    .replace(/\bjust now\b/g, '<now>')
    .trimEnd()
}
