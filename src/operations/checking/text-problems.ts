/** Problems of one text: wikitext lint, conflict markers, unclosed brackets, unreadable front matter. */

import { kinds } from '../../checks/kinds.ts'
import { placesIn } from '../../checks/line-column.ts'
import type { Problem, Severity } from '../../checks/problem.ts'
import {
  findConflicts,
  findInvalidBytes,
  findUnclosed,
  readIgnored,
  type TextProblem,
} from '../../checks/text-checks.ts'
import { modelOfPath } from '../../core/content-models.ts'
import type { CheckConfig, WikiConfig } from '../../core/wiki-config.ts'
import type { Lint } from '../../wikitext/index.ts'
import { lintTypes } from '../../wikitext/lint/types.ts'
import { hasUnreadableFrontMatter } from '../../wikitext/models/front-matter.ts'
import { fixOf } from './fixes.ts'
import type { FoundProblem } from './found-problem.ts'

export interface CheckedText {
  readonly path: string
  readonly title: string | null
  readonly text: string
  /** Its bytes; null if they are known to be UTF-8. */
  readonly bytes?: Buffer | null
}

/**
 * Lint problems with priority `none` are advice. They are reported only if `checks` in wiki.json gives them a level.
 */
const lintSeverities: Readonly<Record<string, Severity | 'off'>> = {
  high: 'error',
  medium: 'warning',
  low: 'note',
  none: 'off',
}

/** Returns the level of a kind of problem in this wiki. */
export function levelOf(kind: string, { levels }: CheckConfig): Severity | 'off' {
  const own = Object.hasOwn(levels, kind) ? levels[kind] : undefined
  if (own !== undefined) return own
  if (Object.hasOwn(kinds, kind)) return kinds[kind as keyof typeof kinds].severity
  return lintSeverities[lintTypes[kind as keyof typeof lintTypes]?.priority ?? 'medium'] ?? 'warning'
}

/** Returns true for the name of a kind of problem. */
export function isKind(name: string): boolean {
  return Object.hasOwn(kinds, name) || Object.hasOwn(lintTypes, name)
}

/** Describes a kind of problem. */
export function describeKind(kind: string): { readonly kind: string; readonly says: string; readonly hint: string } {
  const row = Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : lintTypes[kind as keyof typeof lintTypes]
  return { kind, says: row?.says ?? kind, hint: row?.hint ?? '' }
}

export interface TextChecks {
  readonly config: WikiConfig
  /** Lints a wikitext under a title; null for one that is too complex. */
  readonly lint: (source: { readonly text: string; readonly title: string }) => Promise<readonly Lint[] | null>
}

/** Number of characters of the faulty text that identify a problem. */
const identifyingCharacters = 200

/** Finds the problems of a text, by position, without those that the page or the settings ignore. */
export async function textProblems(checks: TextChecks, checked: CheckedText): Promise<Problem[]> {
  const { path, title, text } = checked
  const places = placesIn(text)
  return (await findProblems(checks, checked)).flatMap((found): Problem[] => {
    const { kind, start, end, detail = '', markupEnd = end } = found
    const severity = levelOf(kind, checks.config.checks)
    if (severity === 'off') return []
    const { says, hint } = describeKind(kind)
    const message = detail === '' ? says : `${says} (${detail})`
    const fix = fixOf(text, found)
    return [
      {
        ...{ kind, severity, path, title, message, hint },
        place: places(start, end),
        text: text.slice(start, markupEnd).slice(0, identifyingCharacters),
        ...(fix !== null && {
          fix: { ...fix, was: text.slice(fix.start, fix.end), place: places(fix.start, fix.end) },
        }),
      },
    ]
  })
}

/** Finds the problems of a text of any content model, by position, without those that the page ignores. */
export async function findProblems(checks: TextChecks, checked: CheckedText): Promise<FoundProblem[]> {
  const { path, text, bytes = null } = checked
  const { kinds: ignored, reasonless } = readIgnored(text)
  const invalid = bytes === null ? [] : findInvalidBytes(text, bytes)
  const conflicts = findConflicts(text, conflictModel(path))
  const found: FoundProblem[] = [...reasonless, ...invalid, ...conflicts, ...(await foundInModel(checks, checked))]
  return found.filter(({ kind }) => !ignored.has(kind)).sort((a, b) => a.start - b.start)
}

function conflictModel(path: string): 'wikitext' | 'markdown' | 'other' {
  const model = modelOfPath(path)
  return model === 'wikitext' || model === 'markdown' ? model : 'other'
}

async function foundInModel({ config, lint }: TextChecks, { path, title, text }: CheckedText): Promise<FoundProblem[]> {
  const model = modelOfPath(path)
  if (model === 'markdown') {
    if (!(await hasUnreadableFrontMatter(text))) return []
    return [{ kind: 'bad-front-matter', start: 0, end: text.search(/[\r\n]/) }]
  }
  if (model !== 'wikitext') return []
  const lints = await lint({ text, title: title ?? config.mainPage })
  const unclosed: readonly TextProblem[] = findUnclosed(text)
  return [...unclosed, ...(lints?.map(foundLint) ?? [{ kind: 'unread-page', start: 0, end: 0 }])]
}

function foundLint(lint: Lint): FoundProblem {
  const { type, dsr, params, templateInfo } = lint
  const [start, end, openWidth] = dsr
  const { name, id, items, file, href } = (Array.isArray(params) ? {} : params) as Record<string, unknown>
  const detail = id ?? file ?? href ?? (name === undefined ? undefined : `<${name}>`)
  const list = Array.isArray(items) ? items.join(', ') : detail === undefined ? '' : String(detail)
  const template = templateInfo !== null && 'name' in templateInfo ? `in ${templateInfo.name}` : ''
  const markupEnd = openWidth === null || openWidth === 0 ? end : start + openWidth
  return { kind: type, start, end, markupEnd, detail: [list, template].filter(part => part !== '').join(', '), lint }
}
