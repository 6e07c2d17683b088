/** Opens a text in the user's editor. The file stays until the text is saved, so nothing typed is lost. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { WikiError } from '../core/errors.ts'
import { makeTemporaryFolder, removeFolder, writeFile } from '../files/private-files.ts'
import type { Context } from './context.ts'

/**
 * Returns the editor's command line: WIKI_EDITOR, or the one that git would start: GIT_EDITOR, `core.editor`, VISUAL unless the terminal
 * is dumb, EDITOR. Null if none is named and there is no terminal for vi. Source: git-var(1), "GIT_EDITOR".
 */
export async function editorCommand(context: Context): Promise<string | null> {
  const { io, options } = context
  const { WIKI_EDITOR, GIT_EDITOR, VISUAL, EDITOR, TERM } = io.env
  if (!options.input) return null
  const isDumb = !TERM || TERM === 'dumb'
  const named = WIKI_EDITOR || GIT_EDITOR || (await configuredEditor(context)) || (!isDumb && VISUAL) || EDITOR
  return named || (!isDumb && io.stdin.isTTY && io.stdout.isTTY ? 'vi' : null)
}

async function configuredEditor(context: Context): Promise<string | null> {
  return (await context.wiki()).store.programSetting('core.editor', context.io.env)
}

/** Result of an editor session. */
export interface EditedText {
  readonly text: string
  /** False if the text is unchanged. */
  readonly changed: boolean
  /** The temporary file. */
  readonly path: string
}

/**
 * Opens a text in the editor and waits until it exits. `name` becomes the file's name.
 *
 * Errors: wiki-usage if there is no editor or it fails; the file then stays.
 */
export async function editText(context: Context, text: string, name: string): Promise<EditedText> {
  const command = await editorCommand(context)
  if (command === null) throw new WikiError('wiki-usage', { params: ['No editor can be opened here'], hint: fileHint })
  const path = keepText(text, name)
  const status = await runEditor(command, path)
  const edited = decode(readFileSync(path), path)
  const changed = edited !== text
  if (changed) context.storeDraft(path)
  else discardText(path)
  if (status !== 0) throw new WikiError('wiki-usage', { params: [`The editor failed (${status}): ${command}`] })
  return { text: edited, changed, path }
}

const fileHint = 'Give the text in a file: -f <file>, or on stdin: -f -'

/** Writes a text to a temporary file outside the wiki, and returns its path. */
export function keepText(text: string, name: string): string {
  const path = join(makeTemporaryFolder(join(tmpdir(), 'wiki-')), name)
  writeFile(path, text)
  return path
}

/** Removes the temporary file and its directory. */
export function discardText(path: string): void {
  removeFolder(dirname(path))
}

/** Decodes UTF-8. Errors: wiki-usage for invalid bytes, because replacing them would lose text. */
export function decode(bytes: Uint8Array, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const hint = 'Convert it first, for example with: iconv -f latin1 -t utf-8'
    throw new WikiError('wiki-usage', { params: [`${source} is not UTF-8 text`], hint })
  }
}

/** Runs the editor as git does: as a shell command line, with the path appended. */
async function runEditor(command: string, path: string): Promise<number | string> {
  // The editor controls the terminal, including Ctrl-C.
  const ignore = (): void => {}
  process.on('SIGINT', ignore)
  const child =
    process.platform === 'win32'
      ? spawn(`${command} "${path}"`, { shell: true, stdio: 'inherit' })
      : spawn('sh', ['-c', `${command} "$@"`, command, path], { stdio: 'inherit' })
  const [code, signal] = await once(child, 'close')
  process.off('SIGINT', ignore)
  return code ?? signal
}
