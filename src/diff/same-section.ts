/** Sections of a text, and the same section in another version of it. */

/** A section, in UTF-16 units of its source. The section before the first heading has number 0. */
export interface Section {
  readonly number: number
  readonly start: number
  readonly end: number
}

/** A text with its sections, in the order of their headings. */
export interface SectionedText {
  readonly source: string
  readonly sections: readonly Section[]
}

/** Returns a section's text without the space behind it; "" if there is no such section. */
export function sectionText({ source, sections }: SectionedText, number: number): string {
  const { start, end } = sections.find(one => one.number === number) ?? { start: 0, end: 0 }
  return source.slice(start, end).trimEnd()
}

/**
 * Returns the number of a section in another version: the one with the same heading. Null if a heading of these words was added,
 * changed or removed, because then no heading identifies the section.
 */
export function sameSection(old: SectionedText, now: SectionedText, number: number): number | null {
  if (number === 0) return now.sections.some(one => one.number === 0) ? 0 : null
  const heading = headingOf(old, number)
  const [before, after] = [old, now].map(version =>
    version.sections.map(one => one.number).filter(one => one !== 0 && headingOf(version, one) === heading),
  ) as [number[], number[]]
  return before.length === after.length ? (after[before.indexOf(number)] ?? null) : null
}

function headingOf(version: SectionedText, number: number): string {
  return sectionText(version, number).split('\n', 1)[0]!.trim()
}
