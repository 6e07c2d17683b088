/** Suggests pages after `[[` and templates after `{{`, by the search for titles. */

import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'

/** Suggestions at a time. */
const limit = 10

interface Opening {
  readonly pattern: RegExp
  /** Put before what was typed. */
  readonly namespace: string
  readonly close: string
}

const openings: readonly Opening[] = [
  { pattern: /\[\[[^[\]|{}\n]{1,200}$/, namespace: '', close: ']]' },
  { pattern: /\{\{[^[\]|{}\n#]{1,200}$/, namespace: 'Template:', close: '}}' },
]

interface FoundTitle {
  readonly title: string
  readonly description: string | null
}

/** Suggests titles for what stands before the cursor; null if no link begins. */
export async function suggestTitles(context: CompletionContext): Promise<CompletionResult | null> {
  for (const { pattern, namespace, close } of openings) {
    const found = context.matchBefore(pattern)
    if (found === null) continue
    const typed = found.text.slice(2)
    const titles = await findTitles(namespace + typed.trimStart(), context)
    const options = titles.map(one => option(one, namespace, close))
    return { from: found.from + 2, options, filter: false }
  }
  return null
}

async function findTitles(wanted: string, context: CompletionContext): Promise<readonly FoundTitle[]> {
  const stop = new AbortController()
  context.addEventListener('abort', () => stop.abort())
  try {
    const query = new URLSearchParams({ q: wanted, limit: String(limit) })
    const answer = await fetch(`/v1/search/title?${query}`, { signal: stop.signal })
    const { pages }: { pages: readonly FoundTitle[] } = await answer.json()
    return answer.ok ? pages : []
  } catch {
    return []
  }
}

function option({ title, description }: FoundTitle, namespace: string, close: string): Completion {
  // A template is named without its namespace.
  const label = namespace === '' ? title : title.slice(title.indexOf(':') + 1)
  return {
    label,
    ...(description !== null && { detail: description }),
    apply: (view, _, from, to) => insert(view, { from, to, label, close }),
  }
}

function insert(
  view: EditorView,
  { from, to, label, close }: { from: number; to: number; label: string; close: string },
): void {
  const isClosed = view.state.sliceDoc(to, to + close.length) === close
  const text = isClosed ? label : label + close
  const cursor = from + label.length + close.length
  view.dispatch({ changes: { from, to, insert: text }, selection: { anchor: cursor }, userEvent: 'input.complete' })
}
