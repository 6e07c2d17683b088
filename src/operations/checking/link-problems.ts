/** Links, images, templates and sections of a state that lead nowhere, or to several targets. */

import type { kinds } from '../../checks/kinds.ts'
import { placesIn } from '../../checks/line-column.ts'
import type { Fix, Problem } from '../../checks/problem.ts'
import { readIgnored } from '../../checks/text-checks.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseRedirect } from '../../core/redirect.ts'
import type { CheckConfig } from '../../core/wiki-config.ts'
import { hasExpression, readExpression } from '../../links/expression.ts'
import { hasPictureExtension, isAddress } from '../../links/names.ts'
import type { LinkRange } from '../../wikitext/index.ts'
import type { Readers } from '../linking/text-links.ts'
import { type LinkDestination, type LinkingPage, type LinkResolver, linkText } from '../naming/link-resolver.ts'
import { idsMeant, idsOfHtml, idsWritten } from './anchors.ts'
import { wrongCase } from './letter-case.ts'
import { type LinkedPage, type LinkedState, linkingModel } from './page-links.ts'
import { describeKind, levelOf } from './text-problems.ts'

type Kind = keyof typeof kinds

/** Renders a text as the page of a title; null if that takes too long. */
export type RenderHtml = (page: {
  readonly text: string
  readonly model: 'wikitext' | 'markdown'
  readonly title: string
}) => Promise<string | null>

export interface LinkChecks {
  readonly readers: Readers
  readonly checks: CheckConfig
  readonly linked: LinkedState
  readonly render: RenderHtml
}

interface Fault {
  readonly kind: Kind
  readonly fix?: string
}

/** Finds links of pages that lead nowhere in a state. */
export async function linkProblems(checks: LinkChecks, paths: Iterable<string>): Promise<Problem[]> {
  const problems: Problem[][] = []
  const sections = new Sections(checks)
  for (const path of paths) {
    const page = await checks.linked.read(path)
    if (page?.links === null) problems.push(unread(checks, page))
    else if (page !== null && page.links.length > 0) problems.push(await problemsOf(checks, page, sections))
  }
  return problems.flat()
}

function unread({ checks }: LinkChecks, { path, title, text }: LinkedPage): Problem[] {
  const kind = 'unread-links'
  const severity = levelOf(kind, checks)
  if (severity === 'off' || readIgnored(text).kinds.has(kind)) return []
  const { says, hint } = describeKind(kind)
  return [{ kind, severity, path, title, message: says, hint, place: null, text: '' }]
}

async function problemsOf({ checks, linked }: LinkChecks, page: LinkedPage, sections: Sections): Promise<Problem[]> {
  const { kinds: ignored } = readIgnored(page.text)
  const places = placesIn(page.text)
  const problems: Problem[] = []
  for (const range of page.links ?? []) {
    const fault = faultOf(linked, page, range) ?? (await sections.faultOf(page, range))
    const severity = fault === null ? 'off' : levelOf(fault.kind, checks)
    if (fault === null || severity === 'off' || ignored.has(fault.kind)) continue
    const { says, hint } = describeKind(fault.kind)
    const target = page.text.slice(range.start, range.end).slice(0, 200)
    const place = places(range.start, range.end)
    const fix: Fix | undefined =
      fault.fix === undefined ? undefined : fixAt(page.text, range, { text: fault.fix, place })
    problems.push({
      ...{ kind: fault.kind, severity, path: page.path, title: page.title, message: `${says} (${target})`, hint },
      ...{ place, text: target, ...(fix !== undefined && { fix }) },
    })
  }
  return problems
}

function fixAt(text: string, { start, end }: LinkRange, fix: Pick<Fix, 'text' | 'place'>): Fix {
  return { start, end, was: text.slice(start, end), ...fix }
}

/** Returns the problem with a link's target; null for one that leads to a single page or file, or to another site. */
function faultOf({ resolver }: LinkedState, { text, linkingPage }: LinkedPage, range: LinkRange): Fault | null {
  const link = linkText(text, range)
  if (isMarkdown(range)) {
    if (isAddress(link.target) || isAddress(link.second ?? '') || isComputed(range, link.target)) return null
    const destination = resolver.resolve(link, linkingPage)
    if (destination !== null)
      return destination.isAmbiguous
        ? { kind: 'ambiguous-link' }
        : caseFault(resolver, { text, linkingPage, destination }, range)
    if (namesOwnPage(range, link.target)) return null
    return { kind: isPicture(range, link.target) ? 'missing-file' : 'broken-link' }
  }
  const destination = resolver.resolve(link, linkingPage)
  if (destination?.isAmbiguous) return { kind: 'ambiguous-link' }
  // In wikitext a link inside another one's text is not a link. Redirects have checks of their own.
  if (destination === null || resolver.named(destination.key) !== undefined || isRedirect(text, range)) return null
  const read = resolver.read(link, linkingPage)
  if (read === null || (range.isNesting === true && read.isShown)) return null
  if (range.form === 'template') return { kind: 'missing-template' }
  if (range.form === 'gallery' || (read.title.namespace === namespaceIds.file && !read.isShown))
    return { kind: 'missing-file' }
  if (range.form === 'function' || !read.isShown) return null
  return { kind: 'red-link' }
}

interface LeadingLink {
  readonly text: string
  readonly linkingPage: LinkingPage
  readonly destination: LinkDestination
}

/** A link that works here, and not where file names are case-sensitive. */
function caseFault(
  resolver: LinkResolver,
  { text, linkingPage, destination }: LeadingLink,
  range: LinkRange,
): Fault | null {
  const file = resolver.named(destination.key)?.path
  if (range.form !== 'path' || file === undefined) return null
  const written = { source: text.slice(range.start, range.end), target: linkText(text, range).target }
  const found = wrongCase(written, linkingPage.path, file)
  return found === null ? null : { kind: 'wrong-case', ...(found.corrected !== null && { fix: found.corrected }) }
}

/** Only the program of the site knows what some expressions give. */
function isComputed({ form }: LinkRange, target: string): boolean {
  return form === 'path' && hasExpression(target) && readExpression(target) === null
}

function isMarkdown({ form }: LinkRange): boolean {
  return form === 'path' || form === 'name'
}

function isRedirect(text: string, { start, textAt }: LinkRange): boolean {
  return textAt === null && parseRedirect(text, '*') !== null && text.lastIndexOf('[[', start) === text.indexOf('[[')
}

function isPicture({ isEmbed }: LinkRange, target: string): boolean {
  return isEmbed === true || hasPictureExtension(target.split('#', 1)[0] ?? '')
}

/** A link without a path stays on its page. A title may begin with a question mark. */
function namesOwnPage({ form }: LinkRange, target: string): boolean {
  return (form === 'path' ? /^\s*(?:[#?]|$)/ : /^\s*(?:#|$)/).test(target)
}

/** Sections in links. A page is rendered only if its source does not prove that it has the section, and only once. */
class Sections {
  readonly #checks: LinkChecks
  readonly #written = new Map<string, ReadonlySet<string> | null>()
  readonly #rendered = new Map<string, ReadonlySet<string> | null>()

  constructor(checks: LinkChecks) {
    this.#checks = checks
  }

  /** Returns `broken-anchor` if the target page of a link lacks the section. */
  async faultOf(page: LinkedPage, range: LinkRange): Promise<Fault | null> {
    const link = linkText(page.text, range)
    const [target, fragment] = this.#target(page, range, link.target)
    const meant = target === null ? null : idsMeant(fragment)
    if (target === null || meant === null) return null
    const has = (ids: ReadonlySet<string> | null): boolean => ids === null || meant.some(id => ids.has(id))
    if (has(await this.#idsWritten(target)) || has(await this.#idsRendered(target))) return null
    return { kind: 'broken-anchor' }
  }

  /** Path of the page whose section a link names, and the section's name; null if it names none. */
  #target({ path, text, linkingPage }: LinkedPage, range: LinkRange, written: string): [string | null, string] {
    const { resolver, pathOf } = this.#checks.linked
    const isText = range.form === 'link' || isMarkdown(range)
    const at = written.indexOf('#')
    if (!isText || at === -1 || range.isNesting === true || /[{<]/.test(written)) return [null, '']
    const fragment = written.slice(at + 1)
    if (written.slice(0, at).trim() === '') return [path, fragment]
    if (isMarkdown(range) && isAddress(written)) return [null, '']
    const destination = resolver.resolve(linkText(text, range), linkingPage)
    if (destination === null || destination.isSecond || resolver.named(destination.key)?.kind !== 'page')
      return [null, '']
    return [pathOf(destination.key) ?? null, fragment]
  }

  async #idsWritten(path: string): Promise<ReadonlySet<string> | null> {
    const cached = this.#written.get(path)
    if (cached !== undefined) return cached
    const text = linkingModel(path) === null ? null : await this.#checks.linked.state.text(path)
    // A redirect has no sections of its own, so those of its target count.
    const ids =
      text === null || parseRedirect(text, this.#checks.readers.store.titles.language) !== null
        ? null
        : idsWritten(text)
    this.#written.set(path, ids)
    return ids
  }

  async #idsRendered(path: string): Promise<ReadonlySet<string> | null> {
    const cached = this.#rendered.get(path)
    if (cached !== undefined) return cached
    const { linked, render } = this.#checks
    const page = await linked.read(path)
    const model = linkingModel(path)
    const html =
      page === null || model === null
        ? null
        : await render({ text: page.text, model, title: page.linkingPage.title.text })
    const ids = html === null ? null : idsOfHtml(html)
    this.#rendered.set(path, ids)
    return ids
  }
}
