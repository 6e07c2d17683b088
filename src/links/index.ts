/** Resolves links of pages to pages and files. */

export { type Dialect, dialectOf, gollumTitles, isGollumPage } from './dialect.ts'
export { hasExpression, readExpression } from './expression.ts'
export type { LinkTarget, WrittenLink } from './link.ts'
export {
  decodePath,
  foldName,
  hasOptionalExtension,
  hasPageExtension,
  hasPictureExtension,
  isAddress,
  type LinkNames,
  linkNames,
  type Named,
  otherNamed,
} from './names.ts'
export { joinPath, type LinkPlace, resolveExactly, resolveLink, titleOfPath } from './resolve.ts'
