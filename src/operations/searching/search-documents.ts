/** Pages as documents of the search index: with their redirects, and their link targets under canonical titles. */

import { contentModels, modelsByExtension } from '../../core/content-models.ts'
import { findNamespace, foldTitlePrefix, type TitleRules } from '../../core/title.ts'
import { readPageText } from '../../search/analysis.ts'
import { type SearchDocument, titleTerm } from '../../search/segment/document.ts'
import type { PageEntry } from '../../store/format/entries.ts'
import type { Store } from '../../store/store.ts'
import { redirectTarget } from '../resources/redirect.ts'
import { maximumSourceBytes } from '../resources/source.ts'

/** Namespaces whose pages are referred to without the namespace. */
const namespaces = { template: 10, category: 14 } as const

/** Fields of a document that do not depend on its text. */
export type DocumentFrame = Pick<
  SearchDocument,
  'id' | 'revision' | 'blob' | 'namespace' | 'title' | 'redirects' | 'target' | 'silent'
>

/** Makes the part of a page's document that needs no text. `redirects` are the titles of the redirects to it. */
export function frameOf(store: Store, page: PageEntry, redirects: readonly string[]): DocumentFrame {
  const { id, latest: revision, namespace, title } = page
  const target = redirectTarget(store, page)
  const silent = target?.page != null && isAlias(page, target.page)
  return {
    id,
    revision,
    blob: store.revision(revision)?.blob,
    namespace,
    title,
    redirects: [...redirects].sort(),
    target: target === null ? null : target.title,
    silent,
  }
}

/**
 * Returns true if a redirect is indexed as part of its target. Others, for example into other namespaces, are indexed
 * separately.
 */
function isAlias(page: PageEntry, target: PageEntry): boolean {
  return target.id !== page.id && target.redirect === null && target.namespace === page.namespace
}

/**
 * Returns the target that a redirect is indexed with; undefined for other pages, and for redirects indexed separately.
 */
export function aliasTarget(store: Store, page: PageEntry): PageEntry | undefined {
  const target = redirectTarget(store, page)?.page ?? undefined
  return target !== undefined && isAlias(page, target) ? target : undefined
}

/** Makes the document of a page. */
export function documentOf(
  frame: DocumentFrame,
  { page, text, titles }: { page: PageEntry; text: string; titles: TitleRules },
): SearchDocument {
  const { title: ownTitle, ...read } = readPageText(text.slice(0, maximumSourceBytes), page.model)
  const categoryPrefix = categoryTerm('', titles)
  const isCategory = (link: string): boolean =>
    /^[^:]+:/.test(link) && findNamespace(link.slice(0, link.indexOf(':')), titles) === namespaces.category
  const links = new Set(read.links.flatMap(link => [link, ...pageOfFile(link)]).map(link => linkTerm(link, titles)))
  const categories = new Set(read.links.filter(isCategory).map(link => linkTerm(link, titles)))
  return {
    ...frame,
    ...read,
    ownTitle,
    links: [...links],
    categories: [...categories].filter(term => term.startsWith(categoryPrefix)),
    templates: [...new Set(read.templates.map(name => templateTerm(name, titles)))],
  }
}

/** Links of other wiki programs may name the file of a page: `[[bip-0032.mediawiki]]`. */
function pageOfFile(link: string): string[] {
  const [, name, extension = ''] = /^(.+)\.([a-z]{2,9})$/.exec(link) ?? []
  const model = modelsByExtension.get(extension)
  return name === undefined || model === undefined || contentModels[model].extensionInTitle ? [] : [name]
}

/** Folds the title of a link as pages' own titles are folded. */
export function linkTerm(target: string, titles: TitleRules): string {
  return titleTerm(foldTitlePrefix(target, titles)).trim()
}

/** Folds the name of a category, with or without its namespace. */
export function categoryTerm(name: string, titles: TitleRules): string {
  return inNamespace(name, namespaces.category, titles)
}

/** Folds the name of a template as used in calls. */
export function templateTerm(name: string, titles: TitleRules): string {
  return inNamespace(name, namespaces.template, titles)
}

function inNamespace(name: string, namespace: number, titles: TitleRules): string {
  const colon = name.indexOf(':')
  const isPrefixed = colon >= 0 && (colon === 0 || findNamespace(name.slice(0, colon), titles) !== undefined)
  return linkTerm(isPrefixed ? name : `${titles.namespaces.get(namespace)?.name ?? ''}:${name}`, titles)
}
