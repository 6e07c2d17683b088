/** Transclusion: finds the named page, and expands its text with its arguments. */

import { parseRedirect } from '../../core/redirect.ts'
import type { Title } from '../../core/title.ts'
import type { Expanding, TemplateSource } from '../expansion/expanding.ts'
import type { Frame } from '../expansion/frame.ts'
import type { SelectNodes } from '../expansion/function.ts'
import { errorText, maxTemplateDepth, overLimit } from '../expansion/limits.ts'
import { readTitle, subpageTitle } from '../expansion/titles.ts'
import { interfaceText } from '../functions/messages.ts'
import type { Part } from '../preprocess/nodes.ts'
import { preprocess } from '../preprocess/preprocess.ts'
import type { SourcePage } from '../wiki-source.ts'
import { calledFrame, isBeingExpanded } from './frame.ts'

/** A request for the text of a page. */
export interface Request {
  /** As the braces name it, expanded, without white space at its ends. */
  readonly name: string
  readonly parts: readonly Part[]
  readonly frame: Frame
  /** Selects a part of the page; all of it unless given. */
  readonly select?: SelectNodes
}

export interface Transcluded {
  readonly text: string
  /** The named page, which may be a redirect. */
  readonly target: Title
}

/** Namespace of names without one. */
export const templateNamespace = 10
const messageNamespace = 8

/** Transcludes a page; undefined if the name is not a valid title. */
export function transclude(context: Expanding, request: Request): Transcluded | undefined {
  const { name, frame } = request
  const target = targetOf(context, name, frame.title)
  if (target === undefined) return undefined
  if (target.namespace < 0) return { text: `[[:${target.text}]]`, target }
  context.properties.templates.set(target.key, target)
  if (frame.depth >= maxTemplateDepth) {
    const text = errorText(`Template recursion depth limit exceeded (${maxTemplateDepth})`)
    return { text: overLimit(context.budget, text), target }
  }
  const text = pageText(context, target, request)
  return text === undefined ? undefined : { text, target }
}

function targetOf({ rules, titles }: Expanding, name: string, from: Title): Title | undefined {
  const isRelative = name.startsWith('/') || name.startsWith('../')
  const subpage = isRelative ? subpageTitle(name, from, rules) : undefined
  if (subpage !== undefined) return subpage
  const cached = titles.get(name)
  if (cached !== undefined) return cached ?? undefined
  const title = readTitle(name, rules, templateNamespace)
  titles.set(name, title ?? null)
  return title
}

/** Transcludes an existing page without arguments. */
export function transcludePage(
  context: Expanding,
  title: Title,
  { frame, select }: { frame: Frame; select?: SelectNodes },
): string | undefined {
  context.properties.templates.set(title.key, title)
  return pageText(context, title, { name: title.key, parts: [], frame, ...(select && { select }) })
}

/** Undefined if the page is missing during a save: the braces stay. */
function pageText(context: Expanding, target: Title, request: Request): string | undefined {
  const page = followRedirect(context, context.sourceCache.page(target))
  // Not known yet: another pass follows, so the result may be cached meanwhile.
  if (page === undefined) return ''
  if (page === null) return missingText(context, target)
  if (isBeingExpanded(request.frame, page.title)) {
    // The error depends on where the loop was entered, so it is not cached.
    return overLimit(context.budget, errorText(`Template loop detected: [[:${page.title.text}]]`))
  }
  const key = cacheKey(context, page, request)
  const cached = key === undefined ? undefined : context.cache.get(key)
  if (cached !== undefined) return cached
  const { disturbances } = context.budget
  const { title, text } = page
  const frame = calledFrame(context, { text, title, parts: request.parts, caller: request.frame })
  const { nodes } = sourceOf(context, page)
  const expanded = context.expand(request.select?.(nodes, frame.text) ?? nodes, frame)
  if (key !== undefined && context.budget.disturbances === disturbances) context.cache.set(key, expanded)
  return expanded
}

function missingText({ purpose }: Expanding, target: Title): string | undefined {
  const message = target.namespace === messageNamespace ? interfaceText(target.name) : undefined
  return purpose === 'save' ? message : (message ?? `[[:${target.text}]]`)
}

/** The page a redirect leads to; a second redirect is not followed. */
function followRedirect(context: Expanding, page: SourcePage | null | undefined): SourcePage | null | undefined {
  const redirect = page ? sourceOf(context, page).redirect : null
  if (redirect === null) return page
  context.properties.templates.set(redirect.key, redirect)
  return context.sourceCache.page(redirect)
}

/** Key under which an expansion is cached: only for arguments of plain text. */
function cacheKey({ purpose }: Expanding, page: SourcePage, { parts, frame, select }: Request): string | undefined {
  if (select !== undefined) return undefined
  const isPlain = parts.every(part => part.children.every(child => child.kind === 'text'))
  if (!isPlain || purpose === 'save') return undefined
  const sources = parts.map(part => frame.text.slice(part.start, part.end))
  return [page.title.key, ...sources].join('|')
}

function sourceOf(context: Expanding, page: SourcePage): TemplateSource {
  const { sources, tags, variants } = context
  const cached = sources.get(page.title.key)
  if (cached !== undefined) return cached
  const { nodes } = preprocess(page.text, { tags, inclusion: 'transcluded', variants })
  const source = { nodes, redirect: redirectOf(context, page) }
  sources.set(page.title.key, source)
  return source
}

function redirectOf({ rules }: Expanding, { model, text }: SourcePage): Title | null {
  const name = model === 'wikitext' ? parseRedirect(text, rules.language) : null
  const target = name === null ? undefined : readTitle(name, rules, 0)
  return target === undefined || target.namespace < 0 ? null : target
}
