/** One section of a page's source, and the source with that section replaced. */

import { WikiError } from '../core/errors.ts'
import { readRevision } from '../operations/read-revision.ts'
import { showRevision } from '../operations/show-page.ts'
import { readerForm } from './parts/reader-form.ts'
import type { WebRequest } from './request.ts'

export interface SectionText {
  readonly text: string
  /** Text of its heading; "" for the lead section. */
  readonly heading: string
}

/**
 * Returns a section of a revision, including its subsections; null if the revision cannot be split. Errors: apierror-nosuchsection.
 */
export async function sectionOf(request: WebRequest, revision: number, section: number): Promise<SectionText | null> {
  const { source } = await readRevision(request.wiki, { id: revision })
  if (!canSplit(source)) return null
  const range = await rangeOf(request, revision, section, source)
  const text = source.slice(range.start, range.end).trimEnd()
  const [line = ''] = text.split('\n', 1)
  return { text, heading: section === 0 ? '' : wordsOf(line).slice(0, 200) }
}

/** Returns a heading without the signs around it. */
function wordsOf(line: string): string {
  let [start, end] = [0, line.length]
  while (start < end && '=#'.includes(line[start]!)) start++
  while (end > start && '=#'.includes(line[end - 1]!)) end--
  return line.slice(start, end).trim()
}

/** Returns the source of a revision with a section replaced; all else stays as it is. Errors: apierror-nosuchsection. */
export async function withSection(
  request: WebRequest,
  revision: number,
  section: number,
  text: string,
): Promise<string> {
  const { source } = await readRevision(request.wiki, { id: revision })
  if (!canSplit(source)) throw new WikiError('apierror-nosuchsection', { params: [section] })
  const { start, end } = await rangeOf(request, revision, section, source)
  const old = source.slice(start, end)
  const own = text.trimEnd()
  return (
    source.slice(0, start) + own + (own === '' ? '' : gapBehind(old, own, end === source.length)) + source.slice(end)
  )
}

/** The space behind a section stays. Only a changed text gets an empty line, which separates its last paragraph from the next heading. */
function gapBehind(old: string, own: string, isLast: boolean): string {
  const kept = old.trimEnd()
  const gap = old.slice(kept.length)
  return own === kept || isLast || gap.includes('\n\n') ? gap : '\n\n'
}

/** The offsets of sections count each line end as one character. */
function canSplit(source: string): boolean {
  return !source.includes('\r')
}

/** Rendering the revision recorded the offsets of its sections. Errors: apierror-nosuchsection. */
async function rangeOf(request: WebRequest, revision: number, section: number, source: string) {
  const { sections = [] } = await showRevision(request.wiki, revision, readerForm(request, null))
  if (section === 0) return { start: 0, end: sections[0]?.start ?? source.length }
  const index = sections.findIndex(({ number }) => number === section)
  const own = sections[index]
  if (own === undefined) throw new WikiError('apierror-nosuchsection', { params: [section] })
  const next = sections.slice(index + 1).find(({ level, start }) => level <= own.level && start > own.start)
  return { start: own.start, end: next?.start ?? source.length }
}
