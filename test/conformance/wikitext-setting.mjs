/** The wiki that the parser tests suppose: its other wikis, and its files. */

const media = 'http://example.com/images'

const interwiki = {
  wikipedia: 'http://en.wikipedia.org/wiki/$1',
  meatball: 'http://www.usemod.com/cgi-bin/mb.pl?$1',
}

const languages = {
  ar: 'http://ar.wikipedia.org/wiki/$1',
  en: 'http://en.wikipedia.org/wiki/$1',
  es: 'http://es.wikipedia.org/wiki/$1',
  fr: 'http://fr.wikipedia.org/wiki/$1',
  ko: 'http://ko.wikipedia.org/wiki/$1',
  ln: 'http://ln.wikipedia.org/wiki/$1',
  zh: 'http://zh.wikipedia.org/wiki/$1',
}

/** Settings of one case. */
export function configOf(options) {
  return {
    name: 'MediaWiki',
    language: typeof options.language === 'string' ? options.language : 'en',
    interwiki,
    languages,
  }
}

const file = (name, mediatype, mime, size, width, height, duration, path) => ({
  name,
  mediatype,
  mime,
  size,
  width,
  height,
  duration,
  url: `${media}/${path}/${name}`,
  thumbnail: pixels => `${media}/thumb/${path}/${name}/${pixels}px-${name}`,
})

/** The files of the reference's own set-up. */
export const files = [
  file('Foobar.jpg', 'BITMAP', 'image/jpeg', 7881, 1941, 220, null, '3/3a'),
  file('Foobar.svg', 'DRAWING', 'image/svg+xml', 12345, 240, 180, null, 'f/ff'),
  file('Thumb.png', 'BITMAP', 'image/png', 22589, 135, 135, null, 'e/ea'),
  file('Video.ogv', 'VIDEO', 'video/ogg', 12345, 320, 240, 300, '0/00'),
  file('Bad.jpg', 'BITMAP', 'image/jpeg', 12345, 320, 240, null, '0/09'),
  file('Audio.oga', 'AUDIO', 'audio/ogg', 12345, null, null, 1000, '4/41'),
  file('LoremIpsum.djvu', 'BITMAP', 'image/vnd.djvu', 3249, 2480, 3508, null, '5/5f'),
]
