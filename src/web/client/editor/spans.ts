/** Styled ranges of a source: constructs found by the preprocessor, and markup within single lines. */

import type { PreNode, Template } from '../../../wikitext/preprocess/nodes.ts'
import { preprocess } from '../../../wikitext/preprocess/preprocess.ts'

/** Styles of ranges. Each is a class in the editor's style sheet. */
export type Look =
  | 'heading'
  | 'bold'
  | 'italic'
  | 'link'
  | 'sign'
  | 'template'
  | 'name'
  | 'argument'
  | 'tag'
  | 'comment'
  | 'verbatim'
  | 'word'

/** A range of the text, UTF-16 units, end exclusive. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly look: Look
}

/** Extension tags whose content is not parsed as wikitext. */
const verbatimTags = ['nowiki', 'pre', 'math', 'syntaxhighlight', 'source', 'templatedata']
const tags = new Set([
  ...verbatimTags,
  'ref',
  'references',
  'gallery',
  'poem',
  'indicator',
  'section',
  'templatestyles',
])

/** Longest line that is searched, in UTF-16 units. */
const longestLine = 5000

/**
 * Returns the constructs that the server's own preprocessor finds in wikitext: templates, arguments, comments and tags,
 * at any depth.
 */
export function wikitextStructure(text: string): Span[] {
  const found: Span[] = []
  const waiting: PreNode[] = [...preprocess(text, { tags, inclusion: 'page' }).nodes]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node.kind === 'text') continue
    if (node.kind === 'comment') found.push({ from: node.start, to: node.end, look: 'comment' })
    else if (node.kind === 'inclusion') found.push({ from: node.start, to: node.end, look: 'tag' })
    else if (node.kind === 'extension') found.push(...tagSpans(node))
    else {
      found.push(...braceSpans(node))
      for (const part of node.parts) for (const child of part.children) waiting.push(child)
    }
  }
  return found.filter(({ from, to }) => from < to)
}

function tagSpans({ start, end, name, body, closeWidth }: Extract<PreNode, { kind: 'extension' }>): Span[] {
  if (body === null) return [{ from: start, to: end, look: 'tag' }]
  const inside: Span[] = verbatimTags.includes(name) ? [{ from: body.start, to: body.end, look: 'verbatim' }] : []
  return [{ from: start, to: body.start, look: 'tag' }, ...inside, { from: end - closeWidth, to: end, look: 'tag' }]
}

function braceSpans({ kind, start, end, parts }: Pick<Template, 'start' | 'end' | 'parts'> & { kind: string }): Span[] {
  const width = kind === 'argument' ? 3 : 2
  const look = kind === 'argument' ? 'argument' : 'template'
  const [target, ...others] = parts
  return [
    { from: start, to: start + width, look },
    { from: target.start, to: target.end, look },
    { from: end - width, to: end, look },
    ...others.flatMap((part): Span[] => [
      { from: part.start - 1, to: part.start, look },
      ...(part.equals < 0 ? [] : [{ from: part.start, to: part.equals, look: 'name' as const }]),
    ]),
  ]
}

/** Returns the fenced blocks and comments of Markdown. */
export function markdownStructure(text: string): Span[] {
  const found: Span[] = []
  let fence: { readonly sign: string; readonly from: number } | null = null
  let at = 0
  for (const line of text.split('\n')) {
    const sign = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === null && sign !== undefined) fence = { sign, from: at }
    else if (fence !== null && sign?.startsWith(fence.sign)) {
      found.push({ from: fence.from, to: at + line.length, look: 'verbatim' })
      fence = null
    }
    at += line.length + 1
  }
  return fence === null ? found : [...found, { from: fence.from, to: text.length, look: 'verbatim' }]
}

/**
 * Rule for lines: a line that starts with the pattern gets this style, either as far as the match goes or as a whole.
 */
type LineRule = readonly [pattern: RegExp, look: Look, isWhole: boolean]

/** Markup within a line: one pattern for all kinds, and the style of each of its groups. */
interface Signs {
  readonly pattern: RegExp
  readonly looks: readonly (Look | 'emphasis')[]
}

function oneOf(...rules: readonly (readonly [RegExp, Look | 'emphasis'])[]): Signs {
  const pattern = new RegExp(rules.map(([{ source }]) => `(${source})`).join('|'), 'gi')
  return { pattern, looks: rules.map(([, look]) => look) }
}

interface Grammar {
  readonly lines: readonly LineRule[]
  readonly signs: Signs
  readonly emphasis: (sign: string) => readonly Look[]
  /** True if unclosed emphasis extends to the end of the line. */
  readonly isOpenEnded: boolean
}

const wikitext: Grammar = {
  lines: [
    [/^={1,6}[^=]/, 'heading', true],
    [/^(?:[*#:;]+|----+)/, 'sign', false],
    [/^[ \t]*(?:\{\||\|[-}+]?|!)/, 'sign', false],
  ],
  signs: oneOf(
    [/'{2,5}/, 'emphasis'],
    [/\[\[[^[\]|\n]*|\]\]/, 'link'],
    [/\[(?:https?:|mailto:)?\/\/[^\s\]]*/, 'link'],
    [/https?:\/\/[^\s<>[\]|{}"]+/, 'link'],
    [/<\/?[a-z][^<>\n]*>/, 'tag'],
    [/&#?[a-z0-9]+;/, 'word'],
    [/__[A-Z]+__|~{3,5}/, 'word'],
  ),
  isOpenEnded: true,
  emphasis: sign => (sign.length === 2 ? ['italic'] : sign.length === 5 ? ['bold', 'italic'] : ['bold']),
}

const markdown: Grammar = {
  lines: [
    [/^#{1,6}\s/, 'heading', true],
    [/^\s*(?:[-*+]|\d{1,9}[.)])\s/, 'sign', false],
    [/^\s*>/, 'sign', false],
  ],
  signs: oneOf(
    [/`[^`\n]+`/, 'verbatim'],
    [/\*{1,3}/, 'emphasis'],
    [/\[\[[^[\]|\n]*|\]\]/, 'link'],
    [/\]\([^()\s]*\)/, 'link'],
    [/https?:\/\/[^\s<>[\]|{}"]+/, 'link'],
    [/<\/?[a-z][^<>\n]*>/, 'tag'],
    [/&#?[a-z0-9]+;/, 'word'],
  ),
  isOpenEnded: false,
  emphasis: sign => (sign.length === 1 ? ['italic'] : sign.length === 3 ? ['bold', 'italic'] : ['bold']),
}

const grammars: Readonly<Record<string, Grammar>> = { wikitext, markdown }

/** Returns the styled ranges of one line. `start` is the line's offset in the text. */
export function lineSpans(line: string, start: number, model: string): Span[] {
  const grammar = Object.hasOwn(grammars, model) ? grammars[model] : undefined
  if (grammar === undefined || line.length > longestLine) return []
  const found = [...beginning(line, grammar), ...signsIn(line, grammar)]
  return found.map(({ from, to, look }) => ({ from: start + from, to: start + to, look }))
}

function beginning(line: string, { lines }: Grammar): Span[] {
  const rule = lines.find(([pattern]) => pattern.test(line))
  if (rule === undefined) return []
  const [pattern, look, isWhole] = rule
  return [{ from: 0, to: isWhole ? line.length : pattern.exec(line)![0].length, look }]
}

function signsIn(line: string, { signs, emphasis, isOpenEnded }: Grammar): Span[] {
  const found: Span[] = []
  const open = new Map<Look, number>()
  const turn = (look: Look, from: number, to: number): void => {
    const begun = open.get(look)
    if (begun === undefined) open.set(look, from)
    else {
      found.push({ from: begun, to, look })
      open.delete(look)
    }
  }
  for (const match of line.matchAll(signs.pattern)) {
    const [sign, ...groups] = match
    const [index, end] = [match.index, match.index + sign.length]
    const name = signs.looks[groups.findIndex(group => group !== undefined)]!
    if (name === 'emphasis') for (const look of emphasis(sign)) turn(look, index, end)
    else found.push({ from: index, to: end, look: name })
  }
  if (isOpenEnded) for (const [look, from] of open) found.push({ from, to: line.length, look })
  return found
}
