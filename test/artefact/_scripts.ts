/** A page in each of eleven scripts, and a sign of texts that were read in another encoding. */

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
