/** Finding a child among many. */

/** Children among which a place is found at once. */
const few = 24

/**
 * Index at which a child of each list was found last: a hint, so that a stale one changes the speed of a search only.
 */
const lastPlaces = new WeakMap<readonly unknown[], number>()

/**
 * Finds the place of a child, -1 if it is none. The search goes outwards from the place found last, so that a pass over
 * the children, one after the other, does not begin at the first one each time.
 */
export function placeOf<Child>({ children }: { readonly children: readonly Child[] }, child: Child): number {
  if (children.length <= few) return children.indexOf(child)
  let before = Math.min(lastPlaces.get(children) ?? 0, children.length - 1)
  let after = before + 1
  while (before >= 0 || after < children.length) {
    if (after < children.length && children[after] === child) return found(children, after)
    if (before >= 0 && children[before] === child) return found(children, before)
    before--
    after++
  }
  return -1
}

function found(children: readonly unknown[], place: number): number {
  lastPlaces.set(children, place)
  return place
}
