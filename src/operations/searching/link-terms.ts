/** Titles of links, categories and templates as terms of the search index. */

import { findNamespace, foldTitlePrefix, type TitleRules } from '../../core/title.ts'
import { foldDashed } from '../../links/names.ts'
import { titleTerm } from '../../search/segment/document.ts'

/** Namespaces whose pages are referred to without the namespace. */
const namespaces = { template: 10, category: 14 } as const

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

/** True for a link that adds its page to a category. */
export function isCategory(link: string, titles: TitleRules): boolean {
  return /^[^:]+:/.test(link) && findNamespace(link.slice(0, link.indexOf(':')), titles) === namespaces.category
}

function inNamespace(name: string, namespace: number, titles: TitleRules): string {
  const colon = name.indexOf(':')
  const isPrefixed = colon >= 0 && (colon === 0 || findNamespace(name.slice(0, colon), titles) !== undefined)
  return linkTerm(isPrefixed ? name : `${titles.namespaces.get(namespace)?.name ?? ''}:${name}`, titles)
}

/** Lists the names that links may give a page or an address: its last part, and the one before, because a link may name a folder. */
export function pageNames(path: string): string[] {
  const parts = path
    .replace(/\.[a-z]{1,9}$/i, '')
    .split('/')
    .filter(part => part !== '' && part !== '.' && part !== '..')
  return parts.slice(-2).map(foldDashed)
}
