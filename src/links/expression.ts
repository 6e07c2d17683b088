/** Targets that hold an expression of a site generator, such as `{{ site.baseurl }}/x` and `{% link x.md %}`. */

/** A target around the part that names a path. */
export interface Expression {
  readonly before: string
  /** As written, without fragment and query. */
  readonly path: string
  readonly after: string
  /** The path with its fragment, as a link without an expression writes it. */
  readonly target: string
}

/** Maximum length of a target with an expression. UTF-16 units. */
const longest = 1000
const sign = /\{[{%]/
/** Variables that give the root of the site. */
const rootVariables = /^(?:\{\{-?[ \t]{0,9}(?:site\.[\w.]{1,50}|base_?url|base_?path|root|siteurl)[ \t]{0,9}-?\}\})+/i
/** Source: https://jekyllrb.com/docs/liquid/tags/#links */
const jekyllTag = /^\{%-?[ \t]{1,9}(link|post_url)[ \t]{1,9}([^%{}\n]{1,500})%\}/
/** Source: https://gohugo.io/shortcodes/relref/ */
const hugoReference = /^\{\{[<%][ \t]{0,9}(?:rel)?ref[ \t]{1,9}(?:path=)?["'`]/
/** Source: https://jekyllrb.com/docs/liquid/filters/ */
const filteredText = /^\{\{-?[ \t]{0,9}["'](?=[^"'{}]{1,500}["'][ \t]{0,9}\|)/

/** Returns true for a target that the program of a site computes, at least in part. */
export function hasExpression(target: string): boolean {
  return sign.test(target)
}

/** Splits a target with an expression; null if what it computes is unknown. */
export function readExpression(target: string): Expression | null {
  if (target.length > longest) return null
  const root = rootVariables.exec(target)?.[0] ?? ''
  const rest = target.slice(root.length)
  const tag = jekyllTag.exec(rest)
  if (tag !== null) return tagExpression(root, tag, rest)
  const opening = (hugoReference.exec(rest) ?? filteredText.exec(rest))?.[0]
  if (opening !== undefined) return quotedExpression(root + opening, rest.slice(opening.length))
  return root === '' || rest === '' || sign.test(rest) ? null : rooted(root, rest)
}

/** A tag names a file from the root of the site; of a post it may leave out the folder. */
function tagExpression(root: string, [whole, name, inside = '']: RegExpExecArray, rest: string): Expression | null {
  const path = (inside.endsWith('-') ? inside.slice(0, -1) : inside).trimEnd()
  const start = whole.lastIndexOf(path)
  const plain = name === 'link' ? `/${path.replace(/^\//, '')}` : path.slice(path.lastIndexOf('/') + 1)
  return withRest(
    root + whole.slice(0, start),
    path,
    { after: whole.slice(start + path.length), plain },
    rest.slice(whole.length),
  )
}

function withRest(
  before: string,
  path: string,
  { after, plain }: { readonly after: string; readonly plain: string },
  rest: string,
): Expression | null {
  if (path === '' || (rest !== '' && rest[0] !== '#' && rest[0] !== '?')) return null
  return { before, path, after: after + rest, target: plain + rest }
}

function quotedExpression(before: string, rest: string): Expression | null {
  const end = rest.search(/["'`]/)
  const inside = end === -1 ? '' : rest.slice(0, end)
  const close = rest.indexOf('}}', end)
  if (inside === '' || close === -1) return null
  const outside = rest.slice(close + 2)
  const { path } = splitPath(inside)
  return { before, path, after: rest.slice(path.length), target: inside + outside }
}

function rooted(before: string, rest: string): Expression {
  const { path, tail } = splitPath(rest)
  return { before, path, after: tail, target: rest.startsWith('/') ? rest : `/${rest}` }
}

function splitPath(text: string): { readonly path: string; readonly tail: string } {
  const at = text.search(/[#?]/)
  return at === -1 ? { path: text, tail: '' } : { path: text.slice(0, at), tail: text.slice(at) }
}
