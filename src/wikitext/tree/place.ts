/** Finds a child among many. */

/** Number of children up to which a plain search is fast enough. */
const few = 24

/** Index of the last child found in each list: a hint, so a stale one changes only the speed of a search. */
const lastPlaces = new WeakMap<readonly unknown[], number>()

/**
 * Finds the index of a child, -1 if it is none. The search goes outwards from the last index found, so a traversal of the
 * children does not start from the first one each time.
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
