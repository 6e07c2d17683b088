/** Suggests pages, templates and their parameters, files and notes during typing. */

import type { Completion, CompletionContext, CompletionResult, CompletionSource } from '@codemirror/autocomplete'
import type { EditorView } from '@codemirror/view'
import { api, urlPrefix } from '../server/api.ts'
import type { EditFormData } from '../writing/edit-form.ts'
import { notesIn, type Opening, openingAt, reach } from './cursor-context.ts'

/** Maximum number of suggestions. */
const limit = 10

/** A suggestion: the text to insert, and the text that closes it. */
interface Suggested {
  readonly label: string
  readonly detail?: string
  readonly info?: string
  readonly close: string
}

type Suggester = (opening: Opening, context: CompletionContext, data: EditFormData) => Promise<readonly Suggested[]>

const suggesters: Readonly<Record<Opening['kind'], Suggester>> = {
  page: async ({ typed }, context) => (await titles(typed.trimStart(), context)).map(one => ({ ...one, close: ']]' })),
  template: async ({ typed }, context, { namespaces }) =>
    (await titles(`${namespaces.template}:${typed.trimStart()}`, context)).map(({ label, ...one }) => ({
      ...one,
      // A template is called without its namespace.
      label: label.slice(label.indexOf(':') + 1),
      close: '}}',
    })),
  parameter: parameters,
  file: async ({ typed }, context) => (await files(typed, context)).map(({ title }) => ({ label: title, close: ']]' })),
  picture: async ({ typed }, context) =>
    (await files(typed.slice(typed.lastIndexOf('/') + 1), context)).map(({ title, path }) => ({
      label: encodeURI(path),
      detail: title,
      close: ')',
    })),
  note: async (_, { state }) => notesIn(state.doc.toString()).map(label => ({ label, close: '" />' })),
}

/** Returns the source of suggestions of a form. */
export function suggestions(data: EditFormData): CompletionSource {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const { state, pos } = context
    const opening = openingAt(state.sliceDoc(Math.max(0, pos - reach), pos), data.model, data.namespaces.file)
    if (opening === null) return null
    const found = await suggesters[opening.kind](opening, context, data)
    // Results of a search are already filtered; the other lists are complete.
    const filter = opening.kind === 'parameter' || opening.kind === 'note'
    return { from: pos - opening.typed.length, options: found.map(option), filter }
  }
}

async function parameters({ template = '', used = [] }: Opening, context: CompletionContext, data: EditFormData) {
  const title = template.includes(':') ? template : `${data.namespaces.template}:${template}`
  const response = await fetchJson<{ parameters: readonly Parameter[] }>(
    `${urlPrefix}/wiki/${pathOf(title)}?action=parameters`,
    context,
  )
  return (response?.parameters ?? [])
    .filter(({ name }) => !used.includes(name))
    .map(({ name, label, description, status }) => ({
      label: name,
      detail: status === 'optional' ? label : `${label} (${status})`.trimStart(),
      ...(description !== '' && { info: description }),
      close: '=',
    }))
}

interface Parameter {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly status: string
}

async function titles(wanted: string, context: CompletionContext): Promise<{ label: string; detail?: string }[]> {
  const query = { q: wanted, limit, match: 'words' } as const
  const found = await orNothing(context, signal => api.get('/search/title', { query, signal }))
  return (found?.body.pages ?? []).map(({ title, description }) => ({
    label: title,
    ...(description !== null && { detail: description }),
  }))
}

async function files(typed: string, context: CompletionContext): Promise<{ title: string; path: string }[]> {
  const query = new URLSearchParams({ search: typed })
  const response = await fetchJson<{ files: { title: string; path: string }[] }>(
    `${urlPrefix}/wiki/Special:FileNames?${query}`,
    context,
  )
  return response?.files ?? []
}

function pathOf(title: string): string {
  return encodeURIComponent(title.replaceAll(' ', '_')).replaceAll('%2F', '/').replaceAll('%3A', ':')
}

/** Requests data that only the pages' server has; null as for `orNothing`. */
function fetchJson<Result>(address: string, context: CompletionContext): Promise<Result | null> {
  return orNothing(context, async signal => {
    const response = await fetch(address, { signal })
    return response.ok ? await response.json() : null
  })
}

/** Sends a request; null if the server does not respond, or the suggestion is no longer needed. */
async function orNothing<Result>(
  context: CompletionContext,
  ask: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  const stop = new AbortController()
  context.addEventListener('abort', () => stop.abort())
  try {
    return await ask(stop.signal)
  } catch {
    return null
  }
}

function option({ close, ...shown }: Suggested): Completion {
  return { ...shown, apply: (view, _, from, to) => insert(view, { from, to, label: shown.label, close }) }
}

function insert(
  view: EditorView,
  { from, to, label, close }: { from: number; to: number; label: string; close: string },
): void {
  // The editor inserts closing brackets and quotes automatically, so they may exist already.
  const behind = view.state.sliceDoc(to, to + close.length)
  const there = [close, close.slice(0, 1)].find(text => text !== '=' && text !== '' && behind.startsWith(text)) ?? ''
  view.dispatch({
    changes: { from, to: to + there.length, insert: label + close },
    selection: { anchor: from + label.length + close.length },
    userEvent: 'input.complete',
  })
}
