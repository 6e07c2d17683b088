/** All magic words and parser functions by name. */

import { languageIn } from '../../core/languages.ts'
import type {
  FunctionCall,
  FunctionDefinition,
  FunctionTable,
  OwnFunctions,
  WikiFunction,
} from '../expansion/function.ts'
import { clockTable } from './clock-words.ts'
import { conditionalTable } from './conditionals.ts'
import { sectionTable } from './labeled-sections.ts'
import { linkTable } from './link-functions.ts'
import { localNames } from './local-names.ts'
import { hashPageTable, propertyTable, revisionTable } from './page-functions.ts'
import { pageTable } from './page-words.ts'
import { serverTable, siteTable } from './site-words.ts'
import { stringTable } from './string-functions.ts'
import { tagFunction } from './tag-function.ts'
import { hashTextTable, textTable } from './text-functions.ts'
import { timeTable } from './time-functions.ts'
import { urlTable } from './urls.ts'

interface Family {
  readonly table: FunctionTable
  /** A variable stands alone (`{{SITENAME}}`), a function has a colon after it. */
  readonly use: 'variable' | 'function' | 'both'
  /** True if the case of letters counts. */
  readonly exact: boolean
  /** True if the name begins with `#`. */
  readonly hash?: boolean
}

const families: readonly Family[] = [
  { table: clockTable, use: 'variable', exact: true },
  { table: pageTable, use: 'both', exact: true },
  { table: revisionTable, use: 'both', exact: true },
  { table: siteTable, use: 'both', exact: true },
  { table: serverTable, use: 'variable', exact: false },
  { table: propertyTable, use: 'function', exact: true },
  { table: textTable, use: 'function', exact: false },
  { table: urlTable, use: 'function', exact: false },
  { table: hashTextTable, use: 'function', exact: false, hash: true },
  { table: linkTable, use: 'function', exact: false, hash: true },
  { table: hashPageTable, use: 'both', exact: false, hash: true },
  { table: conditionalTable, use: 'function', exact: false, hash: true },
  { table: timeTable, use: 'function', exact: false, hash: true },
  { table: sectionTable, use: 'function', exact: false, hash: true },
  { table: stringTable, use: 'function', exact: false, hash: true },
  { table: { tag: tagFunction, invoke }, use: 'function', exact: false, hash: true },
]

/** Aliases that share the key of another name. */
const keys: Readonly<Record<string, string>> = {
  CURRENTMONTH2: 'currentmonth',
  LOCALMONTH2: 'localmonth',
  ARTICLEPAGENAME: 'subjectpagename',
  ARTICLEPAGENAMEE: 'subjectpagenamee',
  ARTICLESPACE: 'subjectspace',
  ARTICLESPACEE: 'subjectspacee',
  CONTENTLANG: 'contentlanguage',
  USERLANG: 'userlanguage',
  DIRMARK: 'directionmark',
  DEFAULTSORTKEY: 'defaultsort',
  DEFAULTCATEGORYSORT: 'defaultsort',
  PAGESINCAT: 'pagesincategory',
  PAGESINNS: 'pagesinnamespace',
  NUMINGROUP: 'numberingroup',
  dateformat: 'formatdate',
  section: 'lst',
  'section-x': 'lstx',
  'section-h': 'lsth',
}

/** Modules are Lua programs, which are not supported. */
function invoke(call: FunctionCall): string {
  const module = call.text(0).replace(/[^\p{L}\p{N} _/.-]/gu, '')
  return `<strong class="error">Script error: Module:${module} is written in Lua, which this wiki does not run.</strong>`
}

const exactVariables = index('variable', true)
const foldedVariables = index('variable', false)
const exactFunctions = index('function', true)
const foldedFunctions = index('function', false)

function index(use: 'variable' | 'function', exact: boolean): ReadonlyMap<string, WikiFunction> {
  const wanted = families.filter(family => (family.use === use || family.use === 'both') && family.exact === exact)
  const rows = wanted.flatMap(({ table, hash }) =>
    Object.entries(table).map(([name, run]) => {
      const word = hash === true ? `#${name}` : name
      const key = Object.hasOwn(keys, name) ? keys[name]! : name.toLowerCase()
      return [exact ? word : word.toLowerCase(), { key, run }] as const
    }),
  )
  return new Map(rows)
}

/** Makes an index of the functions that a caller adds. */
export function indexFunctions(definitions: readonly FunctionDefinition[]): OwnFunctions {
  return new Map(
    definitions.map(({ name, key, isVariable = false, run }) => {
      const word = name.toLowerCase()
      return [word, { key: key ?? word.replace(/^#/, ''), isVariable, run }]
    }),
  )
}

/** Names that count on a page: English ones, those of the wiki's language, and those of functions that the caller adds. */
export interface KnownNames {
  readonly own: OwnFunctions
  /** Lower case. */
  readonly language: string
}

/** Finds the magic word `{{name}}`; undefined if there is none. */
export function findVariable(name: string, { own, language }: KnownNames): WikiFunction | undefined {
  const added = own.get(hashed(name).toLowerCase())
  if (added?.isVariable) return added
  return variableNamed(name) ?? localFind(name, language, variableNamed)
}

function variableNamed(name: string): WikiFunction | undefined {
  return exactVariables.get(name) ?? foldedVariables.get(name.toLowerCase())
}

/** Finds the function `{{name:...}}`; undefined if there is none. */
export function findFunction(name: string, { own, language }: KnownNames): WikiFunction | undefined {
  const word = hashed(name)
  return own.get(word.toLowerCase()) ?? functionNamed(word) ?? localFind(word, language, functionNamed)
}

function functionNamed(word: string): WikiFunction | undefined {
  return exactFunctions.get(word) ?? foldedFunctions.get(word.toLowerCase())
}

/** A local name, with `#` where the English one has it. */
interface LocalName {
  readonly word: string
  readonly english: string
}

const namesByLanguage = new Map<string, ReadonlyMap<string, readonly LocalName[]>>()

/** Names of a language by their lower-case form. One may stand for a magic word and a function. */
function namesIn(language: string): ReadonlyMap<string, readonly LocalName[]> {
  const row = languageIn(localNames, language)
  const cached = namesByLanguage.get(row)
  if (cached !== undefined) return cached
  const names = new Map<string, LocalName[]>()
  for (const pair of (localNames[row] ?? '').split(/\s+/).filter(Boolean)) {
    const [local, english] = pair.split(':') as [string, string]
    const word = english.startsWith('#') ? `#${local}` : local
    names.set(word.toLowerCase(), [...(names.get(word.toLowerCase()) ?? []), { word, english }])
  }
  namesByLanguage.set(row, names)
  return names
}

/** Finds a function by its name in a language; the case of letters counts where it does in English. */
function localFind(
  name: string,
  language: string,
  find: (english: string) => WikiFunction | undefined,
): WikiFunction | undefined {
  for (const { word, english } of namesIn(language).get(name.toLowerCase()) ?? []) {
    const isInAnyCase = find(english.toLowerCase()) !== undefined
    const found = word === name || isInAnyCase ? find(english) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The full-width sign of East Asian keyboards counts as `#`. */
function hashed(name: string): string {
  return name.startsWith('\uff03') ? `#${name.slice(1)}` : name
}

/** Names of all magic words and parser functions, as written in pages. */
export function functionNames(): string[] {
  return families.flatMap(({ table, hash }) => Object.keys(table).map(name => (hash === true ? `#${name}` : name)))
}
