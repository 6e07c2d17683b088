/** Titles in wikitext, including special pages and subpages. */

import { isWikiError } from '../../core/errors.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { findNamespace, parseTitle, type Title, type TitleRules } from '../../core/title.ts'
import { capitalizeTitle, trimUnderscores, underscoreTitle } from '../../core/title-text.ts'
import { decodeEntities } from '../sanitize/entities.ts'
import { specialPageName } from './special-pages.ts'

/** Parses a title with character references, also of a special page; undefined if the text is none. */
export function readTitle(source: string, rules: TitleRules, defaultNamespace = 0): Title | undefined {
  const text = decodeEntities(source)
  const special = specialTitle(text, rules)
  if (special !== undefined) return special
  try {
    return parseTitle(text, rules, defaultNamespace)
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return undefined
    throw error
  }
}

function specialTitle(text: string, rules: TitleRules): Title | undefined {
  const plain = trimUnderscores(underscoreTitle(text.replace(/^\s*:/, '')))
  const colon = plain.indexOf(':')
  if (colon < 1 || findNamespace(plain.slice(0, colon), rules) !== namespaceIds.special) return undefined
  const [body = '', ...rest] = plain.slice(colon + 1).split('#')
  const [page = '', ...parameters] = trimUnderscores(body).split('/')
  const name = [specialPageName(page) ?? capitalizeTitle(page), ...parameters].join('/')
  if (name === '' || /[<>[\]{}|]/.test(name)) return undefined
  const key = `${rules.namespaces.get(namespaceIds.special)!.name}:${name}`
  return { namespace: namespaceIds.special, key, text: key.replaceAll('_', ' '), name, fragment: rest.join('#') }
}

/**
 * The page that `/name` or `../name` refers to on a page; undefined if its namespace has no subpages.
 *
 * Source: MediaWiki help page on subpages.
 */
export function subpageTitle(target: string, from: Title, rules: TitleRules): Title | undefined {
  if (rules.namespaces.get(from.namespace)?.subpages !== true) return undefined
  const [, path = '', hash = ''] = /^([^#]*)(.*)$/s.exec(target) ?? []
  const steps = /^(?:\.\.\/)*/.exec(path)![0].length / 3
  const base = from.key.split('/')
  if (steps > 0 && base.length <= steps) return undefined
  const parent = base.slice(0, base.length - steps).join('/')
  const below = path.slice(steps * 3).replace(/^\/+|(?<!\/)\/+$/g, '')
  return readTitle(`${parent}${below === '' ? '' : `/${below}`}${hash}`, rules)
}
