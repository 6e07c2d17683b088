/** Lists as Word writes them: paragraphs that state their list and level, with the bullet as text. */

import type { ChildNode, ElementNode } from '../../wikitext/tree/node.ts'
import { textOf } from '../../wikitext/tree/walk.ts'
import { isElement } from '../node-queries.ts'
import { replaceChildren } from '../tidy.ts'
import { type GroupRule, hasClass, isBlank, isForeign, shortText, wrapped } from './rewrite.ts'

interface Item {
  readonly level: number
  readonly isOrdered: boolean
  readonly children: readonly ChildNode[]
}

/** Converts runs of such paragraphs to lists. */
export const wordLists: GroupRule = children => {
  if (!children.some(child => isElement(child) && levelOf(child) !== null)) return null
  const out: ChildNode[] = []
  let row: Item[] = []
  const flush = (): void => {
    out.push(...listsOf(row))
    row = []
  }
  for (const child of children) {
    const item = child.kind === 'element' ? itemOf(child) : null
    if (item !== null) row.push(item)
    else if (row.length === 0 || !isBlank(child)) {
      flush()
      out.push(child)
    }
  }
  flush()
  return out
}

const deepest = 9

function levelOf(node: ElementNode): number | null {
  if (node.name !== 'p' || !isForeign(node)) return null
  const style = node.attributes.get('style') ?? ''
  const level = /mso-list:\s{0,20}\S{1,40}\s{1,20}level(\d)/i.exec(style)?.[1]
  if (level !== undefined) return Math.min(Math.max(Number(level), 1), deepest)
  return hasClass(node, /^MsoListParagraph/) && signs.test(shortText(node.children, 40).trimStart()) ? 1 : null
}

/** A bullet or number with the wide space after it. */
const signs = /^(?:[·•●○■◦▪§‣⁃–]|o|\(?(?:\d{1,3}|[a-z]|[ivxlc]{1,6})[.)])[\u00a0\t ]{2,}|^[·•●○■◦▪§‣⁃][\u00a0\t ]+/i

function itemOf(node: ElementNode): Item | null {
  const level = levelOf(node)
  if (level === null) return null
  const sign = { text: '' }
  const children = withoutSign(node.children, sign)
  if (sign.text === '') sign.text = cutSign(children)
  return { level, isOrdered: /^\s*\(?(?:\d{1,3}|[a-z]|[ivxlc]{1,6})[.)]/i.test(sign.text), children }
}

/** Removes the bullets that Word writes as text for programs without lists, and stores their text in `sign`. */
function withoutSign(children: readonly ChildNode[], sign: { text: string }): ChildNode[] {
  return children.flatMap((child): ChildNode[] => {
    if (child.kind === 'comment') return []
    if (child.kind !== 'element') return [child]
    if (/mso-list:\s*ignore/i.test(child.attributes.get('style') ?? '')) {
      sign.text = textOf(child.children)
      return []
    }
    const children = withoutSign(child.children, sign)
    if (children.length === child.children.length) return [child]
    replaceChildren(child, children)
    return children.length === 0 ? [] : [child]
  })
}

/** Removes the bullet from the first text. */
function cutSign(children: readonly ChildNode[]): string {
  let first: ChildNode | undefined = children.find(child => !isBlank(child))
  while (first?.kind === 'element') first = first.children.find(child => !isBlank(child))
  const found = first?.kind === 'text' ? /^\s*/.exec(first.text)![0] : ''
  const [sign] = first?.kind === 'text' ? (signs.exec(first.text.slice(found.length)) ?? ['']) : ['']
  if (first?.kind === 'text') first.text = first.text.slice(found.length + sign.length)
  return sign
}

function listsOf(items: readonly Item[]): ElementNode[] {
  const out: ElementNode[] = []
  const open: { readonly level: number; readonly list: ElementNode }[] = []
  for (const { level, isOrdered, children } of items) {
    const name = isOrdered ? 'ol' : 'ul'
    while (open.length > 0 && isOver(open.at(-1)!, level, name)) open.pop()
    if (open.at(-1)?.level !== level) {
      const list = wrapped(name, [])
      const held = open.at(-1)?.list.children.at(-1)
      if (held?.kind === 'element') append(held, list)
      else out.push(list)
      open.push({ level, list })
    }
    append(open.at(-1)!.list, wrapped('li', children))
  }
  return out
}

function isOver({ level: open, list }: { level: number; list: ElementNode }, level: number, name: string): boolean {
  return open > level || (open === level && list.name !== name)
}

function append(parent: ElementNode, child: ElementNode): void {
  child.parent = parent
  parent.children.push(child)
}
