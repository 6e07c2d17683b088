/** `#REDIRECT [[target]]` at the start of a page. */

import { redirectStart } from '../../core/redirect.ts'
import { linkTarget } from '../links/target.ts'
import { element } from '../tree/node.ts'
import { linkAddress, linkShape } from './link-shape.ts'
import { emit, expandedText, pageRange, type Scan } from './scan.ts'
import { describeTemplates } from './templated-parts.ts'

/** Scans the redirect at the start of a page, if there is one; the rest is text. */
export function scanRedirect(scan: Scan): void {
  const word = redirectStart(scan.run.site.language).exec(scan.text)?.[0]
  const close = word === undefined ? undefined : scan.brackets.get(word.length)
  if (word === undefined || close === undefined) return
  const shape = linkShape(scan, word.length, close)
  const { site, title } = scan.run
  const target = linkTarget(expandedText(scan, shape.start + 2, shape.targetEnd), site, title)
  if (target === null) return
  const { href } = linkAddress(target, title)
  const link = element('link', [
    ['rel', 'mw:PageProp/redirect'],
    ['href', href.replaceAll('"', '%22')],
  ])
  link.data = {
    parsoid: {
      src: word,
      a: { href: link.attributes.get('href') },
      sa: { href: scan.text.slice(shape.start + 2, close - 2) },
    },
    ...(target.kind === 'page' && { link: target.title }),
  }
  describeTemplates(scan, link, [['href', shape.start + 2, shape.targetEnd]])
  emit(scan, { kind: 'atom', level: 'transparent', nodes: [link], ...pageRange(scan, 0, close) }, 0, close)
}
