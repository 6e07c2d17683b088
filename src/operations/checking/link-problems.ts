/** Links, pictures and templates of a state that lead nowhere. */

import type { kinds } from '../../checks/kinds.ts'
import { placesIn } from '../../checks/place.ts'
import type { Problem } from '../../checks/problem.ts'
import { readIgnored } from '../../checks/text-checks.ts'
import { modelsByExtension } from '../../core/content-models.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { parseRedirect } from '../../core/redirect.ts'
import { parseTitle } from '../../core/title.ts'
import { joinPath, type Named } from '../../links/index.ts'
import { pathRules } from '../../store/format/paths.ts'
import { kindOfPath } from '../../store/index/ledger.ts'
import type { LinkRange } from '../../wikitext/index.ts'
import { type Holder, type LinkWorld, linkText, linkWorld } from '../linking/link-world.ts'
import { findLinksAside, mayHaveLinks, type Readers } from '../linking/text-links.ts'
import { insideRoot } from '../rendering/link-targets.ts'
import { titleAt } from './file-problems.ts'
import { describeKind, levelOf } from './text-problems.ts'
import type { WikiState } from './wiki-state.ts'

type Kind = keyof typeof kinds

/** Pages and files of a state, and all other paths of the repository. */
interface LinkedState {
  readonly world: LinkWorld
  /** From the root of the wiki. */
  readonly others: ReadonlySet<string>
}

/** Finds the links of pages that lead nowhere in a state. */
export async function linkProblems(readers: Readers, state: WikiState, paths: Iterable<string>): Promise<Problem[]> {
  const linked = await linkedState(readers, state)
  const problems: Problem[] = []
  for (const path of paths) {
    const model = modelOf(path)
    const text = model === null || !state.blobs.has(path) ? null : await state.text(path)
    if (model === null || text === null || !mayHaveLinks(text)) continue
    const found = await findLinksAside(readers, { text, model })
    problems.push(...problemsOf(readers, linked, { path, text, links: found?.links ?? [] }))
  }
  return problems
}

function modelOf(path: string): 'wikitext' | 'markdown' | null {
  const model = modelsByExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
  return model === 'wikitext' || model === 'markdown' ? model : null
}

async function linkedState({ store }: Readers, state: WikiState): Promise<LinkedState> {
  const { root } = store.config
  const rules = pathRules(store.config, store.titles)
  const named = [...state.blobs.keys()].flatMap((path): Named[] => {
    const title = titleAt(path, rules)
    if (title === null || typeof title === 'string') return []
    return [{ kind: kindOfPath(path, root) === 'file' ? 'file' : 'page', key: title.key, path: insideRoot(path, root) }]
  })
  const others = new Set((await state.otherPaths()).flatMap(path => withFolders(insideRoot(path, root))))
  return { world: linkWorld(named, store.config), others }
}

/** A link may lead to a folder. */
function withFolders(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

interface Page {
  readonly path: string
  readonly text: string
  readonly links: readonly LinkRange[]
}

function problemsOf({ store }: Readers, linked: LinkedState, { path, text, links }: Page): Problem[] {
  const title = titleAt(path, pathRules(store.config, store.titles))
  if (title === null || typeof title === 'string') return []
  const holder: Holder = { title: parseTitle(title.key, store.titles), path: insideRoot(path, store.config.root) }
  const { kinds: ignored } = readIgnored(text)
  const places = placesIn(text)
  return links.flatMap((range): Problem[] => {
    const kind = flawOf(linked, text, range, holder)
    const severity = kind === null ? 'off' : levelOf(kind, store.config.checks)
    if (kind === null || severity === 'off' || ignored.has(kind)) return []
    const { says, hint } = describeKind(kind)
    const target = text.slice(range.start, range.end)
    return [
      {
        ...{ kind, severity, path, title: title.text, message: `${says} (${target.slice(0, 200)})`, hint },
        ...{ place: places(range.start, range.end), text: target.slice(0, 200) },
      },
    ]
  })
}

const foreign = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i

/** Returns the kind of problem that a link is; null for one that leads somewhere, or to another site. */
function flawOf({ world, others }: LinkedState, text: string, range: LinkRange, holder: Holder): Kind | null {
  const link = linkText(text, range)
  const isMarkdown = range.form === 'path' || range.form === 'name'
  if (isMarkdown && foreign.test(link.target)) return null
  const led = world.resolve(link, holder)
  if (isMarkdown)
    return led === null && !isOther(others, link.target, holder)
      ? isPicture(range, link.target)
        ? 'missing-file'
        : 'broken-link'
      : null
  // A wikitext link inside another link's text is not a link; redirects have checks of their own.
  if (led === null || world.named(led.key) !== undefined || isRedirect(text, range)) return null
  const read = world.read(link, holder)
  if (read === null || (range.isNesting === true && read.isShown)) return null
  if (range.form === 'template') return 'missing-template'
  if (range.form === 'gallery' || (read.title.namespace === namespaceIds.file && !read.isShown)) return 'missing-file'
  if (range.form === 'function' || !read.isShown) return null
  return isOther(others, read.title.text, holder) ? null : 'red-link'
}

function isRedirect(text: string, { start, textAt }: LinkRange): boolean {
  return textAt === null && parseRedirect(text) !== null && text.lastIndexOf('[[', start) === text.indexOf('[[')
}

function isPicture({ isEmbed }: LinkRange, target: string): boolean {
  return isEmbed === true || /\.(?:apng|avif|bmp|gif|jpe?g|png|svg|tiff?|webp)$/i.test(target.split('#', 1)[0] ?? '')
}

/** A link may lead to a file of the repository that is neither page nor media, such as a licence or a program. */
function isOther(others: ReadonlySet<string>, target: string, { path }: Holder): boolean {
  const written = decode(target.replace(/[#?].*$/s, ''))
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
  return (
    written === '' ||
    others.has(joinPath(written.startsWith('/') ? '' : folder, written)) ||
    others.has(joinPath('', written))
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Finds pages that are the same in two states and may name a page or file that only one of them has. */
export async function affectedPaths(before: WikiState, after: WikiState): Promise<string[]> {
  const gone = [...before.blobs.keys()].filter(path => !after.blobs.has(path))
  const come = [...after.blobs.keys()].filter(path => !before.blobs.has(path))
  const names = [...new Set([...gone, ...come].map(nameOf))]
  if (names.length === 0) return []
  const affected: string[] = []
  for (const [path, blob] of after.blobs) {
    if (modelOf(path) === null || blob === null || before.blobs.get(path) !== blob) continue
    const text = folded((await after.text(path)) ?? '')
    if (names.some(name => text.includes(name))) affected.push(path)
  }
  return affected
}

/** Last part of a path without its ending, as links may write it. */
function nameOf(path: string): string {
  return folded(path.slice(path.lastIndexOf('/') + 1).replace(/\.[^.]+$/, ''))
}

function folded(text: string): string {
  const plain = text.includes('%') ? text.replace(/(?:%[0-9A-Fa-f]{2})+/g, decode) : text
  return plain
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_-]+/g, '-')
}
