/** Magic words of the options of a file link. Source: MediaWiki MessagesEn.php and its siblings, img_*. */

import { languageIn } from '../../core/languages.ts'

/** Options by the names Parsoid gives them in `optList`. */
export type MediaOptionKey =
  | 'thumbnail'
  | 'manualthumb'
  | 'framed'
  | 'frameless'
  | 'border'
  | 'left'
  | 'right'
  | 'center'
  | 'none'
  | 'baseline'
  | 'sub'
  | 'super'
  | 'top'
  | 'text_top'
  | 'middle'
  | 'bottom'
  | 'text_bottom'
  | 'width'
  | 'upright'
  | 'alt'
  | 'link'
  | 'lang'
  | 'page'
  | 'class'
  | 'starttime'
  | 'endtime'
  | 'thumbtime'
  | 'loop'
  | 'muted'

type Words = Readonly<Partial<Record<MediaOptionKey, readonly string[]>>>

/** `$1` stands for the value. */
const english: Words = {
  thumbnail: ['thumb', 'thumbnail'],
  manualthumb: ['thumbnail=$1', 'thumb=$1'],
  framed: ['frame', 'framed', 'enframed'],
  frameless: ['frameless'],
  border: ['border'],
  left: ['left'],
  right: ['right'],
  center: ['center', 'centre'],
  none: ['none'],
  baseline: ['baseline'],
  sub: ['sub'],
  super: ['super', 'sup'],
  top: ['top'],
  text_top: ['text-top'],
  middle: ['middle'],
  bottom: ['bottom'],
  text_bottom: ['text-bottom'],
  width: ['$1px'],
  upright: ['upright', 'upright=$1', 'upright $1'],
  alt: ['alt=$1'],
  link: ['link=$1'],
  lang: ['lang=$1'],
  page: ['page=$1', 'page $1'],
  class: ['class=$1'],
  starttime: ['start=$1'],
  endtime: ['end=$1'],
  thumbtime: ['thumbtime=$1'],
  loop: ['loop'],
  muted: ['muted'],
}

/** Words of other languages, in addition to the English ones. */
const localWords: Readonly<Record<string, Words>> = {
  ar: {
    thumbnail: ['تصغير'],
    manualthumb: ['تصغير=$1', 'مصغر=$1'],
    framed: ['إطار', 'بإطار'],
    frameless: ['لاإطار'],
    border: ['حدود'],
    left: ['يسار'],
    right: ['يمين'],
    center: ['مركز'],
    none: ['بدون', 'بلا'],
    baseline: ['خط_أساسي'],
    sub: ['فرعي'],
    super: ['سوبر', 'سب'],
    top: ['أعلى'],
    text_top: ['نص_أعلى'],
    middle: ['وسط'],
    bottom: ['أسفل'],
    text_bottom: ['نص_أسفل'],
    width: ['$1بك', '$1عن'],
    upright: ['معدول', 'معدول=$1', 'معدول_$1'],
    alt: ['بديل=$1'],
    link: ['وصلة=$1', 'رابط=$1'],
    lang: ['لغة=$1'],
    page: ['صفحة=$1', 'صفحة_$1'],
    class: ['رتبة=$1'],
  },
  'be-tarask': {
    thumbnail: ['значак', 'міні', 'мініяцюра'],
    manualthumb: ['значак=$1', 'міні=$1', 'мініяцюра=$1'],
    framed: ['рамка', 'безрамкі'],
    left: ['зьлева', 'злева'],
    right: ['справа'],
    center: ['цэнтар', 'цэнтр'],
    none: ['няма'],
    top: ['зьверху'],
    middle: ['пасярэдзіне'],
    bottom: ['зьнізу'],
    width: ['$1пкс'],
    link: ['спасылка=$1'],
    page: ['старонка=$1', 'старонка $1'],
  },
  ca: {
    thumbnail: ['miniatura', 'vinheta'],
    manualthumb: ['miniatura=$1', 'vinheta=$1'],
    framed: ['marc', 'quadre', 'enquagrat'],
    frameless: ['sense marc', 'sens_quadre'],
    border: ['vora', 'bordadura'],
    left: ['esquerra', 'esquèrra', 'senèstra', 'gaucha'],
    right: ['dreta', 'drecha'],
    center: ['centrat'],
    none: ['cap', 'neant', 'nonrés'],
    baseline: ['línia de base', 'linha_de_basa'],
    sub: ['indici', 'ind'],
    super: ['exp'],
    top: ['dalt', 'naut'],
    text_top: ['dalt-text', 'naut-tèxte', 'naut-txt'],
    middle: ['mitjà', 'mitan'],
    bottom: ['baix', 'bas'],
    text_bottom: ['baix-text', 'bas-tèxte', 'bas-txt'],
    upright: ['redreçat', 'redreçat=$1', 'redreçat $1', 'redreça', 'redreça$1', 'redreça $1'],
    link: ['enllaç=$1', 'ligam=$1'],
    lang: ['llengua=$1', 'idioma=$1'],
    page: ['pàgina=$1', 'pàgina $1'],
  },
  cs: {
    thumbnail: ['náhled', 'náhľad', 'náhľadobrázka'],
    manualthumb: ['náhled=$1'],
    framed: ['rám'],
    frameless: ['bezrámu'],
    border: ['okraj'],
    left: ['vlevo', 'vľavo'],
    right: ['vpravo'],
    center: ['střed', 'stred'],
    none: ['žádné', 'žiadny'],
    width: ['$1pixelů', '$1bod'],
    link: ['odkaz=$1'],
    lang: ['jazyk=$1'],
    page: ['strana=$1', 'strana_$1'],
    class: ['třída=$1'],
  },
  de: {
    thumbnail: ['mini', 'miniatur'],
    manualthumb: ['miniatur=$1', 'mini=$1'],
    framed: ['gerahmt'],
    frameless: ['rahmenlos'],
    border: ['rand'],
    left: ['links'],
    right: ['rechts'],
    center: ['zentriert'],
    none: ['ohne'],
    baseline: ['grundlinie'],
    sub: ['tiefgestellt', 'tief'],
    super: ['hochgestellt', 'hoch'],
    top: ['oben'],
    text_top: ['text-oben'],
    middle: ['mitte'],
    bottom: ['unten'],
    text_bottom: ['text-unten'],
    upright: ['hochkant', 'hochkant=$1', 'hochkant $1'],
    alt: ['alternativtext=$1'],
    link: ['verweis=$1'],
    lang: ['sprache=$1'],
    page: ['seite=$1', 'seite $1', 'seite_$1'],
    class: ['klasse=$1'],
  },
  eo: {
    thumbnail: ['eta'],
    manualthumb: ['eta=$1'],
    frameless: ['senkadra', 'senkadro'],
    framed: ['kadrita', 'enkadrita', 'kadro'],
    left: ['maldekstra', 'maldekstre'],
    right: ['dekstra', 'dekstre'],
    center: ['centra', 'centrigita', 'centre'],
    none: ['neniu', 'senio'],
    width: ['$1ra'],
    alt: ['alternative=$1', 'alt=$1'],
    link: ['ligilo=$1'],
    page: ['paĝo=$1', 'paĝo $1'],
  },
  es: {
    thumbnail: ['miniaturadeimagen', 'miniatura', 'mini'],
    manualthumb: ['miniaturadeimagen=$1', 'miniatura=$1'],
    framed: ['marco', 'enmarcado', 'enmarcada'],
    frameless: ['sinmarco', 'sin_embarcar', 'sinenmarcar', 'sin_enmarcar'],
    border: ['borde'],
    left: ['izquierda', 'izda', 'izq'],
    right: ['derecha', 'dcha', 'der'],
    center: ['centro', 'centrado', 'centrada', 'centrar'],
    none: ['ninguna', 'nada', 'no', 'ninguno'],
    upright: ['vertical', 'vertical=$1', 'vertical $1'],
    link: ['vínculo=$1', 'vinculo=$1', 'enlace=$1'],
    lang: ['idioma=$1'],
    page: ['página=$1', 'página $1', 'pagina=$1'],
    class: ['clase=$1'],
  },
  fa: {
    thumbnail: ['بندانگشتی', 'انگشتی', 'انگشتدان'],
    manualthumb: ['بندانگشتی=$1', 'انگشتدان=$1', 'انگشتی=$1'],
    framed: ['قاب'],
    frameless: ['بی‌قاب', 'بیقاب', 'بی_قاب'],
    border: ['حاشیه'],
    left: ['چپ'],
    right: ['راست'],
    center: ['وسط'],
    none: ['هیچ'],
    baseline: ['همکف'],
    sub: ['زیر'],
    super: ['زبر'],
    top: ['بالا'],
    text_top: ['متن-بالا'],
    middle: ['میانه'],
    bottom: ['پایین'],
    text_bottom: ['متن-پایین'],
    width: ['$1پیکسل'],
    upright: ['ایستاده', 'ایستاده=$1', 'ایستاده_$1'],
    alt: ['جایگزین=$1'],
    link: ['پیوند=$1'],
    lang: ['زبان=$1'],
    page: ['صفحه=$1', 'صفحه_$1'],
    class: ['کلاس=$1'],
  },
  fi: {
    thumbnail: ['pienoiskuva', 'pienois'],
    manualthumb: ['pienoiskuva=$1', 'pienois=$1'],
    framed: ['kehys', 'kehystetty'],
    frameless: ['kehyksetön'],
    border: ['reunus'],
    left: ['vasen'],
    right: ['oikea'],
    center: ['keski', 'keskitetty'],
    none: ['tyhjä'],
    baseline: ['perustaso'],
    sub: ['alaindeksi'],
    super: ['yläindeksi'],
    top: ['ylös', 'ylhäällä'],
    middle: ['keskellä'],
    bottom: ['alas', 'alhaalla'],
    upright: ['yläoikea', 'yläoikea=$1', 'yläoikea_$1'],
    link: ['linkki=$1'],
    page: ['sivu=$1', 'sivu_$1'],
  },
  fr: {
    thumbnail: ['vignette'],
    manualthumb: ['vignette=$1'],
    framed: ['cadre', 'encadré', 'encadre'],
    frameless: ['sans_cadre', 'non_encadré'],
    border: ['bordure'],
    left: ['gauche'],
    right: ['droite'],
    center: ['centré'],
    none: ['néant', 'neant'],
    upright: ['redresse', 'redresse=$1', 'redresse $1'],
    link: ['lien=$1'],
    lang: ['langue=$1'],
    page: ['page=$1', 'page $1'],
    class: ['classe=$1'],
  },
  is: {
    manualthumb: ['þumall'],
    left: ['vinstri'],
    right: ['hægri'],
    center: ['miðja'],
    none: ['engin'],
    sub: ['undir'],
    super: ['yfir'],
    top: ['efst'],
    bottom: ['neðst'],
    text_bottom: ['texti-neðst'],
    width: ['$1dp'],
  },
  ja: {
    thumbnail: ['サムネイル'],
    manualthumb: ['代替画像=$1', 'サムネイル=$1'],
    framed: ['フレーム'],
    frameless: ['フレームなし'],
    border: ['境界', 'ボーダー'],
    left: ['左'],
    right: ['右'],
    center: ['中央'],
    none: ['なし', '無し'],
    baseline: ['下線', 'ベースライン'],
    sub: ['下付き'],
    super: ['上付き'],
    top: ['上端'],
    text_top: ['文上端'],
    middle: ['中心'],
    bottom: ['下端'],
    text_bottom: ['文下端'],
    width: ['$1ピクセル'],
    upright: ['右上'],
    alt: ['代替文=$1'],
    link: ['リンク=$1'],
    page: ['ページ=$1', 'ページ $1'],
  },
  kaa: {
    thumbnail: ['nobaý', 'нобай'],
    manualthumb: ['nobaý=$1', 'нобай=$1'],
    framed: ['sürmeli', 'сүрмелі'],
    frameless: ['sürmesiz', 'сүрмесіз'],
    border: ['jïekti', 'жиекті'],
    left: ['solğa', 'sol', 'солға', 'сол'],
    right: ['oñğa', 'oñ', 'оңға', 'оң'],
    center: ['ortağa', 'orta', 'ортаға', 'орта'],
    none: ['eşqandaý', 'joq', 'ешқандай', 'жоқ'],
    baseline: ['tirekjol', 'тірекжол'],
    sub: ['astılığı', 'ast', 'астылығы', 'аст'],
    super: ['üstiligi', 'üst', 'үстілігі', 'үст'],
    top: ['üstine', 'үстіне'],
    text_top: ['mätin-üstinde', 'мәтін-үстінде'],
    middle: ['aralığına', 'аралығына'],
    bottom: ['astına', 'астына'],
    text_bottom: ['mätin-astında', 'мәтін-астында'],
    width: ['$1 nükte', '$1 нүкте'],
    upright: ['tikti', 'tiktik=$1', 'tiktik $1', 'тікті', 'тіктік=$1', 'тіктік $1'],
    page: ['bet=$1', 'bet $1', 'бет=$1', 'бет $1'],
  },
  nl: {
    thumbnail: ['miniatuur', 'mini'],
    manualthumb: ['miniatuur=$1', 'mini=$1'],
    framed: ['omkaderd'],
    frameless: ['kaderloos'],
    border: ['rand'],
    left: ['links'],
    right: ['rechts'],
    center: ['gecentreerd'],
    none: ['geen'],
    upright: ['rechtop', 'rechtop=$1', 'rechtop$1'],
    link: ['koppeling=$1', 'verwijzing=$1'],
    lang: ['taal=$1'],
    page: ['pagina=$1', 'pagina_$1'],
    class: ['klasse=$1'],
  },
  ru: {
    thumbnail: ['мини', 'миниатюра'],
    manualthumb: ['мини=$1', 'миниатюра=$1'],
    framed: ['обрамить'],
    frameless: ['безрамки'],
    border: ['граница'],
    left: ['слева'],
    right: ['справа'],
    center: ['центр'],
    none: ['без'],
    width: ['$1пкс'],
    upright: ['сверхусправа', 'сверхусправа=$1'],
    alt: ['альт=$1'],
    link: ['ссылка=$1'],
    page: ['страница=$1', 'страница $1'],
    class: ['класс=$1'],
  },
  sr: {
    thumbnail: ['мини', 'умањено', 'mini', 'umanjeno'],
    left: ['лево', 'л', 'levo', 'l'],
    right: ['десно', 'д', 'desno', 'd'],
    center: ['центар', 'ц', 'centar', 'c'],
    none: ['н', 'без', 'n', 'bez'],
    framed: ['оквир', 'рам', 'okvir', 'ram'],
    frameless: ['безоквира', 'bezokvira'],
    width: ['$1пискел', '$1п', '$1piskel', '$1p'],
  },
  tr: {
    thumbnail: ['küçükresim', 'küçük'],
    manualthumb: ['küçükresim=$1', 'küçük=$1'],
    framed: ['çerçeveli', 'çerçeve'],
    frameless: ['çerçevesiz'],
    border: ['sınır'],
    left: ['sol'],
    right: ['sağ'],
    center: ['orta'],
    none: ['yok'],
    baseline: ['tabançizgisi', 'altçizgi'],
    sub: ['alt'],
    super: ['üst', 'üs'],
    top: ['tepe', 'tavan'],
    text_top: ['metin-tavan', 'metin-tepe'],
    middle: ['merkez'],
    bottom: ['taban'],
    text_bottom: ['metin-taban'],
    width: ['$1pik', '$1piksel'],
    upright: ['dikey', 'dikey=$1', 'dikey $1'],
    link: ['bağlantı=$1'],
    page: ['sayfa=$1', 'sayfa $1'],
    class: ['sınıf=$1'],
  },
  zh: {
    thumbnail: ['缩略图'],
    manualthumb: ['缩略图=$1'],
    framed: ['有框'],
    frameless: ['无框'],
    border: ['边框'],
    left: ['左'],
    right: ['右'],
    center: ['居中'],
    none: ['无'],
    baseline: ['基线'],
    sub: ['子'],
    super: ['超'],
    top: ['顶部'],
    text_top: ['文字顶部'],
    middle: ['中间'],
    bottom: ['底部'],
    text_bottom: ['文字底部'],
    width: ['$1像素'],
    upright: ['右上', '右上=$1', '右上$1'],
    alt: ['替代=$1', '替代文本=$1'],
    link: ['链接=$1'],
    lang: ['语言=$1'],
    page: ['页数=$1', '$1页'],
    class: ['类=$1'],
  },
}

/** A word before or after a value. */
interface Affix {
  readonly key: MediaOptionKey
  readonly text: string
}

/** The words of a language, prepared for look-up. */
export interface MediaWords {
  /** Writes an option in the wiki's preferred words; a value replaces `$1`. */
  readonly write: (key: MediaOptionKey, value?: string) => string
  /** Whole options. */
  readonly whole: ReadonlyMap<string, MediaOptionKey>
  readonly prefixes: readonly Affix[]
  readonly suffixes: readonly Affix[]
}

/** Prepares the words of a wiki's language, then the English ones. */
export function mediaWords(language: string): MediaWords {
  const local: Words = localWords[languageIn(localWords, language)] ?? {}
  const rows = [local, english].flatMap(words =>
    Object.entries(words).flatMap(([key, texts]) => texts.map(text => ({ key: key as MediaOptionKey, text }))),
  )
  const whole = new Map<string, MediaOptionKey>()
  for (const { key, text } of rows) if (!text.includes('$1') && !whole.has(text)) whole.set(text, key)
  const affixes = (pattern: RegExp): Affix[] =>
    rows.filter(({ text }) => pattern.test(text)).map(({ key, text }) => ({ key, text: text.replace('$1', '') }))
  const write = (key: MediaOptionKey, value?: string): string => {
    const fits = (text: string): boolean => text.includes('$1') === (value !== undefined)
    const word = [...(local[key] ?? []), ...(english[key] ?? [])].find(fits) ?? ''
    return value === undefined ? word : word.replace('$1', () => value)
  }
  return { whole, prefixes: affixes(/\$1$/), suffixes: affixes(/^\$1/), write }
}
