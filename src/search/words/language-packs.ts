/** Languages with inflected words, and the modules that hold their rules. */

/** Stemmer and stop words of a language. */
interface LanguagePack {
  readonly stemmer: (word: string) => string
  readonly stopWords: readonly string[]
}

type Loaders = readonly [
  () => Promise<{ readonly stemmer: (word: string) => string }>,
  () => Promise<{ readonly stopwords: readonly string[] }>,
]

const loaders = {
  arabic: [() => import('@orama/stemmers/arabic'), () => import('@orama/stopwords/arabic')],
  armenian: [() => import('@orama/stemmers/armenian'), () => import('@orama/stopwords/armenian')],
  bulgarian: [() => import('@orama/stemmers/bulgarian'), () => import('@orama/stopwords/bulgarian')],
  danish: [() => import('@orama/stemmers/danish'), () => import('@orama/stopwords/danish')],
  dutch: [() => import('@orama/stemmers/dutch'), () => import('@orama/stopwords/dutch')],
  english: [() => import('@orama/stemmers/english'), () => import('@orama/stopwords/english')],
  finnish: [() => import('@orama/stemmers/finnish'), () => import('@orama/stopwords/finnish')],
  french: [() => import('@orama/stemmers/french'), () => import('@orama/stopwords/french')],
  german: [() => import('@orama/stemmers/german'), () => import('@orama/stopwords/german')],
  greek: [() => import('@orama/stemmers/greek'), () => import('@orama/stopwords/greek')],
  hungarian: [() => import('@orama/stemmers/hungarian'), () => import('@orama/stopwords/hungarian')],
  indonesian: [() => import('@orama/stemmers/indonesian'), () => import('@orama/stopwords/indonesian')],
  irish: [() => import('@orama/stemmers/irish'), () => import('@orama/stopwords/irish')],
  italian: [() => import('@orama/stemmers/italian'), () => import('@orama/stopwords/italian')],
  lithuanian: [() => import('@orama/stemmers/lithuanian'), () => import('@orama/stopwords/lithuanian')],
  nepali: [() => import('@orama/stemmers/nepali'), () => import('@orama/stopwords/nepali')],
  norwegian: [() => import('@orama/stemmers/norwegian'), () => import('@orama/stopwords/norwegian')],
  portuguese: [() => import('@orama/stemmers/portuguese'), () => import('@orama/stopwords/portuguese')],
  romanian: [() => import('@orama/stemmers/romanian'), () => import('@orama/stopwords/romanian')],
  russian: [() => import('@orama/stemmers/russian'), () => import('@orama/stopwords/russian')],
  serbian: [() => import('@orama/stemmers/serbian'), () => import('@orama/stopwords/serbian')],
  spanish: [() => import('@orama/stemmers/spanish'), () => import('@orama/stopwords/spanish')],
  swedish: [() => import('@orama/stemmers/swedish'), () => import('@orama/stopwords/swedish')],
  tamil: [() => import('@orama/stemmers/tamil'), () => import('@orama/stopwords/tamil')],
  turkish: [() => import('@orama/stemmers/turkish'), () => import('@orama/stopwords/turkish')],
  ukrainian: [() => import('@orama/stemmers/ukrainian'), () => import('@orama/stopwords/ukrainian')],
} satisfies Readonly<Record<string, Loaders>>

/** Codes without the part after a hyphen. */
const names: Readonly<Record<string, keyof typeof loaders>> = {
  ar: 'arabic',
  bg: 'bulgarian',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  simple: 'english',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  uk: 'ukrainian',
}

/** Stop words missing from the library's lists. */
const moreStopWords: { readonly [Name in keyof typeof loaders]?: readonly string[] } = { english: ['a'] }

/** Loads the pack of a language by its code; null if there is none. */
export async function loadLanguagePack(code: string): Promise<LanguagePack | null> {
  const base = code.toLowerCase().split('-')[0]!
  if (!Object.hasOwn(names, base)) return null
  const name = names[base]!
  const [stems, stops] = loaders[name]
  const [{ stemmer }, { stopwords }] = await Promise.all([stems(), stops()])
  return { stemmer, stopWords: [...stopwords, ...(moreStopWords[name] ?? [])] }
}
