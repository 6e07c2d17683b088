/** The wiki that the parser tests expect: its other wikis, and its files. */

const media = 'http://example.com/images'

const interwiki = {
  wikipedia: 'http://en.wikipedia.org/wiki/$1',
  meatball: 'http://www.usemod.com/cgi-bin/mb.pl?$1',
  gerrit: 'https://gerrit.wikimedia.org/$1',
  pmid: '//www.ncbi.nlm.nih.gov/pubmed/$1?dopt=Abstract',
}

const languages = {
  ar: 'http://ar.wikipedia.org/wiki/$1',
  en: '//en.wikipedia.org/wiki/$1',
  es: 'http://es.wikipedia.org/wiki/$1',
  fr: 'http://fr.wikipedia.org/wiki/$1',
  ln: 'http://ln.wikipedia.org/wiki/$1',
  zh: 'http://zh.wikipedia.org/wiki/$1',
}

/** Prefixes of the wiki itself. */
export const localPrefixes = ['local', 'mi']

/** Names of namespaces, by language and id. */
const namespaceNames = {
  ar: { '-2': 'ميديا', 1: 'نقاش', 2: 'مستخدم', 6: 'ملف', 10: 'قالب', 14: 'تصنيف' },
  de: {
    '-2': 'Medium',
    1: 'Diskussion',
    2: 'Benutzer',
    3: 'Benutzer Diskussion',
    6: 'Datei',
    10: 'Vorlage',
    14: 'Kategorie',
  },
  eo: { '-2': 'Aŭdvidaĵo', 1: 'Diskuto', 2: 'Uzanto', 6: 'Dosiero', 10: 'Ŝablono', 14: 'Kategorio' },
  es: {
    '-2': 'Medio',
    1: 'Discusión',
    2: 'Usuario',
    3: 'Usuario discusión',
    6: 'Archivo',
    10: 'Plantilla',
    14: 'Categoría',
  },
  fr: { '-2': 'Média', 1: 'Discussion', 2: 'Utilisateur', 6: 'Fichier', 10: 'Modèle', 14: 'Catégorie' },
  is: { '-2': 'Miðill', 1: 'Spjall', 2: 'Notandi', 6: 'Mynd', 10: 'Snið', 14: 'Flokkur' },
  ru: { '-2': 'Медиа', 1: 'Обсуждение', 2: 'Участник', 6: 'Файл', 10: 'Шаблон', 14: 'Категория' },
  sr: { '-2': 'Медиј', 1: 'Разговор', 2: 'Корисник', 6: 'Датотека', 10: 'Шаблон', 14: 'Категорија' },
  tr: { 1: 'Tartışma', 2: 'Kullanıcı', 6: 'Dosya', 10: 'Şablon', 14: 'Kategori' },
}

/** Settings of one case. */
export function configOf(options, { wgInterwikiMagic = true } = {}) {
  const language = typeof options.language === 'string' ? options.language : 'en'
  const names = Object.entries(namespaceNames[language] ?? {})
  const namespaces = Object.fromEntries(names.map(([id, name]) => [id, { name, aliases: [] }]))
  if (options.subpage !== undefined) namespaces[0] = { name: '', aliases: [], subpages: true }
  namespaces[4] ??= { name: 'TestWiki', aliases: [] }
  if (!wgInterwikiMagic)
    return { name: 'MediaWiki', language, interwiki: { ...interwiki, ...languages }, languages: {}, namespaces }
  return { name: 'MediaWiki', language, interwiki, languages, namespaces }
}

/** Languages of the texts in the drawing. */
const drawnLanguages = ['ru']

const file = (name, mediatype, mime, size, width, height, duration, path) => {
  const encoded = encodeURIComponent(name)
  const thumbs = `${media}/thumb/${path}/${encoded}`
  return {
    name,
    mediatype,
    mime,
    size,
    width,
    height,
    duration,
    url: `${media}/${path}/${encoded}`,
    thumbnail: (pixels, picture = {}) =>
      `${thumbs}/${pictureName(mediatype, pixels, picture)}-${encoded}${endings[mime] ?? ''}`,
  }
}

/** The end of a picture's name, after the name of its file. */
const endings = { 'image/svg+xml': '.png', 'image/vnd.djvu': '.jpg', 'video/ogg; codecs="theora"': '.jpg' }

function pictureName(mediatype, pixels, { page = 1, language, seconds }) {
  if (mediatype === 'OFFICE') return `page${page}-${pixels}px`
  if (mediatype === 'VIDEO') return `${pixels}px-${seconds === undefined ? '' : `seek%3D${seconds}`}`
  const isDrawn = mediatype === 'DRAWING' && language !== undefined && language !== 'en'
  return `${isDrawn ? `lang${language}-` : ''}${pixels}px`
}

/** The files of the reference's own set-up. */
const standardFiles = [
  file('Foobar.jpg', 'BITMAP', 'image/jpeg', 7881, 1941, 220, null, '3/3a'),
  file('File_&_file.jpg', 'BITMAP', 'image/jpeg', 7881, 1941, 220, null, '1/1f'),
  file('Hi-ho.jpg', 'BITMAP', 'image/jpeg', 7881, 1941, 220, null, '9/9d'),
  file('Foobar.svg', 'DRAWING', 'image/svg+xml', 12345, 240, 180, null, 'f/ff'),
  file('Thumb.png', 'BITMAP', 'image/png', 22589, 135, 135, null, 'e/ea'),
  file('Video.ogv', 'VIDEO', 'video/ogg; codecs="theora"', 12345, 320, 240, 4.3666666666667, '0/00'),
  file('Bad.jpg', 'BITMAP', 'image/jpeg', 12345, 320, 240, null, '0/09'),
  file('Audio.oga', 'AUDIO', 'audio/ogg; codecs="vorbis"', 12345, null, null, 1, '4/41'),
  file('LoremIpsum.djvu', 'OFFICE', 'image/vnd.djvu', 3249, 2480, 3508, null, '5/5f'),
]

/** The files of one case: browsers get original drawings, unless the case specifies otherwise. */
export function filesOf(config = {}, pageLanguage = 'en') {
  const drawn = ({ thumbnail, url }) => {
    if (config.wgSVGNativeRendering === true) return () => url
    const usual = drawnLanguages.includes(pageLanguage) ? { language: pageLanguage } : {}
    return (pixels, picture) => thumbnail(pixels, { ...usual, ...picture })
  }
  return standardFiles.map(one => (one.mediatype === 'DRAWING' ? { ...one, thumbnail: drawn(one) } : one))
}
