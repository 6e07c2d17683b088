/** The standard extension tags. */

import { type CiteOptions, cite } from './cite/cite.ts'
import type { Extension } from './extension.ts'
import { gallery } from './gallery.ts'
import { indicator } from './indicator.ts'
import { math } from './math.ts'
import { nowiki } from './nowiki.ts'
import { poem } from './poem.ts'
import { pre } from './pre.ts'
import { section } from './section.ts'
import { syntaxhighlight } from './syntaxhighlight/syntaxhighlight.ts'
import { templatedata } from './templatedata.ts'

export interface StandardOptions {
  readonly cite?: CiteOptions
}

/** Makes the standard extensions, in the order of their final steps. A tag without an extension is text. */
export function standardExtensions({ cite: citeOptions = {} }: StandardOptions = {}): Extension[] {
  return [nowiki, pre, syntaxhighlight, poem, gallery, math, templatedata, indicator, section, cite(citeOptions)]
}
