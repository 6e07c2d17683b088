/** Rewrites the links of one page so that each keeps its target when pages are renamed. */

import { spellsPath } from '../../links/resolve.ts'
import { type FoundLinks, type LinkRange, writtenTarget } from '../../wikitext/index.ts'
import { mayHaveLinks } from '../linking/text-links.ts'
import {
  type LinkDestination,
  type LinkingPage,
  type LinkResolver,
  type LinkText,
  linkText,
} from '../naming/link-resolver.ts'
import type { Pause } from '../workers/pause.ts'
import { newTargets, quotedTarget } from './new-target.ts'

/** The current wiki, and the future one. */
export interface Renaming {
  readonly before: LinkResolver
  readonly after: LinkResolver
  /** New key by old key, for each moved page. */
  readonly keys: ReadonlyMap<string, string>
  /** If true, links that show the old title will show the new one. */
  readonly retitles: boolean
  /** Finds the links of a text; null if it is too large. */
  readonly findLinks: (page: Pick<LinkPage, 'text' | 'model'>) => Promise<FoundLinks | null>
  /** Awaited between two links. */
  readonly pause: Pause
}

/** Maximum number of links that are listed for one page. */
const maxListed = 200

/** A page before and after. */
export interface LinkPage {
  readonly text: string
  readonly model: 'wikitext' | 'markdown'
  readonly before: LinkingPage
  readonly after: LinkingPage
}

export interface RewrittenPage {
  readonly text: string
  /** Number of links with a new target. */
  readonly count: number
  /** Links, as written, that will lead elsewhere because no replacement keeps their target. */
  readonly lost: readonly string[]
  /** Links, as written, whose target contains template arguments. */
  readonly computed: readonly string[]
}

/** A range of the text and its replacement. */
interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Rewrites a page's links; everything outside their targets stays byte for byte. Returns null for a page too large to read. */
export async function rewriteLinks(page: LinkPage, renaming: Renaming): Promise<RewrittenPage | null> {
  const found = mayHaveLinks(page.text) ? await renaming.findLinks(page) : { links: [], computed: [] }
  if (found === null) return null
  const edits: Edit[] = []
  const lost: LinkRange[] = []
  let count = 0
  for (const range of found.links) {
    await renaming.pause()
    const own = rewriteLink(page, range, renaming)
    if (own === 'lost') lost.push(range)
    else if (own.length > 0) {
      edits.push(...own)
      count++
    }
  }
  const sourceOf = ({ start, end }: { start: number; end: number }) => page.text.slice(start, end)
  return {
    text: applyEdits(page.text, edits),
    count,
    lost: lost.slice(0, maxListed).map(sourceOf),
    computed: found.computed.slice(0, maxListed).map(sourceOf),
  }
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let at = 0
  // An insertion before a range precedes the replacement of that range.
  for (const edit of [...edits].sort((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return result + text.slice(at)
}

/** Returns true for a link that has to change, if it is one: those inside another link's text are none. */
export function isAffected(link: LinkText, page: Omit<LinkPage, 'text'>, renaming: Renaming): boolean {
  const destination = renaming.before.resolve(link, page.before)
  if (destination === null) return false
  const key = renaming.keys.get(destination.key) ?? destination.key
  return !keepsTarget({ page, link, destination, key }, renaming)
}

function rewriteLink(page: LinkPage, range: LinkRange, renaming: Renaming): readonly Edit[] | 'lost' {
  const { before, keys } = renaming
  const link = linkText(page.text, range)
  const destination = before.resolve(link, page.before)
  if (destination === null || (range.isNesting === true && before.read(link, page.before)?.isShown)) return []
  const key = keys.get(destination.key) ?? destination.key
  if (keepsTarget({ page, link, destination, key }, renaming)) return []
  const part = destination.isSecond && range.second !== null ? range.second : range
  const target = findTarget({ page, range, link, destination, key, part }, renaming)
  if (target === null) return 'lost'
  return [
    { start: part.start, end: part.end, text: target },
    ...textEdits({ page, range, link, destination, key, part }, renaming),
  ]
}

function leadsTo(key: string, destination: LinkDestination | null, { isSecond }: LinkDestination): boolean {
  return destination?.key === key && destination.isSecond === isSecond
}

/**
 * Returns true for a link that needs no new target. One that every program reads, because it spells the path or the name of its file, has to
 * spell it afterwards, too: this wiki would also find a file from the root, or in another case.
 */
function keepsTarget(
  {
    page,
    link,
    destination,
    key,
  }: Pick<Subject, 'link' | 'destination' | 'key'> & {
    readonly page: Omit<LinkPage, 'text'>
  },
  { before, after }: Renaming,
): boolean {
  const found = after.resolve(link, page.after)
  if (found === null || !leadsTo(key, found, destination)) return false
  if (destination.isTitle) return found.isTitle
  const written = destination.isSecond ? (link.second ?? '') : link.target
  const isShared = ({ isSharedName, named }: LinkResolver, of: string) => isSharedName(written, named(of)?.path ?? '')
  // Programs differ in what they take a name for that another page has now, too.
  if (link.form === 'name' && !isShared(before, destination.key) && isShared(after, key)) return false
  const spells = (path: string | undefined, from: LinkingPage) =>
    path !== undefined && spellsPath({ written, form: link.form, from: from.path }, path)
  return !spells(before.named(destination.key)?.path, page.before) || spells(after.named(key)?.path, page.after)
}

interface Subject {
  readonly page: LinkPage
  readonly range: LinkRange
  readonly link: LinkText
  /** The page or file that it led to. */
  readonly destination: LinkDestination
  /** Its key after the move. */
  readonly key: string
  /** The part of the link that is its target. */
  readonly part: { readonly start: number; readonly end: number }
}

/** Characters that end a link of a form. */
const forbidden: Readonly<Record<LinkRange['form'], RegExp>> = {
  link: /[[\]{}|<>\n]/,
  template: /[[\]{}|<>\n]/,
  function: /[[\]{}|<>\n]/,
  gallery: /[[\]{}|<>\n]/,
  path: /[\n]/,
  name: /[[\]|\n]/,
}

/** Finds a target that leads to the same page as before; null if there is none. */
function findTarget(
  { page, range, link, destination, key, part }: Subject,
  { before, after }: Renaming,
): string | null {
  const read = range.form === 'path' || range.form === 'name' ? null : before.read(link, page.before)
  const written = writtenPart(page, range, part)
  const targets = newTargets({
    range,
    written,
    isTitle: destination.isTitle,
    isShown: read?.isShown ?? true,
    isByName:
      !fileOf(written).includes('/') &&
      folderOf(before.named(destination.key)?.path ?? '') !== folderOf(page.before.path),
    folder: folderOf(page.after.path),
    isSpaced: isSpaced(before, destination.key, written),
    wanted: { title: after.titleOf(key), path: after.named(key)?.path ?? null },
  })
  const right = targets.flatMap(target => {
    if (forbidden[range.form].test(target)) return []
    const rewritten = { ...link, [destination.isSecond ? 'second' : 'target']: target }
    // A category link must not become a visible link, or the reverse.
    if (read !== null && after.read(rewritten, page.after)?.isShown !== read.isShown) return []
    const found = after.resolve(rewritten, page.after)
    const source = quotedTarget(target, range)
    if (source === null || !leadsTo(key, found, destination)) return []
    const isShared = range.form === 'name' && after.isSharedName(target, after.named(key)?.path ?? '')
    return [{ target: source, isAmbiguous: isShared || found?.isAmbiguous === true }]
  })
  // If several pages have the name, a later page may become the target.
  return (right.find(({ isAmbiguous }) => !isAmbiguous) ?? right[0])?.target ?? null
}

/** The target as in the source, but without the escapes of front matter. */
function writtenPart({ text }: LinkPage, range: LinkRange, part: Subject['part']): string {
  return range.form === 'name' ? writtenTarget(text, { ...range, ...part }) : text.slice(part.start, part.end)
}

/** True for a name with spaces where the file's name has dashes. */
function isSpaced(before: LinkResolver, key: string, written: string): boolean {
  const path = before.named(key)?.path
  const name = fileOf(written).trim()
  const spells = path !== undefined && spellsPath({ written: name, form: 'name', from: '' }, path)
  return name.includes(' ') && !spells && before.spacesAreDashes()
}

/** A heading may contain a slash. */
function fileOf(target: string): string {
  return target.split('#', 1)[0] as string
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** A link that shows its target continues to show the same text. */
function textEdits(subject: Subject, renaming: Renaming): Edit[] {
  const { range, page, link, destination } = subject
  if (range.textAt === null) return []
  const start = page.text.lastIndexOf('[[', range.start) + 2
  const whole = { ...link, target: page.text.slice(start, range.textAt) }
  const shown = range.form === 'name' ? nameShown(subject, renaming) : shownIn(renaming.before.read(whole, page.before))
  if (shown === null || (renaming.retitles && foldTitle(shown) === foldTitle(destination.key))) return []
  const bar = range.isInTable ? '\\|' : '|'
  if (range.form === 'name' && renaming.after.isTextFirst)
    return [{ start: range.start, end: range.start, text: `${shown}${bar}` }]
  return [{ start: range.textAt, end: range.textAt, text: `${bar}${shown}` }]
}

/** A picture or transcluded page has no text. */
function nameShown({ link, key, range }: Subject, { after }: Renaming): string | null {
  return range.isEmbed || after.named(key)?.kind === 'file' ? null : link.target
}

function shownIn(read: ReturnType<LinkResolver['read']>): string | null {
  return read?.isShown ? escapeText(read.shown) : null
}

function escapeText(text: string): string {
  return text.replace(/[&<>[\]{}|]/g, sign => `&#${sign.charCodeAt(0)};`)
}

/** Normalized texts, equal if both name the same title by MediaWiki's usual rules. */
function foldTitle(text: string): string {
  return text.replaceAll('_', ' ').trim().toLowerCase()
}
