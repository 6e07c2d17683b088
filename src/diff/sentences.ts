/** Sentences of a line, cells of a row, and words: the units that a merge of one line keeps whole. Source: docs/reference/comparison.md#merging. */

/** A text cut into units, whose texts together are the whole. */
export interface Units {
  readonly texts: readonly string[]
}

/** An end of a sentence, with its notes, before something that may begin one, or a mark that ends one in scripts without spaces. */
const sentenceEnd =
  /(?:[.!?\u2026\u061f\u06d4\u0964](?:["')\]\u2019\u201d\u00bb*_]|\[\^[^\]\n]{1,60}\]|<\/?\w[^<>\n]{0,200}>){0,6}\s+(?=["'([\u2018\u201c\u00ab*_]{0,4}[\p{Lu}\p{Lt}\p{Lo}])|[\u3002\uff01\uff1f][\u300d\u300f\u201d\uff09]?)/gu

/** Cuts a line into sentences; each has the space that follows it. */
export function splitSentences(line: string): string[] {
  return cutAfter(line, sentenceEnd)
}

/** Cells of one line: a sign inside a link, a template or code separates none. */
const cellEnd = /\[\[[^[\]\n]*\]\]|\{\{[^{}\n]*\}\}|`[^`\n]*`|<[^<>\n]*>|\|\||!!|\|/g

/** Cuts a row into cells; each has the sign that follows it. */
export function splitCells(line: string): string[] {
  const cells: string[] = []
  let start = 0
  for (const { 0: sign, index } of line.matchAll(cellEnd)) {
    if (!/^(?:\|\|?|!!)$/.test(sign)) continue
    cells.push(line.slice(start, index + sign.length))
    start = index + sign.length
  }
  cells.push(line.slice(start))
  return cells.filter(cell => cell !== '')
}

function cutAfter(text: string, end: RegExp): string[] {
  const units: string[] = []
  let start = 0
  for (const { 0: sign, index } of text.matchAll(end)) {
    units.push(text.slice(start, index + sign.length))
    start = index + sign.length
  }
  if (start < text.length) units.push(text.slice(start))
  return units
}

/**
 * Whole values first: links with their targets, templates, tags with their attributes, formulas, code; then white space; then
 * runs without it, whose outer punctuation is apart: `3.14`, `10:30`, `a@b.org`, `/path`, `well-known` are one word each.
 */
const word =
  /\[\[[^[\]|\n]*|\]\([^()\s]*\)|\{\{[^{}\n]*\}\}|<[^<>\n]*>|`[^`\n]*`|\$[^$\n]*\$|\s+|'{2,}|\*+|~~|[\p{L}\p{M}\p{N}](?:[^\s|[\]{}<>()"*]*[\p{L}\p{M}\p{N}%\u00b0])?|[\s\S]/gu

/** Scripts that are written without spaces between words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** Maximum length of a run, in UTF-16 units, that is segmented at once. The segmenter takes more than linear time. */
const segmenterReach = 500

/** Cuts a text into words, values, white space and other characters. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  for (const [segment] of text.matchAll(word)) {
    if (!isWord(segment) || !unspaced.test(segment)) words.push(segment)
    // Not as the arguments of one call, because a line may have more of them than fit on the stack.
    else for (const one of cutUnspaced(segment)) words.push(one)
  }
  return words
}

function* cutUnspaced(run: string): Generator<string> {
  const segmenter = new Intl.Segmenter('en', { granularity: 'word' })
  for (let start = 0; start < run.length; start += segmenterReach) {
    for (const { segment } of segmenter.segment(run.slice(start, start + segmenterReach))) yield segment
  }
}

/** Returns true for a unit with letters or digits. */
export function isWord(unit: string): boolean {
  return /[\p{L}\p{N}]/u.test(unit)
}

/** Words that turn the meaning of a clause around, or bound it. Language by language: English, German, French, Spanish, Italian, Dutch, Portuguese, Russian. */
const turning = new Set(
  (
    'not no never none nobody nothing nor neither without cannot except unless only all every any some most few many least each both half hardly ' +
    'nicht kein keine keinen keiner keines nie niemals niemand nichts ohne weder nur alle jeder jede jedes einige meisten außer ' +
    'ne pas jamais aucun aucune rien personne sans ni seulement tous toutes chaque sauf ' +
    'nunca ninguno ninguna nada nadie sin solo todos todas cada algunos salvo ' +
    'non mai nessuno nessuna niente senza né solo tutti tutte ogni alcuni tranne ' +
    'niet geen nooit niemand niets zonder noch alleen elke sommige behalve ' +
    'não nunca nenhum nenhuma sem nem só todos todas alguns exceto ' +
    'не нет никогда никто ничего без ни только все каждый некоторые кроме'
  ).split(' '),
)

/** Returns true for a word that another change in its sentence must not stand beside: a number, a negation, a quantity. A target is none. */
export function isWeighty(unit: string): boolean {
  return /^(?!\[\[|\]\().*\p{N}|n['\u2019]t$/u.test(unit) || turning.has(unit.toLowerCase())
}

/** Returns what a piece of text opens without closing it, as a comparable text. */
export function balanceOf(text: string): string {
  const counts = new Map<string, number>()
  for (const [sign] of text.matchAll(/\[\[|\]\]|\{\{|\}\}|<\/?[a-z]+|'{2,}|\*+|`+|~~|[_$"()]/gi)) {
    const [kind, step] = pairs.get(sign) ?? [sign.replace('/', '').toLowerCase(), sign.startsWith('</') ? -1 : 1]
    counts.set(kind, (counts.get(kind) ?? 0) + step)
  }
  return [...counts]
    .map(([kind, count]) => (twoWay.has(kind) || kind.startsWith('<') ? `${kind}${count}` : `${kind}${count % 2}`))
    .filter(one => !one.endsWith('0'))
    .sort()
    .join(' ')
}

const pairs: ReadonlyMap<string, readonly [string, number]> = new Map([
  ['[[', ['[[', 1]],
  [']]', ['[[', -1]],
  ['{{', ['{{', 1]],
  ['}}', ['{{', -1]],
  ['(', ['(', 1]],
  [')', ['(', -1]],
])
const twoWay = new Set(['[[', '{{', '('])

/** Returns true for a line whose last sentence ends. */
export function endsSentence(line: string): boolean {
  return /[.!?:\u2026\u3002\uff01\uff1f\u061f\u06d4\u0964]["')\]\u2019\u201d\u00bb*_]{0,4}\s{0,8}$/.test(
    line.slice(-16),
  )
}
