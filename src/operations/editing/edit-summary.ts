/** Edit summaries: normalises a given one, and generates one if none is given. */

import type { ContentModel } from '../../core/content-models.ts'
import { parseRedirect } from '../../core/redirect.ts'
import { sourceOfFile } from '../resources/source.ts'

/** Maximum length of a comment, in code points. Source: MediaWiki CommentStore::COMMENT_CHARACTER_LIMIT. */
const maxLength = 500

/** Input of an edit's summary: texts of the file, `before` null for a new page. */
export interface EditedText {
  readonly before: string | null
  readonly after: string
  readonly model: ContentModel
  /** Language of the wiki's content. */
  readonly language: string
}

interface Sides {
  readonly isNew: boolean
  readonly source: string
  /** Target titles of redirects; null for other pages. */
  readonly oldTarget: string | null
  readonly newTarget: string | null
}

/**
 * Rules of automatic summaries. The first that returns a text wins. Source: MediaWiki ContentHandler::getAutosummary.
 */
const automatic: readonly ((sides: Sides) => string | false)[] = [
  ({ oldTarget, newTarget }) =>
    oldTarget !== null && newTarget !== null && oldTarget !== newTarget
      ? `Changed redirect target from [[${oldTarget}]] to [[${newTarget}]]`
      : false,
  ({ oldTarget, newTarget }) => oldTarget === null && newTarget !== null && `Redirected page to [[${newTarget}]]`,
  ({ isNew, source }) => isNew && source === '' && 'Created blank page',
  ({ isNew, source }) => isNew && createdWith(source),
  ({ source }) => source === '' && 'Blanked the page',
]

/**
 * Returns the stored summary of an edit: the given one, trimmed and truncated to 500 code points, or an automatic one.
 */
export function editSummary(comment: string | null, edit: EditedText): string {
  const given = cleanComment(comment ?? '')
  if (given !== '') return given
  const sides: Sides = {
    isNew: edit.before === null,
    source: sourceOfFile(edit.after),
    oldTarget: edit.before === null ? null : targetOf(edit.before, edit),
    newTarget: targetOf(edit.after, edit),
  }
  for (const rule of automatic) {
    const summary = rule(sides)
    if (summary !== false) return summary
  }
  return ''
}

/** Trims a comment and truncates it to 500 code points. */
export function cleanComment(comment: string): string {
  return cut(comment.trim(), maxLength)
}

function targetOf(text: string, { model, language }: EditedText): string | null {
  return model === 'wikitext' ? parseRedirect(text, language) : null
}

function createdWith(source: string): string {
  const room = maxLength - 'Created page with ""'.length
  const line = source.slice(0, 4 * maxLength).replace(/[\r\n]/g, ' ')
  const shown = cut(line, room)
  // A truncated link would swallow the closing quote.
  const text = shown === line ? line : `${cut(line, room - 3).replace(/\[\[[^\]]*$/, '')}...`
  return `Created page with "${text}"`
}

function cut(text: string, codePoints: number): string {
  return [...text.slice(0, 2 * codePoints)].slice(0, codePoints).join('')
}
