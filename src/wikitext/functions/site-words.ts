/** Magic words about the wiki. Source: MediaWiki help page on magic words, Technical metadata and Statistics. */

import type { FunctionCall, FunctionTable } from '../expansion/function.ts'
import { directionOf } from '../expansion/languages.ts'
import type { WikiStatistics } from '../wiki-source.ts'
import { formatNumber } from './number-format.ts'

function statistic(count: (statistics: WikiStatistics) => number): (call: FunctionCall) => string {
  return call => {
    const { sourceCache, locale } = call.context
    const statistics = sourceCache.statistics()
    if (statistics === undefined) return ''
    const number = String(count(statistics))
    return call.text(0).toUpperCase() === 'R' ? number : formatNumber(number, locale)
  }
}

const hostName = ({ context }: FunctionCall) => /^[^/]*\/\/([^/:]+|\[[^\]]*\])/.exec(context.server)?.[1] ?? ''
const contentLanguage = ({ context }: FunctionCall) => context.language
const directionMark = ({ context }: FunctionCall) => (directionOf(context.language) === 'rtl' ? '\u200f' : '\u200e')

/** Case-sensitive words in capitals. */
export const siteTable: FunctionTable = {
  SITENAME: ({ context }) => context.config.name || 'Wiki',
  CURRENTVERSION: () => '1.43.0',
  CONTENTLANGUAGE: contentLanguage,
  CONTENTLANG: contentLanguage,
  PAGELANGUAGE: contentLanguage,
  USERLANGUAGE: contentLanguage,
  USERLANG: contentLanguage,
  DIRECTIONMARK: directionMark,
  DIRMARK: directionMark,
  NUMBEROFPAGES: statistic(({ pages }) => pages),
  NUMBEROFARTICLES: statistic(({ articles }) => articles),
  NUMBEROFFILES: statistic(({ files }) => files),
  NUMBEROFEDITS: statistic(({ edits }) => edits),
  NUMBEROFUSERS: statistic(({ users }) => users),
  NUMBEROFACTIVEUSERS: statistic(({ activeUsers }) => activeUsers),
  NUMBEROFADMINS: statistic(({ admins }) => admins),
  '!': () => '|',
  '=': () => '=',
}

/** Case-insensitive words. */
export const serverTable: FunctionTable = {
  SERVER: ({ context }) => context.server,
  SERVERNAME: hostName,
  SCRIPTPATH: () => '',
  ARTICLEPATH: () => '/wiki/$1',
  STYLEPATH: () => '/skins',
}
