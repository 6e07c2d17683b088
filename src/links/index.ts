/** Links: from what a page writes to the page or file that is meant. */

export { type Dialect, dialectOf, gollumTitles, isGollumPage } from './dialect.ts'
export type { LinkTarget, WrittenLink } from './link.ts'
export { hasPageExtension, type LinkNames, linkNames, type Named } from './names.ts'
export { joinPath, type LinkPlace, resolveLink } from './resolve.ts'
