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
 * Returns a section of a revision, including its subsections; null if the revision has no such section, or cannot be
 * split.
 */
export async function sectionOf(request: WebRequest, revision: number, section: number): Promise<SectionText | null> {
  const { source } = await readRevision(request.wiki, { id: revision })
  const range = await rangeOf(request, revision, section, source)
  if (range === null) return null
  const text = source.slice(range.start, range.end).trimEnd()
  const [line = ''] = text.split('\n', 1)
  return { text, heading: section === 0 ? '' : line.replaceAll('=', '').trim().slice(0, 200) }
}

/** Returns the source of a revision with a section replaced. Errors: rest-nonexistent-revision. */
export async function withSection(
  request: WebRequest,
  revision: number,
  section: number,
  text: string,
): Promise<string> {
  const { source } = await readRevision(request.wiki, { id: revision })
  const range = await rangeOf(request, revision, section, source)
  if (range === null) throw new WikiError('rest-nonexistent-revision', { params: [revision] })
  const before = source.slice(0, range.start)
  const after = source.slice(range.end)
  const own = text.trimEnd()
  const gap = after === '' || own === '' ? '' : '\n\n'
  return before + own + gap + after
}

/** Rendering the revision recorded the offsets of its sections. They count each line end as one character. */
async function rangeOf(request: WebRequest, revision: number, section: number, source: string) {
  if (source.includes('\r')) return null
  const { sections = [] } = await showRevision(request.wiki, revision, readerForm(request, null))
  if (section === 0) return { start: 0, end: sections[0]?.start ?? source.length }
  const index = sections.findIndex(({ number }) => number === section)
  const own = sections[index]
  if (own === undefined) return null
  const next = sections.slice(index + 1).find(({ level, start }) => level <= own.level && start > own.start)
  return { start: own.start, end: next?.start ?? source.length }
}
