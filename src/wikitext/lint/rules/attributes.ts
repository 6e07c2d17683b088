/** Rules about attributes that harm readers. */

import type { ElementNode } from '../../tree/node.ts'
import { ancestorOf, isTag, styleOf } from '../node-queries.ts'
import type { Finding, LintPage } from '../rule.ts'

const tableParts: ReadonlySet<string> = new Set(['table', 'tr', 'td', 'th', 'caption'])
const links: ReadonlySet<string> = new Set(['a'])
/** Transparent backgrounds. */
const seeThrough: ReadonlySet<string> = new Set(['none', 'transparent', 'inherit', 'initial', 'unset'])

/** The rule of duplicate ids. The ids of headings are not counted. */
export function duplicateId(node: ElementNode, { ids }: LintPage): readonly Finding[] {
  const id = node.attributes.get('id')
  if (id === undefined || !(isTag(node) || tableParts.has(node.name))) return []
  if (!ids.has(id)) {
    ids.add(id)
    return []
  }
  return [{ type: 'duplicate-ids', params: { id } }]
}

/** The rule of a background without a colour for the text on it. */
export function backgroundAlone(node: ElementNode): readonly Finding[] {
  if (!node.attributes.has('style') || (node.attributes.get('class') ?? '').split(/\s+/).includes('notheme')) return []
  const style = styleOf(node)
  const background = style.get('background-color') ?? style.get('background')
  if (background === undefined || seeThrough.has(background) || style.has('color')) return []
  return [{ type: 'night-mode-unaware-background-color' }]
}

/** The rule of pictures without alternative text. */
export function missingAlt(node: ElementNode): readonly Finding[] {
  const isFile = (node.attributes.get('typeof') ?? '').split(' ').some(type => /^mw:File(?:$|\/)/.test(type))
  if (!isFile || node.data.endsLink === true || ancestorOf(node, links) !== null) return []
  const image = imageIn(node)
  const resource = image?.attributes.get('resource')
  if (image === null || resource === undefined || image.attributes.has('alt')) return []
  return [{ type: 'missing-image-alt-text', params: { file: resource.replace(/^\.\//, '') } }]
}

/** The picture in a file's element: it is inside a link or a span. */
function imageIn(node: ElementNode): ElementNode | null {
  for (const wrapper of node.children) {
    if (wrapper.kind !== 'element' || wrapper.name === 'figcaption') continue
    const image = wrapper.children.find(child => child.kind === 'element' && child.name === 'img')
    if (image?.kind === 'element') return image
  }
  return null
}
