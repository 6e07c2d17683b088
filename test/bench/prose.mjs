/**
 * Texts for benchmarks that resemble those of real wikis in everything that affects an index: few words make up most of a text
 * (Zipf) and many are on one page only, most pages are short and some are long, with links, headings, categories, templates,
 * redirects, identifiers, accents and some pages in Chinese. The same page of a wiki with the same number of pages is always
 * the same text.
 */

const syllables = (
  'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo za ' +
  'bra cle dri flo gru pha ste tri an el in or ul est ing'
).split(' ')
const vocabularySize = 400_000
const titleWords = 30_000
const signs =
  '的一是不了人我在有他这为之大来以个中上们到说国和地也子时道出而要于就下得可你年生自会那后能对着事其里所去行过家十用发天如'

/** The word with this rank; frequent words are short. One of 40 has an accent. */
function spell(rank) {
  let word = ''
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return rank % 40 === 39 ? word.replace(/[aeou]/, vowel => ({ a: 'á', e: 'é', o: 'ö', u: 'ü' })[vowel]) : word
}

const spelt = []

/** The word with a rank from 0 on. */
export function wordOf(rank) {
  spelt[rank] ??= spell(rank)
  return spelt[rank]
}

/** Pseudo-random numbers from 0 to below 1 for a seed. */
export function randomNumbers(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A word with the frequency of its rank: a word of twice the rank is half as frequent. */
export function drawWord(random, vocabulary = vocabularySize) {
  return wordOf(Math.floor(vocabulary ** random()) - 1)
}

/** This number of words in a row. */
export function drawWords(random, count, vocabulary = vocabularySize) {
  let text = ''
  for (let at = 0; at < count; at++)
    text += at === 0 ? drawWord(random, vocabulary) : ` ${drawWord(random, vocabulary)}`
  return text
}

const capital = text => text[0].toUpperCase() + text.slice(1)

/** Title of a page: two words and its number, so that titles differ. One page in 25 is a redirect. */
export function titleOf(page) {
  const random = randomNumbers(page * 7 + 1)
  const words = `${drawWord(random, titleWords)} ${drawWord(random, titleWords)}`
  return page % 90 === 17 ? `Talk:${capital(words)} ${page}` : `${capital(words)} ${page}`
}

/** Text of a page in one of its states. */
export function proseOf(page, pages, state = 0) {
  const random = randomNumbers(page * 31 + state * 1_000_003 + 7)
  const linked = () => titleOf(Math.floor(pages * random() ** 3))
  if (page % 25 === 24) return `#REDIRECT [[${linked()}]]\n`
  // Half of the pages have less than 2 KB, one of a hundred more than 25 KB.
  const size = Math.min(200_000, 1_800 * Math.exp(1.1 * normal(random)))
  const parts = [`{{Infobox\n| name = ${titleOf(page)}\n| size = ${page}\n}}\n'''${titleOf(page)}''' is `]
  let length = 0
  for (let paragraph = 0; length < size; paragraph++) {
    const text = page % 200 === 150 ? chinese(random, 120) : sentences(random, 50 + 60 * random())
    const heading = paragraph % 3 === 2 ? `\n== ${capital(drawWords(random, 2, titleWords))} ==\n` : '\n'
    parts.push(`${text} See [[${linked()}]] and [[${linked()}|${drawWord(random)}]].\n${heading}`)
    length += text.length + heading.length + 40
  }
  parts.push(`\n[[Category:${capital(wordOf(page % 200))}]]\n[[Category:${capital(wordOf(page % 7))}]]\n`)
  return parts.join('')
}

function sentences(random, count) {
  let text = ''
  for (let left = count; left > 0; ) {
    const length = 6 + Math.floor(random() * 18)
    text += `${capital(drawWords(random, length))}. `
    left -= length
  }
  const chance = random()
  if (chance < 0.1) text += `RFC-${Math.floor(random() * 9000)} says so. `
  if (chance < 0.3)
    text += `It was in ${1500 + Math.floor(random() * 520)}<ref>{{cite|title=${drawWords(random, 3)}}}</ref>. `
  return text
}

function chinese(random, count) {
  let text = ''
  for (let at = 0; at < count; at++) text += at % 17 === 16 ? '，' : signs[Math.floor(signs.length ** random()) - 1]
  return text
}

/** A normally distributed number. */
function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
