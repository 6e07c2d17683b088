/**
 * Functions that make a link of a kind that the brackets may not make. Source: MediaWiki help page on magic words,
 * Technical metadata of another page, and CoreParserFunctions.
 */

import { findNamespace, foldTitle } from '../../core/title.ts'
import type { FunctionCall, FunctionTable } from '../expansion/function.ts'
import { languageName } from '../expansion/languages.ts'
import { titleUrl } from './urls.ts'

/** A title that a link to another wiki may have: a bare underscore at its end or a line break would make it another one. */
const foreignTitle = /^(?!_)[^\n_[\]{}|<>#]?(?:[^\n[\]{}|<>#]*[^\n_[\]{}|<>#])?(?:#[^\n[\]{}|<>]*)?$/

function interlanguagelink({ context, text }: FunctionCall): string | undefined {
  const code = text(0).toLowerCase()
  const isLanguage = Object.hasOwn(context.config.languages, code) || languageName(code) !== undefined
  if (code === '' || !isLanguage || !foreignTitle.test(text(1))) return undefined
  const title = text(1).replaceAll('_', ' ')
  if (!context.properties.languages.has(code)) context.properties.languages.set(code, { code, title })
  return ''
}

function interwikilink({ context, text, count }: FunctionCall): string | undefined {
  const { config, rules } = context
  const wikis = [...Object.entries(config.interwiki), ...Object.entries(config.languages)]
  const url = wikis.find(([prefix]) => foldTitle(prefix) === foldTitle(text(0)))?.[1]
  if (url === undefined || !foreignTitle.test(text(1))) return undefined
  const page = `${text(0)}:${text(1)}`
  const shown = count > 2 ? text(2) : page
  if (findNamespace(text(0), rules) === undefined) return `[[:${page}|${shown}]]`
  // Between brackets the namespace of this name would win.
  return `[${url.replace('$1', () => titleUrl(text(1)))} ${shown}]`
}

function isbn({ text }: FunctionCall): string | undefined {
  const number = text(0)
    .replace(/[- \u00a0]/g, '')
    .toUpperCase()
  return /^(?:97[89])?\d{9}[\dX]$/.test(number) ? `[[Special:BookSources/${number}|ISBN ${text(0)}]]` : undefined
}

/** The functions, by name without `#`. */
export const linkTable: FunctionTable = { interlanguagelink, interwikilink, isbn }
