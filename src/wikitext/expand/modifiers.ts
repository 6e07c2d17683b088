/** Modifiers before a template's name. */

import { hasWideSigns, languageIn } from '../../core/languages.ts'
import { trimArgument } from '../preprocess/trim.ts'

export interface ModifiedTarget {
  /** The target without its modifiers, trimmed. */
  readonly target: string
  readonly substitution: 'subst' | 'safesubst' | undefined
  /** `msg`: the name is not a magic word; `msgnw`: the text is shown as source; `raw`: the page itself, always. */
  readonly modifier: 'msg' | 'msgnw' | 'raw' | undefined
}

type Substitution = NonNullable<ModifiedTarget['substitution']>
type Modifier = NonNullable<ModifiedTarget['modifier']>

const substitutions: Readonly<Record<string, Substitution>> = { subst: 'subst', safesubst: 'safesubst' }
const modifiers: Readonly<Record<string, Modifier>> = { msg: 'msg', msgnw: 'msgnw', raw: 'raw' }

/** Words of other languages for the modifiers, in lower case. Source: MediaWiki Messages*.php. */
const localWords: Readonly<Record<string, Readonly<Record<string, Substitution | Modifier>>>> = {
  ar: { نسخ: 'subst', نسخ_آمن: 'safesubst', رسالة: 'msg', رسالة_بدون_تهيئة: 'msgnw', خام: 'raw' },
  'be-tarask': { падстаноўка: 'subst', паведамленьне: 'msg', неапрацаваны: 'raw' },
  ca: { brut: 'raw' },
  cs: { vložit: 'subst', nahr: 'subst', vložitnw: 'msgnw', správa: 'msg' },
  de: { ers: 'subst', sicher_ers: 'safesubst', sicherers: 'safesubst', roh: 'raw' },
  es: { sust: 'subst', fijar: 'subst', msj: 'msg', sinformato: 'raw', sinpuntos: 'raw' },
  fa: { جایگزین: 'subst', جا: 'subst', جایگزین_امن: 'safesubst', جام: 'safesubst', پیغام: 'msg', خام: 'raw' },
  fi: { vastine: 'subst' },
  fr: { brut: 'raw' },
  is: { hrá: 'raw' },
  ja: { 展開: 'subst', 安全展開: 'safesubst', メッセージ: 'msg', ウィキ無効メッセージ: 'msgnw', 生: 'raw' },
  nl: { verv: 'subst', veiligverv: 'safesubst', bericht: 'msg', rauw: 'raw', ruw: 'raw' },
  pl: { podst: 'subst' },
  sr: { замени: 'subst', замена: 'subst', пор: 'msg', нвпор: 'msgnw', чист: 'raw' },
  tr: { yk: 'subst', yerinekoy: 'subst', kopyala: 'subst', aktar: 'subst', msj: 'msg', msjyn: 'msgnw', ham: 'raw' },
  zh: { 替代: 'subst', 安全替代: 'safesubst', 原始: 'raw' },
}

/**
 * Reads the modifiers before a template's name, in English or the words of a language. Source: MediaWiki help page on magic
 * words, Transclusion modifiers.
 */
export function readModifiers(text: string, language: string): ModifiedTarget {
  const local = localWords[languageIn(localWords, language)] ?? {}
  const colon = hasWideSigns(language) ? /[:\uff1a]/ : /:/
  const first = wordOf(text, colon)
  const substitution = wordIn(substitutions, local, first)
  const rest = substitution === undefined ? text : trimArgument(text.slice(first.length + 1))
  const second = wordOf(rest, colon)
  const modifier = wordIn(modifiers, local, second)
  return {
    target: modifier === undefined ? rest : trimArgument(rest.slice(second.length + 1)),
    substitution,
    modifier,
  }
}

/** The text before the first colon; "" if there is none. */
function wordOf(text: string, colon: RegExp): string {
  const end = text.slice(0, longestWord).search(colon)
  return end === -1 ? '' : text.slice(0, end)
}

/** Maximum length of a modifier and its colon, UTF-16 units. */
const longestWord = 40

function wordIn<Meaning extends string>(
  english: Readonly<Record<string, Meaning>>,
  local: Readonly<Record<string, string>>,
  word: string,
): Meaning | undefined {
  const folded = word.toLowerCase()
  const meaning = Object.hasOwn(local, folded) ? local[folded]! : folded
  return Object.hasOwn(english, meaning) ? english[meaning] : undefined
}
