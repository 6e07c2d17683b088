/** Properties of languages: variants, direction, names, tags. */

/** Languages with variants that wikitext can distinguish. Source: MediaWiki LanguageConverter::$languagesWithVariants. */
const withVariants: ReadonlySet<string> = new Set('ban crh gan iu ku mni sh shi sr tg tly uz wuu zgh zh'.split(' '))

/** Languages written from right to left. Source: MediaWiki's language data, `rtl`. */
const rightToLeft: ReadonlySet<string> = new Set(
  'aeb aeb-arab ajp apc ar arc arq ars ary arz azb bal bcc bgn bqi ckb dv fa glk ha-arab he khw kk-arab kk-cn ks ks-arab ku-arab lki lrc luz mzn nqo pnb ps sd sdh skr skr-arab ug ug-arab ur uz-arab yi'.split(
    ' ',
  ),
)

/**
 * Codes that MediaWiki writes differently from BCP 47. Source: MediaWiki LanguageCode::$deprecatedLanguageCodeMapping and its
 * non-standard codes.
 */
const standardCodes: Readonly<Record<string, string>> = {
  als: 'gsw',
  'bat-smg': 'sgs',
  bh: 'bho',
  'be-x-old': 'be-tarask',
  'cbk-zam': 'cbk',
  'de-formal': 'de-x-formal',
  'en-rtl': 'en-x-rtl',
  eml: 'egl',
  'es-formal': 'es-x-formal',
  'fiu-vro': 'vro',
  'hu-formal': 'hu-x-formal',
  'map-bms': 'jv-x-bms',
  mo: 'ro-Cyrl-MD',
  'nl-informal': 'nl-x-informal',
  nrm: 'nrf',
  'roa-rup': 'rup',
  'roa-tara': 'nap-x-tara',
  simple: 'en-simple',
  'sr-ec': 'sr-Cyrl',
  'sr-el': 'sr-Latn',
  'zh-cn': 'zh-Hans-CN',
  'zh-classical': 'lzh',
  'zh-hk': 'zh-Hant-HK',
  'zh-min-nan': 'nan',
  'zh-mo': 'zh-Hant-MO',
  'zh-my': 'zh-Hans-MY',
  'zh-sg': 'zh-Hans-SG',
  'zh-tw': 'zh-Hant-TW',
  'zh-yue': 'yue',
}

/** True if `-{` and `}-` are markup in this language. */
export function hasVariants(language: string): boolean {
  return withVariants.has(language.toLowerCase())
}

/** Writing direction of a language. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(language.toLowerCase()) ? 'rtl' : 'ltr'
}

/** True for a language tag that the platform accepts. */
export function isLanguageTag(code: string): boolean {
  return /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,6}$/.test(code) && canonical(code) !== undefined
}

/** Converts a code to BCP 47: `zh-Hant-TW`. */
export function languageTag(code: string): string {
  const lower = code.toLowerCase()
  const standard = Object.hasOwn(standardCodes, lower) ? standardCodes[lower]! : lower
  return standard
    .split('-')
    .map((part, index, parts) => subtag(part, index, parts[index - 1]))
    .join('-')
}

function subtag(part: string, index: number, before: string | undefined): string {
  if (index === 0 || before === 'x') return part
  if (part.length === 2) return part.toUpperCase()
  return part.length === 4 ? part[0]!.toUpperCase() + part.slice(1) : part
}

/** Name of a language, in itself or in another one; undefined if the platform has none. */
export function languageName(code: string, inLanguage = code): string | undefined {
  if (!isLanguageTag(code) || !isLanguageTag(inLanguage)) return undefined
  const names = new Intl.DisplayNames([inLanguage, 'en'], { type: 'language', fallback: 'none' })
  return names.of(languageTag(code))
}

function canonical(code: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(code)[0]
  } catch {
    return undefined
  }
}
