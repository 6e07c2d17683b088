/** Redirects: pages whose text only names another page. */

import { languageIn } from './languages.ts'

/**
 * Words of other languages that begin a redirect, besides `#REDIRECT`. Source: MediaWiki Messages*.php, magic word
 * `redirect`.
 */
const localWords: Readonly<Record<string, readonly string[]>> = {
  ar: ['#تحويل'],
  be: ['#перанакіраванне'],
  'be-tarask': ['#перанакіраваньне'],
  ca: ['#REDIRECCIÓ', '#REDIRECCIO', '#REDIRECCION'],
  cs: ['#PŘESMĚRUJ', '#presmeruj'],
  da: ['#OMDIRIGERING'],
  de: ['#WEITERLEITUNG'],
  el: ['#ΑΝΑΚΑΤΕΥΘΥΝΣΗ'],
  eo: ['#ALIDIREKTU', '#ALIDIREKTI', '#AL'],
  es: ['#REDIRECCIÓN', '#REDIRECCION'],
  fa: ['#تغییر_مسیر', '#تغییرمسیر'],
  fi: ['#OHJAUS', '#UUDELLEENOHJAUS'],
  fr: ['#REDIRECTION'],
  he: ['#הפניה'],
  hu: ['#ÁTIRÁNYÍTÁS'],
  id: ['#ALIH'],
  is: ['#TILVÍSUN'],
  it: ['#RINVIA', '#RINVIO', '#RIMANDO'],
  ja: ['#転送', '#リダイレクト', '＃転送', '＃リダイレクト'],
  kaa: ['#AÝDAW', '#АЙДАУ'],
  ko: ['#넘겨주기'],
  nl: ['#DOORVERWIJZING'],
  no: ['#OMDIRIGERING'],
  pl: ['#PATRZ', '#PRZEKIERUJ', '#TAM'],
  pt: ['#REDIRECIONAMENTO'],
  ro: ['#REDIRECTEAZA'],
  ru: ['#перенаправление', '#перенапр'],
  sk: ['#presmeruj'],
  sr: ['#ПРЕУСМЕРИ', '#ПРЕУСМЈЕРИ'],
  sv: ['#OMDIRIGERING'],
  tr: ['#YÖNLENDİRME', '#YÖNLENDİR'],
  uk: ['#ПЕРЕНАПРАВЛЕННЯ', '#ПЕРЕНАПР', '#перенаправление'],
  vi: ['#đổi', '#DOIHUONG'],
  zh: ['#重定向'],
}

const everyLanguage = '*'
const patterns = new Map<string, RegExp>()

/**
 * Makes the pattern of the start of a redirect, up to the brackets of its link; English words count in every language.
 * `*` stands for the words of all languages.
 */
export function redirectStart(language: string): RegExp {
  const key = language === everyLanguage ? language : languageIn(localWords, language)
  const pattern = patterns.get(key) ?? patternOf(key)
  patterns.set(key, pattern)
  return pattern
}

/** Lists the words that begin a redirect, `#` included, the language's preferred one first. `*` gives those of all languages. */
export function redirectWords(language: string): string[] {
  const local =
    language === everyLanguage ? Object.values(localWords).flat() : localWords[languageIn(localWords, language)]
  return [...new Set([...(local ?? []), '#REDIRECT'])]
}

function patternOf(key: string): RegExp {
  const words = redirectWords(key).join('|')
  return new RegExp(`^[\\s\\0]*(?:${words})\\s*(?::\\s*)?(?=\\[\\[)`, 'iu')
}

const target = /\[\[\s*:?([^[\]{|}\n<>]{1,1024})/y

/**
 * Reads the target of a redirect as written, including its fragment; null if the text is not a redirect in this
 * language, or with `*` in any. Source: MediaWiki WikitextContentHandler::extractRedirectTargetAndText.
 */
export function parseRedirect(text: string, language: string): string | null {
  const start = redirectStart(language).exec(text)?.[0]
  if (start === undefined) return null
  target.lastIndex = start.length
  const name = target.exec(text)?.[1]?.trim()
  return name === undefined || name === '' ? null : name
}
