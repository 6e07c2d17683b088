/** Removes temporary files and folders if a signal ends the process before they are finished. */

import { removeFolder } from './private-files.ts'

/** Signals that end a process which may still run code. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Each bundle of the command line has a copy of this module; they share the files, and the one listener. */
const sharedKey = Symbol.for('gitwiki: unfinished files')
const everywhere = globalThis as { [sharedKey]?: { readonly unfinished: Set<string>; readonly end: typeof removeAll } }
everywhere[sharedKey] ??= { unfinished: new Set(), end: removeAll }
const { unfinished, end } = everywhere[sharedKey]

/**
 * Removes a file, or a folder with its content, if a signal ends the process before the returned function is called. The process
 * ends by the signal all the same.
 */
export function removeAtSignal(path: string): () => void {
  // Before other listeners: one that listens once is not counted after it was called.
  if (unfinished.size === 0) for (const signal of endings) process.prependListener(signal, end)
  unfinished.add(path)
  return () => {
    unfinished.delete(path)
    if (unfinished.size === 0) ignoreSignals()
  }
}

function ignoreSignals(): void {
  for (const signal of endings) process.off(signal, end)
}

function removeAll(signal: NodeJS.Signals): void {
  // A server finishes its requests first, and a pager or an editor has the terminal.
  if (process.listenerCount(signal) > 1) return
  ignoreSignals()
  for (const path of unfinished) removeIfPossible(path)
  unfinished.clear()
  process.kill(process.pid, signal)
}

/** The process must end, and must remove the other files, even if one cannot be removed. */
function removeIfPossible(path: string): void {
  try {
    removeFolder(path)
  } catch {}
}
