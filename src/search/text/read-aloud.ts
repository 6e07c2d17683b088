/** Attributes of HTML that are shown beside an element or read aloud for it. */

import type { PageTextWriter } from './page-text.ts'

/** Source: W3C Accessible Name and Description Computation 1.2, steps 2C (`aria-label`), 2D (`alt`) and 2I (tooltips). */
const spoken = /\s(?:alt|title|aria-label)\s{0,10}=\s{0,10}(?:"([^"]{1,2000})"|'([^']{1,2000})'|([^\s"'<>=]{1,500}))/gi

/** Adds the words of the attributes in a tag, or in the line of a table, apart from the text around it. */
export function readAttributes(attributes: string, writer: PageTextWriter): void {
  if (!attributes.includes('=')) return
  for (const [, double, single, bare] of attributes.matchAll(spoken)) {
    writer.add('auxiliary', `${writer.decode(double ?? single ?? bare ?? '')}\n`)
  }
}
