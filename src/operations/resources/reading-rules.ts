/** The settings on which the meaning of a page's text depends, for everything that is kept of texts. */

import { crc32 } from 'node:zlib'
import type { WikiConfig } from '../../core/wiki-config.ts'
import type { Store } from '../../store/store.ts'
import { linkDialect } from './link-dialect.ts'

/** Each setting: true if it decides which title a file has, or what a text says: its links, categories, redirects and markup. */
const decides: Readonly<Record<keyof WikiConfig, boolean>> = {
  name: false,
  language: true,
  mainPage: false,
  license: false,
  contact: false,
  root: true,
  namespaces: true,
  capitalization: true,
  searchedNamespaces: false,
  stemming: false,
  interwiki: true,
  languages: true,
  anonymousEdits: false,
  editableFiles: false,
  allowedOrigins: false,
  bots: false,
  layout: true,
  links: true,
  merge: false,
  limits: false,
  checks: false,
  // Only some texts are hidden: who keeps something of a text notes whether that one is.
  hidden: false,
}

const rulesByConfig = new WeakMap<WikiConfig, string>()

/** Returns a checksum of the rules by which texts are read: of those settings, and of the dialect, which a page such as `Home.md` decides. */
export function readingRules(store: Store): number {
  const { config } = store
  const settings = rulesByConfig.get(config) ?? JSON.stringify(Object.entries(config).filter(isDecisive))
  rulesByConfig.set(config, settings)
  return crc32(`${linkDialect(store)} ${settings}`)
}

function isDecisive([name]: readonly [string, unknown]): boolean {
  return decides[name as keyof WikiConfig]
}
