/** Magic words of the options of a file link. Source: MediaWiki MessagesEn.php and its siblings, img_*. */

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
}

/** A word before or after a value. */
interface Affix {
  readonly key: MediaOptionKey
  readonly text: string
}

/** The words of a language, prepared for look-up. */
export interface MediaWords {
  /** Whole options. */
  readonly whole: ReadonlyMap<string, MediaOptionKey>
  readonly prefixes: readonly Affix[]
  readonly suffixes: readonly Affix[]
}

/** Prepares the words of a wiki's language, then the English ones. */
export function mediaWords(language: string): MediaWords {
  const local = Object.hasOwn(localWords, language) ? localWords[language]! : {}
  const rows = [local, english].flatMap(words =>
    Object.entries(words).flatMap(([key, texts]) => texts.map(text => ({ key: key as MediaOptionKey, text }))),
  )
  const whole = new Map<string, MediaOptionKey>()
  for (const { key, text } of rows) if (!text.includes('$1') && !whole.has(text)) whole.set(text, key)
  const affixes = (pattern: RegExp): Affix[] =>
    rows.filter(({ text }) => pattern.test(text)).map(({ key, text }) => ({ key, text: text.replace('$1', '') }))
  return { whole, prefixes: affixes(/\$1$/), suffixes: affixes(/^\$1/) }
}
