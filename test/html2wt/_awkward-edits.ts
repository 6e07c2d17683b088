/** Edits of lists, tables and texts with awkward strings, as an editor makes them in the HTML of a page. */

import { type DefaultTreeAdapterMap, defaultTreeAdapter, parseFragment, serialize } from 'parse5'
import { awkwardText } from './_awkward.ts'
import { randomNumbers } from './_convert.ts'

type Parent = DefaultTreeAdapterMap['parentNode']
type Node = DefaultTreeAdapterMap['childNode']
type Element = DefaultTreeAdapterMap['element']

/** Sources of pages that are edited. */
export const pages: readonly string[] = [
  "intro ''x''\n\n* a\n* b\n** c\n** d '''e'''\n* f\n* g\n\nend [[Fog|link]]",
  '# one\n# two\n#* three\n#* four\n#** five\n# six\n\ntext\n* last',
  '; term : meaning\n; other\n: second\n: third\n\n== Head ==\ntext\n=== Sub [[Fog]] ===\n* a\n',
  '{|\n|+ Caption\n! h1 !! h2\n|-\n| a || b\n|-\n| c\n| d\n|}\n\nafter',
  'before\n{| class="x"\n|-\n! h\n| a\n|- lang="de"\n| b\n| style="color: red" | c\n* list\n* more\n|}\ntext',
  "{|\n|a\n{|\n|inner\n|}\n|b\n|}\n[[File:Boat.svg|thumb|caption ''x'']]\n\n text\n more\n\n<div>\n* a\n</div>",
  '* a<ref>n</ref>\n* [[Fog]] {{Tide}}\n\n\n:: deep\n: less\n\n----\ntext<br>line\n',
  "''a'' '''b''' l'''c''\n\n<blockquote>\nq\n\nr\n</blockquote>\n<ol><li>html</li><li>list</li></ol>",
]

/** An edit of a page, by the HTML before and after. */
export interface AwkwardEdit {
  readonly source: string
  readonly edits: readonly string[]
  /** Changes the HTML of the page's body. */
  readonly change: (html: string) => string
}

/** Generates edits; the same for the same seed. */
export function* awkwardEdits(count: number, seed: number): Generator<AwkwardEdit> {
  const next = randomNumbers(seed)
  for (let index = 0; index < count; index++) {
    const edits: string[] = []
    const own = Math.floor(next() * 1e9)
    const change = (html: string): string => {
      const random = randomNumbers(own)
      const root = parseFragment(html)
      const many = 1 + Math.floor(random() * 2)
      for (let edit = 0; edit < many; edit++) edits.push(editOnce(root, random))
      return serialize(root)
    }
    yield { source: pages[index % pages.length]!, edits, change }
  }
}

function elements(root: Parent): Element[] {
  return root.childNodes.flatMap(node => ('tagName' in node ? [node, ...(isMade(node) ? [] : elements(node))] : []))
}

function isMade(node: Element): boolean {
  return node.attrs.some(({ name, value }) => name === 'typeof' && /^mw:(?:Transclusion|Extension)/.test(value))
}

function editOnce(root: Parent, random: () => number): string {
  const pick = <Item>(list: readonly Item[]): Item | undefined => list[Math.floor(random() * list.length)]
  // An empty line shown as a break cannot be edited; a picture is more than its link.
  const isEmptyLine = ({ childNodes }: Element): boolean =>
    childNodes[0]?.nodeName === 'br' || childNodes[0]?.nodeName === 'img'
  const all = elements(root).filter(
    one => !isMade(one) && !isEmptyLine(one) && !/^(?:section|tbody|figure|img)$/.test(one.tagName),
  )
  const named = (...names: string[]): Element | undefined => pick(all.filter(({ tagName }) => names.includes(tagName)))
  const kind = Math.floor(random() * 7)
  if (kind === 0) {
    const gone = named('li', 'ul', 'ol', 'dd', 'dt', 'tr', 'p', 'h2', 'h3', 'a', 'b', 'i', 'caption', 'td')
    if (gone === undefined || isLast(gone)) return 'nothing'
    const before = serialize(gone).slice(0, 60)
    defaultTreeAdapter.detachNode(gone)
    return `delete ${gone.tagName} ${before}`
  }
  if (kind === 1 || kind === 2) {
    const [moved, target] = [named('li'), kind === 1 ? named('ul', 'ol') : named('li')]
    if (moved === undefined || target === undefined || isWithin(target, moved) || isLast(moved)) return 'nothing'
    defaultTreeAdapter.detachNode(moved)
    if (kind === 1) defaultTreeAdapter.appendChild(target, moved)
    else nestedList(target, moved)
    return `move ${serialize(moved).slice(0, 40)} to ${target.tagName} ${serialize(target).slice(0, 40)}`
  }
  if (kind === 3) {
    const [row, other] = [named('tr'), named('tr')]
    if (row === undefined || other === undefined || isWithin(other, row) || isWithin(row, other)) return 'nothing'
    defaultTreeAdapter.detachNode(row)
    defaultTreeAdapter.insertBefore(other.parentNode!, row, other)
    return 'move row'
  }
  if (kind === 4) {
    const beside = named('li', 'td', 'th', 'tr', 'dd', 'p')
    if (beside === undefined) return 'nothing'
    const made = madeLike(beside.tagName, awkwardText(random))
    defaultTreeAdapter.insertBefore(beside.parentNode!, made, random() < 0.5 ? beside : (nextOf(beside) ?? beside))
    return `insert ${beside.tagName}`
  }
  const texts = all.flatMap(one =>
    one.childNodes.filter(node => node.nodeName === '#text' && 'value' in node && node.value.trim() !== ''),
  )
  const text = pick(texts)
  if (text === undefined || !('value' in text)) return 'nothing'
  const value = awkwardText(random)
  text.value = kind === 5 ? text.value.replace(/\S+/, () => value) : `${text.value.trimEnd()} ${value}`
  return `text ${text.value}`
}

/** An element whose parent would be empty without it. */
function isLast({ parentNode }: Element): boolean {
  return parentNode!.childNodes.filter(node => 'tagName' in node).length < 2 && parentNode!.nodeName !== 'li'
}

function isWithin(node: Node, outer: Node): boolean {
  for (let at: Parent | Node | null = node; at !== null; at = 'parentNode' in at ? at.parentNode : null)
    if (at === outer) return true
  return false
}

function nextOf(node: Element): Node | undefined {
  const { childNodes } = node.parentNode!
  return childNodes[childNodes.indexOf(node) + 1]
}

function nestedList(item: Element, moved: Element): void {
  const held = item.childNodes.find(node => node.nodeName === 'ul' || node.nodeName === 'ol')
  if (held !== undefined && 'tagName' in held) {
    defaultTreeAdapter.appendChild(held, moved)
    return
  }
  const list = parseFragment('<ul></ul>').childNodes[0] as Element
  defaultTreeAdapter.appendChild(list, moved)
  defaultTreeAdapter.appendChild(item, list)
}

function madeLike(name: string, value: string): Element {
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const wrapped = name === 'tr' ? `<tr><td>${text}</td><td>x</td></tr>` : `<${name}>${text}</${name}>`
  const context = name === 'td' || name === 'th' ? 'tr' : name === 'tr' ? 'tbody' : 'div'
  const holder = parseFragment(`<${context}></${context}>`).childNodes[0] as Element | undefined
  const base =
    holder ?? defaultTreeAdapter.createElement(context, 'http://www.w3.org/1999/xhtml' as Element['namespaceURI'], [])
  return parseFragment(base, wrapped, {}).childNodes[0] as Element
}
