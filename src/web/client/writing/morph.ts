/** Updates elements in place and keeps the equal ones, so that images do not reload and the page does not jump. */

/** Makes the children of one element equal to those of another, whose nodes it may move. */
export function morphChildren(into: Element, from: Element): void {
  const [old, now] = [[...into.childNodes], [...from.childNodes]]
  let start = 0
  while (start < old.length && start < now.length && old[start]!.isEqualNode(now[start]!)) start++
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end)!.isEqualNode(now.at(-1 - end)!)) end++
  const [goes, comes] = [old.slice(start, old.length - end), now.slice(start, now.length - end)]
  const behind = old[old.length - end] ?? null
  for (const [index, node] of comes.entries()) {
    const before = goes[index]
    if (before === undefined) into.insertBefore(document.importNode(node, true), behind)
    else morph(before, node)
  }
  for (const node of goes.slice(comes.length)) node.remove()
}

function morph(into: ChildNode, from: ChildNode): void {
  if (into instanceof Element && from instanceof Element && isSameTag(into, from)) morphChildren(into, from)
  else into.replaceWith(document.importNode(from, true))
}

function isSameTag(one: Element, other: Element): boolean {
  return one.cloneNode(false).isEqualNode(other.cloneNode(false))
}
