/** wiki.json: one table of its keys drives defaults, validation, reading and setting. */

import { isWikiError, WikiError } from './errors.ts'
import { isGitsOwn } from './file-names.ts'
import { namespaceIds, namespaceNames, namespacesOf, standardNamespaces } from './namespaces.ts'
import {
  boolean,
  choice,
  type Field,
  integer,
  list,
  map,
  memberAt,
  object,
  refuse,
  setMember,
  text,
  within,
} from './settings-file/config-shape.ts'
import { editedJson } from './settings-file/json-edit.ts'
import { foldTitle, parseTitle, titleRules } from './title.ts'
import { checkLevels, hideableParts, linkSettings, type WikiConfig } from './wiki-config.ts'

/** File name of the settings, at the top of the repository. */
export const configFile = 'wiki.json'

const maxConfigBytes = 1024 * 1024

const oneLine = text('a string of one line', /^[^\p{Cc}\p{Surrogate}]{0,1000}$/u)
/** Letters and digits, then also a few other characters. All are valid in titles and in Windows folder names. */
const namespaceName = text(
  'a namespace name: letters, digits, spaces, at most 40',
  /^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)[\p{L}\p{Nd}](?:[ _]?[\p{L}\p{M}\p{Nd}'()&+,!-]){0,39}$/iu,
)
const addresses = map(
  /^[a-z0-9][a-z0-9-]{0,31}$/i,
  'a prefix of letters, digits and hyphens',
  text('an http or https address with $1 in place of the title', /^https?:\/\/[^\s/?#$]+[/?#][^\s$]*\$1\S*$/i),
)

const pathPattern = text('a path or a pattern such as drafts/**', /^[^\p{Cc}\p{Surrogate}]{1,300}$/u)

const mebibyte = 1024 * 1024
/** A number of bytes up to a limit that fits a server's memory. */
const bytesUpTo = (most: number) => within(1024, most)

const rootExpected = 'a folder of the repository, without a slash at either end'

/** Every key of wiki.json, with its schema and its default. */
const fields: Readonly<Record<keyof WikiConfig, Field>> = {
  name: { shape: text('a name of at most 100 characters', /^[^\p{Cc}\p{Surrogate}]{0,100}$/u), initial: '' },
  language: { shape: text('a language code', /^[a-z]{2,12}(?:-[a-z0-9]{1,12}){0,5}$/i), initial: 'en' },
  mainPage: { shape: oneLine, initial: 'Main Page' },
  license: {
    shape: object({
      url: { shape: text('an http or https address', /^(?:https?:\/\/\S+)?$/i), initial: '' },
      title: { shape: oneLine, initial: '' },
    }),
    initial: {},
  },
  contact: {
    shape: text(
      'an address as wiki@example.org or https://example.org/contact',
      /^(?:|[^\s@\p{Cc}\p{Surrogate}]{1,64}@[a-z\d.-]{1,255}|https?:\/\/[^\s\p{Cc}\p{Surrogate}]{1,1000})$/iu,
    ),
    initial: '',
  },
  root: {
    shape: text(
      rootExpected,
      /^(?=.{0,200}$)(?!(?:.*\/)?[. ]+(?:\/|$))(?:[^\\/\p{Cc}\p{Surrogate}]+(?:\/[^\\/\p{Cc}\p{Surrogate}]+)*)?$/u,
    ),
    initial: '',
  },
  namespaces: {
    shape: map(
      /^(?:-[12]|[1-9]\d{0,3})$/,
      'the id of a namespace: 1 to 9999',
      object({
        name: { shape: namespaceName },
        aliases: { shape: list(namespaceName), initial: [] },
        subpages: { shape: boolean, optional: true },
      }),
    ),
    initial: {},
  },
  capitalization: { shape: choice('first-letter', 'case-sensitive'), initial: 'first-letter' },
  searchedNamespaces: { shape: list(integer), initial: [0] },
  stemming: { shape: boolean, initial: true },
  interwiki: { shape: addresses, initial: {} },
  languages: { shape: addresses, initial: {} },
  anonymousEdits: { shape: boolean, initial: false },
  editableFiles: { shape: list(pathPattern), initial: [] },
  allowedOrigins: {
    shape: list(text('an origin: https://editor.example, with its port, no path', /^https?:\/\/[a-z\d.:[\]-]{1,255}$/)),
    initial: [],
  },
  bots: { shape: list(text('a name or an address', /^[^\p{Cc}\p{Surrogate}]{1,1000}$/u)), initial: [] },
  layout: { shape: choice('folders', 'sharded'), initial: 'folders' },
  links: { shape: choice(...linkSettings), initial: 'auto' },
  merge: { shape: choice('words', 'lines', 'never'), initial: 'words' },
  limits: {
    shape: object({
      source: { shape: bytesUpTo(16 * mebibyte), initial: 2 * mebibyte },
      html: { shape: bytesUpTo(32 * mebibyte), initial: 10 * mebibyte },
      file: { shape: bytesUpTo(1024 * mebibyte), initial: 100 * mebibyte },
    }),
    initial: {},
  },
  checks: {
    shape: object({
      levels: {
        shape: map(/^[a-z][a-z0-9-]{0,60}$/, 'the name of a kind of problem', choice(...checkLevels)),
        initial: {},
      },
      exclude: { shape: list(pathPattern), initial: [] },
    }),
    initial: {},
  },
  hidden: {
    shape: map(
      /^[0-9a-f]{40,64}\/[0-9a-f]{40,64}$/,
      'the hashes of a commit and a blob with a slash between',
      object({
        parts: { shape: list(choice(...hideableParts)) },
        reason: { shape: oneLine, initial: '' },
        changed: { shape: text('a time as 2026-01-31T12:00:00Z', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/), optional: true },
      }),
    ),
    initial: {},
  },
}
const wholeFile = object(fields)

/** The keys of wiki.json, in the order in which they are documented. */
export const configKeys = Object.keys(fields) as readonly (keyof WikiConfig)[]

/**
 * Returns the settings of a wiki without wiki.json. They are created lazily, because validating them would slow down
 * every start.
 */
export function defaultConfig(): WikiConfig {
  return readConfig({}, configFile)
}

/**
 * Parses wiki.json and adds the defaults. Throws `wiki-bad-config`, naming the file, the key and the expected value.
 */
export function parseConfig(text: string, file: string = configFile): WikiConfig {
  return readConfig(parseFile(text, file), file)
}

/**
 * Reads one value by its dotted path, such as `license.url` or `bots.0`; undefined if a list or map has no such entry.
 * Throws `wiki-bad-config` for a path that wiki.json cannot contain.
 */
export function configValue(config: WikiConfig, path: string): unknown {
  return memberAt(wholeFile, config, { file: configFile, keys: path.split('.') })
}

/**
 * Sets one value by its dotted path and returns the new text of wiki.json; everything else in the text stays as it was written. A
 * list is given as JSON or with commas, a map as JSON. An empty text means no settings. Throws `wiki-bad-config` if the path or the
 * result is invalid.
 */
export function setConfigValue(json: string, path: string, value: string): string {
  const settings = parseFile(json.trim() === '' ? '{}' : json, configFile)
  const isEmpty = Object.keys(Object(settings)).length === 0
  setMember(wholeFile, settings, { file: configFile, keys: path.split('.') }, value)
  readConfig(settings, configFile)
  return isEmpty ? `${JSON.stringify(settings, null, 2)}\n` : editedJson(json, settings)
}

function parseFile(text: string, file: string): unknown {
  if (Buffer.byteLength(text) > maxConfigBytes) refuse({ file, keys: [] }, 'no larger than 1 MiB')
  try {
    // Some editors write a byte order mark.
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    const hint = error instanceof Error ? error.message : String(error)
    throw new WikiError('wiki-bad-config', { params: [file, 'the file', 'a JSON object'], hint, cause: error })
  }
}

function readConfig(settings: unknown, file: string): WikiConfig {
  const config = wholeFile.read(settings, { file, keys: [] }) as WikiConfig
  if (config.root.split('/').some(isGitsOwn)) refuse({ file, keys: ['root'] }, rootExpected)
  checkNamespaceNames(config, file)
  checkNamespaceIds(config, file)
  checkMainPage(config, file)
  return config
}

/** Each name, in any case, belongs to one namespace. The standard names always keep theirs. */
function checkNamespaceNames(config: WikiConfig, file: string): void {
  const owners = new Map(namespaceNames(standardNamespaces).map(([name, id]) => [foldTitle(name), String(id)]))
  for (const [id, { name, aliases }] of Object.entries(config.namespaces)) {
    for (const [index, alias] of [name, ...aliases].entries()) {
      const owner = owners.get(foldTitle(alias)) ?? id
      const keys = index === 0 ? ['name'] : ['aliases', String(index - 1)]
      if (owner !== id) refuse({ file, keys: ['namespaces', id, ...keys] }, 'a name that no other namespace has')
      owners.set(foldTitle(alias), id)
    }
  }
}

function checkNamespaceIds(config: WikiConfig, file: string): void {
  const namespaces = namespacesOf(config)
  const index = config.searchedNamespaces.findIndex(id => id < namespaceIds.main || !namespaces.has(id))
  if (index !== -1) refuse({ file, keys: ['searchedNamespaces', String(index)] }, 'the id of a namespace with pages')
}

function checkMainPage(config: WikiConfig, file: string): void {
  try {
    parseTitle(config.mainPage, titleRules(config))
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) refuse({ file, keys: ['mainPage'] }, 'the title of a page')
    throw error
  }
}
