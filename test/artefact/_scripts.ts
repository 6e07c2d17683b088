/** A page in each of eleven scripts, generated pages of the same scripts, and a sign of texts that were read in another encoding. */

import { oneOf, type Random, randomOf } from '../store/_random-attributes.ts'

/** The bytes of a character of UTF-8, read as Latin-1: `Ã¼` for `ü`; `«` and `»` may follow a letter. No text here, and no word of the pages, looks so. */
export const garbled = /[\xc2-\xf4][\x80-\xaa\xac-\xba\xbc-\xbf]|\uFFFD/

export interface Script {
  readonly name: string
  readonly title: string
  readonly text: string
  readonly summary: string
  readonly user: string
  /** Words of the text that a search finds. */
  readonly words: string
}

const rows: readonly (readonly [
  name: string,
  title: string,
  text: string,
  summary: string,
  user: string,
  words: string,
])[] = [
  [
    'Latin with accents',
    'Crème brûlée',
    'Žluťoučký kůň – „pâté“, Łódź.',
    'Première ébauche · Œuvre',
    'Zoë Ångström',
    'pâté',
  ],
  ['Greek', 'Ελληνικά', 'Η παλίρροια στο λιμάνι· «νερό».', 'Πρώτη έκδοση', 'Αλέξης Ζορμπάς', 'παλίρροια'],
  [
    'Cyrillic',
    'Прилив и отлив',
    'Вода поднимается дважды в день — «ёлка».',
    'Первая версия',
    'Ганна Ївга',
    'поднимается',
  ],
  ['Hebrew', 'גאות ושפל', 'המים עולים פעמיים ביום, צה״ל.', 'גרסה ראשונה', 'רות כהן', 'המים'],
  ['Arabic', 'المد والجزر', 'يرتفع الماء مرتين في اليوم، ١٢٣.', 'النسخة الأولى', 'سلمى حداد', 'الماء'],
  ['Devanagari', 'ज्वार भाटा', 'पानी दिन में दो बार बढ़ता है।', 'पहला संस्करण', 'आशा शर्मा', 'पानी'],
  ['Thai', 'น้ำขึ้นน้ำลง', 'น้ำทะเลขึ้นวันละสองครั้ง', 'ฉบับแรก', 'สมชาย ใจดี', 'น้ำทะเล'],
  ['Han', '潮汐', '海水每天涨落两次。「駅（東京）」', '初稿', '李小龍', '海水'],
  ['Kana', 'しおのみちひき', 'カタカナとひらがなの「テスト」。', 'さいしょのはん', 'やまだ はなこ', 'カタカナ'],
  ['Hangul', '밀물과 썰물', '바닷물은 하루에 두 번 오른다.', '첫 번째 판', '김영희', '바닷물은'],
  ['beyond the BMP', '𐌲𐌿𐍄𐌹𐍃𐌺 🌊', 'Wave 🌊👩‍👩‍👧 𝒳 𠮷野家.', 'First 🎉', 'Ada 🚢', '𠮷野家'],
]

export const scripts: readonly Script[] = rows.map(([name, title, text, summary, user, words]) => ({
  name,
  title,
  text,
  summary,
  user,
  words,
}))

/** Blocks of letters, each with its first and last code point. */
const alphabets: readonly (readonly [name: string, ...(readonly [number, number])[]])[] = [
  ['Latin with accents', [0xc0, 0x24f], [0x1e00, 0x1eff]],
  ['Greek', [0x370, 0x3ff], [0x1f00, 0x1fff]],
  ['Cyrillic', [0x400, 0x52f]],
  ['Hebrew', [0x5d0, 0x5ea]],
  ['Arabic', [0x620, 0x64a], [0x671, 0x6d3]],
  ['Devanagari', [0x904, 0x939]],
  ['Thai', [0xe01, 0xe30]],
  ['Han', [0x4e00, 0x9fff]],
  ['Kana', [0x3041, 0x3096], [0x30a1, 0x30fa]],
  ['Hangul', [0xac00, 0xd7a3]],
  ['beyond the BMP', [0x10330, 0x10340], [0x20000, 0x2a6d6], [0x1e900, 0x1e943]],
]

/** Letters that a title and a text keep as they are: of one case or capital, and in no need of composition. */
function lettersOf(blocks: readonly (readonly [number, number])[]): readonly string[] {
  return blocks
    .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => String.fromCodePoint(from + at)))
    .filter(letter => /^\p{L}$/u.test(letter) && letter === letter.normalize('NFKC') && letter === letter.toUpperCase())
}

/** A page with words of random letters in each script; a seed gives the same ones again. */
export function generatedScripts(seed: number): readonly Script[] {
  const random = randomOf(seed)
  return alphabets.map(([name, ...blocks]) => {
    const letters = lettersOf(blocks)
    const words = (most: number): string => times(random, most, () => wordOf(random, letters)).join(' ')
    const sought = wordOf(random, letters)
    const text = `${words(6)} „${sought}“ — ${words(6)}.`
    return { name, title: words(3), text, summary: words(4), user: words(2), words: sought }
  })
}

const wordOf = (random: Random, letters: readonly string[]): string =>
  times(random, 6, () => oneOf(random, letters)).join('')

/** Makes between half of `most` and `most` items. */
const times = <Item>(random: Random, most: number, make: () => Item): Item[] =>
  Array.from({ length: most - random(Math.ceil(most / 2)) }, make)
