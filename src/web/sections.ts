/** One section of a page's source, and the source with that section replaced. */

import { WikiError } from '../core/errors.ts'
import type { Section } from '../operations/latest-section.ts'
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

/** Lists the sections of a revision, in the order of their headings; none if it is edited only whole. */
export async function sectionRanges(request: WebRequest, revision: number): Promise<readonly Section[]> {
  const { source } = await readRevision(request.wiki, { id: revision })
  if (!canSplit(source)) return []
  return rangesOf(request, revision, source)
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
  const trimmed = old.trimEnd()
  const gap = old.slice(trimmed.length)
  return own === trimmed || isLast || gap.includes('\n\n') ? gap : '\n\n'
}

/** The offsets of sections count each line end as one character. */
function canSplit(source: string): boolean {
  return !source.includes('\r')
}

/** Rendering the revision recorded the offsets of its sections. Errors: apierror-nosuchsection. */
async function rangeOf(request: WebRequest, revision: number, section: number, source: string): Promise<Section> {
  const own = (await rangesOf(request, revision, source)).find(({ number }) => number === section)
  if (own === undefined) throw new WikiError('apierror-nosuchsection', { params: [section] })
  return own
}

/** A section ends at the next heading of its level or a higher one. */
async function rangesOf(request: WebRequest, revision: number, source: string): Promise<Section[]> {
  const { sections = [] } = await showRevision(request.wiki, revision, readerForm(request, null))
  const endOf = (index: number): number => {
    const { level, start } = sections[index]!
    let next = index + 1
    while (next < sections.length && (sections[next]!.level > level || sections[next]!.start <= start)) next++
    return sections[next]?.start ?? source.length
  }
  const ranges = sections.map(({ number, start }, index) => ({ number, start, end: endOf(index) }))
  return [{ number: 0, start: 0, end: sections[0]?.start ?? source.length }, ...ranges]
}
