/**
 * Keeps the style sheets of the product's own parts away from the texts of the wiki: no class that an author writes gives a text the
 * look or the place of a menu, a notice or a button. Selectors without a class stay, as a text has the same links and headings.
 */

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { find, generate, parse, walk } from 'css-tree'

/** Style sheets whose classes are for texts. */
const textSheets = new Set(['content.css', 'code.css'])

/** Limits a selector to what is outside every text, without a change of its specificity. */
const outside = ':where(:not([data-ui-box] *))'

/** Plugin of esbuild. */
export const ownStyles = {
  name: 'own-styles',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\]web[/\\]style[/\\][a-z]+\.css$/ }, ({ path }) => {
      const css = readFileSync(path, 'utf8')
      return { contents: textSheets.has(basename(path)) ? css : outsideTexts(css), loader: 'css' }
    })
  },
}

/** Returns a style sheet in which no selector with a class matches anything inside a text. */
export function outsideTexts(css) {
  const sheet = parse(css)
  walk(sheet, { visit: 'Rule', enter: ({ prelude }) => prelude.children?.forEach(limit) })
  return generate(sheet)
}

function limit(selector) {
  if (find(selector, ({ type }) => type === 'ClassSelector') === null) return
  const pseudo = selector.children.last.type === 'PseudoElementSelector' ? selector.children.pop().data : null
  selector.children.push({ type: 'Raw', value: outside + (pseudo === null ? '' : generate(pseudo)) })
}
