/** Anchors of headings, and the fragments of addresses that name them. */

/**
 * Returns the id of a heading with this text, as GitHub and most Markdown programs make it.
 * Source: https://github.com/Flet/github-slugger
 */
export function headingSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/**
 * Begins the directive in an address's fragment: `#sec:~:text=ebb` scrolls to the words "ebb". It names no element, and is not part of the
 * anchor. Source: https://wicg.github.io/scroll-to-text-fragment/#fragment-directive
 */
const delimiter = ':~:'

/** Splits a fragment before its directive, which begins with `:~:`; the directive is "" if there is none. */
export function splitDirective(fragment: string): [anchor: string, directive: string] {
  const at = fragment.indexOf(delimiter)
  return at === -1 ? [fragment, ''] : [fragment.slice(0, at), fragment.slice(at)]
}

/** Changes the anchor of a fragment. Characters of the directive that no address has are percent-encoded, since underscores would be other words. */
export function changeAnchor(fragment: string, change: (anchor: string) => string): string {
  const [anchor, directive] = splitDirective(fragment)
  const encoded = directive.replace(/\p{Surrogate}/gu, '\uFFFD').replace(/[^!-~]+/g, encodeURIComponent)
  return change(anchor) + encoded
}
