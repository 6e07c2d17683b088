/** `{{...}}`: decides whether it is a magic word, a parser function or a template, and expands it. */

import type { Title } from '../../core/title.ts'
import type { Expanding } from '../expansion/expanding.ts'
import type { Expansion } from '../expansion/expansion.ts'
import type { Frame } from '../expansion/frame.ts'
import type { OwnFunction } from '../expansion/function.ts'
import { errorText, maxRefusals, overLimit, spendSize } from '../expansion/limits.ts'
import { escapeWikitext } from '../expansion/plain.ts'
import { readTitle } from '../expansion/titles.ts'
import { findFunction, findVariable, type KnownNames } from '../functions/registry.ts'
import type { Template } from '../preprocess/nodes.ts'
import { trimArgument } from '../preprocess/trim.ts'
import { functionCall } from './call.ts'
import { readModifiers } from './modifiers.ts'
import { plainBraces } from './plain-braces.ts'
import { templateNamespace, transclude } from './transclude.ts'

/** Result of expanding braces. Extension tags in its text are markers. */
export type Outcome = Omit<Expansion, 'tags'>

/** Block markup that must begin a line at the start of a template's text. Source: MediaWiki T2529. */
const blockStart = /^(?:\{\||[:;#*])/

/**
 * Expands `{{...}}`.
 *
 * Source: MediaWiki Parser::braceSubstitution, help pages on magic words and transclusion.
 */
export function expandTemplate(context: Expanding, node: Template, frame: Frame): Outcome {
  const found = findTemplate(context, node, frame)
  if (found.outcome !== undefined) return found.outcome
  const first = found.first ?? context.expand(node.parts[0].children, frame)
  return plainOutcome(context, { node, frame, first })
}

/** Expands braces. If they are plain text, returns the expanded target, if it was expanded. */
export function findTemplate(context: Expanding, node: Template, frame: Frame): { outcome?: Outcome; first?: string } {
  if (context.budget.refusals > maxRefusals) return { outcome: omitted(context, null) }
  if (isHopeless(context, node, frame)) return {}
  const first = withoutAnnotations(context, context.expand(node.parts[0].children, frame))
  const outcome = resolve(context, { node, frame, first }) ?? unknownFunction(context, { node, frame, first })
  return outcome === undefined ? { first } : { outcome: bounded(context, outcome), first }
}

/**
 * Returns true if the target starts with a character that neither titles nor function names contain, so it need not be
 * expanded.
 */
function isHopeless(context: Expanding, { parts }: Template, { text }: Frame): boolean {
  const child = parts[0].children[0]
  if (child?.kind !== 'text') return false
  return /^[^:\uff1a]*[<>[\]{}]/.test(withoutAnnotations(context, text.slice(child.start, child.end)))
}

function withoutAnnotations({ annotationTags }: Expanding, target: string): string {
  return annotationTags == null || !target.includes('<') ? target : target.replace(annotationTags, '')
}

interface Braces {
  readonly node: Template
  readonly frame: Frame
  /** The target, expanded, with its white space. */
  readonly first: string
}

function resolve(context: Expanding, { node, frame, first }: Braces): Outcome | undefined {
  const { target, substitution, modifier } = readModifiers(trimArgument(first), context.language)
  const isSubstituted = substitution !== undefined
  if (context.purpose === 'save' ? !isSubstituted : substitution === 'subst') return undefined
  if (modifier === undefined) {
    const word = variable(context, node, frame, target) ?? parserFunction(context, node, frame, target)
    if (word !== undefined) return word
  }
  const page = transclude(context, { name: target, parts: node.parts.slice(1), frame })
  if (page === undefined) return undefined
  if (modifier === undefined) return templateOutcome(page.text, page.target)
  // The page records the name as written, as if the modifier belonged to the name.
  const written = readTitle(first.trim(), context.rules, templateNamespace) ?? page.target
  return templateOutcome(modifier === 'msgnw' ? escapeWikitext(page.text) : page.text, written)
}

function templateOutcome(text: string, target: Title): Outcome {
  return { kind: 'template', text, target, function: null }
}

function namesOf({ ownFunctions, language }: Expanding): KnownNames {
  return { own: ownFunctions, language }
}

function variable(context: Expanding, node: Template, frame: Frame, name: string): Outcome | undefined {
  const found = node.parts.length === 1 ? findVariable(name, namesOf(context)) : undefined
  if (found === undefined) return undefined
  const text = found.run(functionCall(context, { name, first: '', parts: [], frame }))
  return text === undefined ? undefined : functionOutcome(text, found)
}

function parserFunction(context: Expanding, node: Template, frame: Frame, target: string): Outcome | undefined {
  const colon = target.search(/[:：]/)
  const name = colon > 0 ? target.slice(0, colon) : ''
  const found = name === '' ? undefined : findFunction(name, namesOf(context))
  if (found === undefined) return undefined
  const call = functionCall(context, { name, first: target.slice(colon + 1), parts: node.parts.slice(1), frame })
  const text = found.run(call)
  return text === undefined ? undefined : functionOutcome(text, found)
}

function functionOutcome(text: string, { key, isVariable }: Partial<OwnFunction> & { key: string }): Outcome {
  return { kind: 'function', text, target: null, function: key, isOwn: isVariable !== undefined }
}

/** Treats an unknown name that begins with `#` as a function whose result is its own source. */
function unknownFunction(context: Expanding, { node, frame, first }: Braces): Outcome | undefined {
  const name = context.purpose === 'show' ? /^\s*[#\uff03]([^:\s]+)/.exec(first)?.[1] : undefined
  if (name === undefined) return undefined
  const text = plainBraces(context, { open: '{{', first, parts: node.parts, frame })
  return functionOutcome(text, { key: name.toLowerCase() })
}

function plainOutcome(context: Expanding, { node, frame, first }: Braces): Outcome {
  const text = plainBraces(context, { open: '{{', first, parts: node.parts, frame })
  return { kind: 'plain', text, target: null, function: null }
}

/** Expands `{{...}}` within other text: block markup is moved to the start of a line. */
export function expandInText(context: Expanding, node: Template, frame: Frame): string {
  const { kind, text } = expandTemplate(context, node, frame)
  return kind !== 'plain' && !node.lineStart && blockStart.test(text) ? `\n${text}` : text
}

/** Drops text beyond the limits. */
function bounded(context: Expanding, outcome: Outcome): Outcome {
  if (spendSize(context.budget, 'included', outcome.text.length)) return outcome
  return omitted(context, outcome.target)
}

function omitted({ budget }: Expanding, target: Title | null): Outcome {
  const name = target === null ? '' : `[[:${target.text}]]`
  const warning = errorText('Template omitted: post-expand include size too large')
  return { kind: 'template', text: overLimit(budget, `${name}${warning}`), target, function: null }
}
