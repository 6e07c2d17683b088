/**
 * Filters all output to a terminal. A terminal interprets control characters from any source: a page, a title, a path,
 * git's stderr. Only sequences that this program marks as its own pass; all others are made visible. Results in pipes and files
 * keep their bytes; messages do not, because they are for people: a log of CI shows them on somebody's terminal later.
 */

import { escapeControls, type Form } from '../../core/control-characters.ts'
import type { Paint } from './colour.ts'
import type { Io, Output } from './io.ts'

const escapeCharacter = '\u001b'

/**
 * Follows the escape character of this program's own sequences. It is random in each process, so no text can contain
 * it.
 */
const key = `${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)};`

/** Marks control sequences as the program's own. The text must not contain anything from outside. */
export function ownSequence(text: string): string {
  return text.replaceAll(escapeCharacter, escapeCharacter + key)
}

/** Marks the sequences that styles add; control characters of the styled text are made visible. */
export function ownStyles(paint: Paint): Paint {
  const foreign = new RegExp(`${escapeCharacter}(?!${key})`, 'g')
  const styles = Object.entries(paint).map(([name, style]) => {
    const marked = (text: string) => {
      const harmless = text.replace(foreign, '\u241b').replaceAll(escapeCharacter + key, escapeCharacter)
      return ownSequence(style(harmless))
    }
    return [name, marked]
  })
  return Object.fromEntries(styles) as Paint
}

/** Returns the environment with outputs that pass only text and marked sequences to a terminal. */
export function guardTerminal(io: Io, form: Form): Io {
  // Git's pager shows the piped output of the diff driver on a terminal.
  const isPaged = io.env.GIT_PAGER_IN_USE === 'true' || io.env.GIT_PAGER_IN_USE === '1'
  return {
    stdin: io.stdin,
    env: io.env,
    // Reading it costs a system call.
    get cwd() {
      return io.cwd
    },
    version: () => io.version(),
    stopped: () => io.stopped(),
    stdout: guardOutput(io.stdout, form, isPaged),
    stderr: guardOutput(io.stderr, form, true),
  }
}

/** Guards one output. Bytes are decoded as UTF-8, also across chunks. */
export function guardOutput(output: Output, form: Form, isShown = false): Output {
  const decoder = new TextDecoder()
  let isTerminal: boolean | undefined
  const reachesTerminal = (): boolean => {
    isTerminal ??= isShown || output.isTTY
    return isTerminal
  }
  const clean = (chunk: string | Uint8Array): string => {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    return text
      .split(escapeCharacter + key)
      .map(part => escapeControls(part, form))
      .join(escapeCharacter)
  }
  return {
    get isTTY() {
      return output.isTTY
    },
    get columns() {
      return output.columns
    },
    write: chunk => {
      if (reachesTerminal()) return output.write(clean(chunk))
      return output.write(typeof chunk === 'string' ? chunk.replaceAll(escapeCharacter + key, escapeCharacter) : chunk)
    },
  }
}
