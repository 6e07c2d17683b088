/** The engine, and the helpers for the tags of the parser tests. */

export { htmlToWikitext } from '../../src/html2wt/index.ts'
export { standardExtensions } from '../../src/wikitext/extensions/standard.ts'
export * from '../../src/wikitext/index.ts'
export { commentNode, element, fragment, textNode } from '../../src/wikitext/tree/node.ts'
