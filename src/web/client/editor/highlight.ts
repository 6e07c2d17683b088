/** Highlights a source. The structure is parsed again after a pause in typing, lines as they scroll into view. */

import { type Extension, type Range, StateEffect } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { type Look, lineSpans, markdownStructure, type Span, wikitextStructure } from './spans.ts'

/** Milliseconds without typing before the structure is parsed again. */
const pause = 100
/** Longest text whose structure is parsed, in UTF-16 units. */
const maxLength = 500_000

const structures: Readonly<Record<string, (text: string) => Span[]>> = {
  wikitext: wikitextStructure,
  markdown: markdownStructure,
}

/** Styles within which line markup has no meaning. */
const verbatimLooks: ReadonlySet<string> = new Set(['look-comment', 'look-verbatim'])

const structureRead = StateEffect.define()

/** Returns the extension that highlights the sources of a content model. */
export function highlighting(model: string): Extension {
  return ViewPlugin.define(view => new Highlighter(view, model), {
    provide: plugin => [
      EditorView.decorations.of(view => view.plugin(plugin)?.lines ?? Decoration.none),
      EditorView.decorations.of(view => view.plugin(plugin)?.structure ?? Decoration.none),
    ],
  })
}

class Highlighter {
  structure: DecorationSet = Decoration.none
  lines: DecorationSet = Decoration.none
  readonly #model: string
  #timer = 0

  constructor(view: EditorView, model: string) {
    this.#model = model
    this.#readStructure(view)
    this.#readLines(view)
  }

  update({ view, docChanged, viewportChanged, changes, transactions }: ViewUpdate): void {
    if (docChanged) {
      this.structure = this.structure.map(changes)
      clearTimeout(this.#timer)
      this.#timer = window.setTimeout(() => {
        this.#readStructure(view)
        view.dispatch({ effects: structureRead.of(null) })
      }, pause)
    }
    const isRead = transactions.some(({ effects }) => effects.some(effect => effect.is(structureRead)))
    if (docChanged || viewportChanged || isRead) this.#readLines(view)
  }

  destroy(): void {
    clearTimeout(this.#timer)
  }

  #readStructure({ state }: EditorView): void {
    const read = structures[this.#model]
    const isRead = read !== undefined && state.doc.length <= maxLength
    this.structure = isRead ? decorations(read(state.doc.toString())) : Decoration.none
  }

  #readLines({ state, visibleRanges }: EditorView): void {
    const found: Span[] = []
    for (const { from, to } of visibleRanges)
      for (let at = from; at <= to; ) {
        const line = state.doc.lineAt(at)
        found.push(...lineSpans(line.text, line.from, this.#model))
        at = line.to + 1
      }
    this.lines = decorations(found.filter(span => !this.#isVerbatim(span)))
  }

  #isVerbatim({ from, to }: Span): boolean {
    let isInside = false
    this.structure.between(from, to, (start, end, { spec }) => {
      isInside ||= start <= from && end >= to && verbatimLooks.has(spec.class)
    })
    return isInside
  }
}

const decorationsByLook = new Map<Look, Decoration>()

function decorations(spans: readonly Span[]): DecorationSet {
  const ranges = spans.map(({ from, to, look }): Range<Decoration> => {
    const mark = decorationsByLook.get(look) ?? Decoration.mark({ class: `look-${look}` })
    decorationsByLook.set(look, mark)
    return mark.range(from, to)
  })
  return Decoration.set(ranges, true)
}
