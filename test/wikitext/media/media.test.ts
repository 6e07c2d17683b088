import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../../../src/core/config.ts'
import type { MediaType } from '../../../src/core/file.ts'
import { parseTitle, type Title, titleRules } from '../../../src/core/title.ts'
import { mediaElement, mediaLinkElement } from '../../../src/wikitext/media/element.ts'
import { type FileLookups, findFile, readBadFiles } from '../../../src/wikitext/media/file-lookup.ts'
import {
  type GalleryItem,
  galleryElement,
  gallerySize,
  readGalleryLines,
  readGalleryOptions,
} from '../../../src/wikitext/media/gallery.ts'
import { mediaWords } from '../../../src/wikitext/media/magic-words.ts'
import { type MediaPart, readMediaOptions } from '../../../src/wikitext/media/options.ts'
import type { MediaContext, MediaFile } from '../../../src/wikitext/media/resolved-file.ts'
import { displaySize, fitInto } from '../../../src/wikitext/media/sizes.ts'
import { type ChildNode, element, textNode } from '../../../src/wikitext/tree/node.ts'
import type { FileMetadata } from '../../../src/wikitext/wiki-source.ts'

const words = mediaWords('en')

function parts(...texts: string[]): MediaPart[] {
  let at = 0
  return texts.map(text => {
    const part = { source: text, text, start: at, end: at + text.length }
    at += text.length + 1
    return part
  })
}

function metadata(
  name: string,
  width: number | null,
  height: number | null,
  changes: Partial<FileMetadata> = {},
): FileMetadata {
  return {
    name,
    mediatype: 'BITMAP' as MediaType,
    mime: 'image/jpeg',
    size: 1000,
    width,
    height,
    duration: null,
    url: `/media/${name}`,
    thumbnail: (pixels, { page, language } = {}) =>
      `/thumb/${name}/${page === undefined ? '' : `page${page}-`}${language === undefined ? '' : `${language}-`}${pixels}`,
    ...changes,
  }
}

const files: Readonly<Record<string, FileMetadata>> = {
  'Tide.jpg': metadata('Tide.jpg', 2000, 500),
  'Buoy.png': metadata('Buoy.png', 100, 100, { mime: 'image/png' }),
  'Chart.svg': metadata('Chart.svg', 240, 180, { mediatype: 'DRAWING', mime: 'image/svg+xml' }),
  'Almanac.djvu': metadata('Almanac.djvu', 1000, 1500, { mediatype: 'OFFICE', mime: 'image/vnd.djvu' }),
  'Surf.webm': metadata('Surf.webm', 320, 240, { mediatype: 'VIDEO', mime: 'video/webm', duration: 4.2 }),
  'Gull.ogg': metadata('Gull.ogg', null, null, { mediatype: 'AUDIO', mime: 'audio/ogg', duration: 2 }),
  'Notes.pdf': metadata('Notes.pdf', null, null, { mediatype: 'OFFICE', mime: 'application/pdf' }),
}

const context: MediaContext = {
  thumbnailWidth: 180,
  resolveLink: target => {
    if (target.startsWith('http')) return { href: target, title: null, attributes: [['rel', 'nofollow']] }
    return target.includes('<') ? null : { href: `./${target}`, title: target }
  },
  parse: part => [textNode(part.text.replace(/''|<nowiki>|<\/nowiki>/g, ''))],
}

function fileOf(name: string, thumbnail: string | null = null): MediaFile {
  return {
    title: `File:${name}`,
    name,
    metadata: files[name] ?? null,
    thumbnail: thumbnail === null ? null : { name: thumbnail || null, metadata: files[thumbnail] ?? null },
  }
}

function render(name: string, ...texts: string[]): string {
  const options = readMediaOptions(parts(...texts), { words })
  const thumbnail = options.values.get('manualthumb')?.value ?? null
  const caption = options.caption === null ? null : [textNode(options.caption.text)]
  return html(mediaElement(options, { file: fileOf(name, thumbnail), caption, context }))
}

function html(node: ChildNode): string {
  if (node.kind !== 'element') return node.text
  const attributes = [...node.attributes].map(([name, value]) => ` ${name}="${value}"`).join('')
  const mw = node.data.mw === undefined ? '' : ` data-mw='${JSON.stringify(node.data.mw, asHtml)}'`
  return `<${node.name}${attributes}${mw}>${node.children.map(html).join('')}</${node.name}>`
}

function asHtml(_key: string, value: unknown): unknown {
  const isFragment = typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'fragment'
  return isFragment ? (value as unknown as { children: ChildNode[] }).children.map(html).join('') : value
}

describe('options', () => {
  test('each is recognised by its keywords, the rest is the caption', () => {
    const options = readMediaOptions(parts('thumb', 'left', ' 100x200px ', 'alt= a b ', 'text-top', 'Low tide'), {
      words,
    })
    expect(options.list.map(({ key, value }) => [key, value])).toEqual([
      ['thumbnail', ''],
      ['left', ''],
      ['width', '100x200'],
      ['alt', 'a b'],
      ['text_top', ''],
      ['caption', 'Low tide'],
    ])
    expect(options).toMatchObject({ format: 'thumbnail', halign: 'left', valign: 'text-top', width: 100, height: 200 })
  })

  test.each<[text: string, key: string]>([
    ['thumbnail', 'thumbnail'],
    ['thumb=Buoy.png', 'manualthumb'],
    ['enframed', 'framed'],
    ['centre', 'center'],
    ['sup', 'super'],
    ['upright', 'upright'],
    ['upright=1.5', 'upright'],
    ['upright 1.5', 'upright'],
    ['page 3', 'page'],
    ['page=3', 'page'],
    ['x200px', 'width'],
    ['200 px', 'width'],
    ['200pxpx', 'width'],
    ['start=1:02', 'starttime'],
    ['Thumb', 'caption'],
    ['px', 'caption'],
    ['12apx', 'caption'],
    ['upright=tall', 'caption'],
    ['a link=b', 'caption'],
    ['constructor', 'caption'],
    ['', 'caption'],
  ])('%j is %s', (text, key) => {
    expect(readMediaOptions(parts(text), { words }).list[0]?.key).toBe(key)
  })

  test.each<[texts: string[], keys: string[]]>([
    [
      ['thumb', 'frame'],
      ['thumbnail', 'bogus'],
    ],
    [
      ['frameless', 'thumb=a.png'],
      ['frameless', 'bogus'],
    ],
    [
      ['left', 'right', 'none'],
      ['left', 'bogus', 'bogus'],
    ],
    [
      ['top', 'bottom'],
      ['top', 'bogus'],
    ],
    [
      ['alt=a', 'alt=b'],
      ['alt', 'bogus'],
    ],
    [
      ['a', 'b', 'c'],
      ['bogus', 'bogus', 'caption'],
    ],
    [
      ['100px', '200px'],
      ['width', 'width'],
    ],
  ])('%j has the parts %j', (texts, keys) => {
    expect(readMediaOptions(parts(...texts), { words }).list.map(({ key }) => key)).toEqual(keys)
  })

  test('the last width and the last caption count', () => {
    const options = readMediaOptions(parts('100px', 'a', '200px', 'b'), { words })
    expect(options.width).toBe(200)
    expect(options.caption?.text).toBe('b')
  })

  test('sizes are limited', () => {
    expect(readMediaOptions(parts('99999999999px'), { words }).width).toBeNull()
    expect(readMediaOptions(parts('0px'), { words }).width).toBeNull()
  })

  test('other languages have their own keywords', () => {
    const german = readMediaOptions(parts('mini', 'rechts', 'verweis=Flut', 'thumb'), { words: mediaWords('de') })
    expect(german.list.map(({ key }) => key)).toEqual(['thumbnail', 'right', 'link', 'bogus'])
    const esperanto = readMediaOptions(parts('100ra', '100px'), { words: mediaWords('eo') })
    expect(esperanto.list.map(({ key }) => key)).toEqual(['width', 'width'])
    expect(mediaWords('constructor').whole).toEqual(words.whole)
  })
})

describe('sizes', () => {
  const plain = { format: null, width: null, height: null, upright: null } as const
  test.each<[what: string, file: string, options: object, size: [number, number] | null]>([
    ['a plain image has its own', 'Tide.jpg', {}, [2000, 500]],
    ['a plain image grows', 'Buoy.png', { width: 300 }, [300, 300]],
    ['a thumbnail has the usual width', 'Tide.jpg', { format: 'thumbnail' }, [180, 45]],
    ['a small thumbnail has its own', 'Buoy.png', { format: 'thumbnail' }, [100, 100]],
    ['a bitmap thumbnail does not grow', 'Buoy.png', { format: 'thumbnail', width: 300 }, [100, 100]],
    ['a drawing does', 'Chart.svg', { format: 'thumbnail', width: 480 }, [480, 360]],
    ['upright is narrower', 'Tide.jpg', { format: 'thumbnail', upright: 0.75 }, [140, 35]],
    ['upright is nothing beside a width', 'Tide.jpg', { format: 'thumbnail', upright: 0.75, width: 200 }, [200, 50]],
    ['a frame has its own', 'Tide.jpg', { format: 'framed', width: 200 }, [2000, 500]],
    ['a box bounds both', 'Tide.jpg', { width: 300, height: 20 }, [80, 20]],
    ['a height alone bounds', 'Tide.jpg', { height: 10 }, [40, 10]],
    ['sound has none', 'Gull.ogg', {}, null],
  ])('%s', (_, file, options, size) => {
    const expected = size === null ? null : { width: size[0], height: size[1] }
    expect(displaySize(files[file]!, { ...plain, ...options }, 180)).toEqual(expected)
  })

  test('a width is limited by the height', () => {
    expect(fitInto({ width: 1941, height: 220 }, null, 10)).toEqual({ width: 89, height: 10 })
    expect(fitInto({ width: 1, height: 9000 }, 1, 1)).toEqual({ width: 1, height: 1 })
  })
})

describe('elements', () => {
  test('a plain image is a span with a link to its page', () => {
    expect(render('Tide.jpg')).toBe(
      '<span class="mw-default-size" typeof="mw:File"><a href="./File:Tide.jpg" class="mw-file-description">' +
        '<img resource="./File:Tide.jpg" src="/media/Tide.jpg" decoding="async" data-file-width="2000" data-file-height="500" ' +
        'data-file-type="bitmap" height="500" width="2000" class="mw-file-element"></img></a></span>',
    )
  })

  test('a thumbnail is a figure with its caption and a denser picture', () => {
    expect(render('Tide.jpg', 'thumb', 'right', 'Low tide')).toBe(
      '<figure class="mw-default-size mw-halign-right" typeof="mw:File/Thumb"><a href="./File:Tide.jpg" class="mw-file-description">' +
        '<img resource="./File:Tide.jpg" src="/thumb/Tide.jpg/180" decoding="async" data-file-width="2000" data-file-height="500" ' +
        'data-file-type="bitmap" height="45" width="180" srcset="/thumb/Tide.jpg/360 2x" class="mw-file-element"></img></a>' +
        '<figcaption>Low tide</figcaption></figure>',
    )
  })

  test.each<[what: string, name: string, texts: string[], piece: string]>([
    ['a hidden caption is title and alt', 'Tide.jpg', ['Low tide'], 'title="Low tide"><img alt="Low tide"'],
    ['a hidden caption is kept', 'Tide.jpg', ['Low tide'], `data-mw='{"caption":"Low tide"}'`],
    ['alt wins over the caption', 'Tide.jpg', ['alt=', 'Low tide'], '<img alt=""'],
    ['a link leads elsewhere', 'Tide.jpg', ['link=Ebb'], '<a href="./Ebb" title="Ebb"><img'],
    ['a link leads outside', 'Tide.jpg', ['link=http://a.example'], '<a href="http://a.example" rel="nofollow"><img'],
    ['an empty link leads nowhere', 'Tide.jpg', ['link='], '<span><img'],
    ['a broken link is recorded', 'Tide.jpg', ['link=<'], `data-mw='{"attribs":[["link",{"txt":"<"}]]}'`],
    ['a page is shown', 'Almanac.djvu', ['page=2'], 'href="./File:Almanac.djvu?page=2"'],
    ['a page is fetched', 'Almanac.djvu', ['page 2', '100px'], 'src="/thumb/Almanac.djvu/page2-100"'],
    ['a page is recorded', 'Almanac.djvu', ['page=2'], `data-mw='{"attribs":[["page",{"txt":"2"}]]}'`],
    [
      'a language is shown',
      'Chart.svg',
      ['lang=is', '100px'],
      'src="/thumb/Chart.svg/is-100" decoding="async" lang="is"',
    ],
    ['a bad language is recorded', 'Chart.svg', ['lang=a:b'], `data-mw='{"attribs":[["bogus",{"txt":"a:b"}]]}'`],
    ['a thumbnail of its own', 'Tide.jpg', ['thumb=Buoy.png'], 'src="/media/Buoy.png"'],
    [
      'a separate thumbnail is recorded',
      'Tide.jpg',
      ['thumb=Buoy.png'],
      `data-mw='{"attribs":[["manualthumb",{"txt":"Buoy.png"}]]}'`,
    ],
    [
      'upright is recorded in the style',
      'Tide.jpg',
      ['thumb', 'upright=0.5'],
      'class="mw-file-element mw-file-upright" style="--mw-file-upright: 0.5"',
    ],
    [
      'border and class',
      'Tide.jpg',
      ['border', 'class=a b', 'sub'],
      'class="mw-default-size mw-image-border mw-valign-sub a b"',
    ],
    ['thumbnails have no border', 'Tide.jpg', ['border', 'thumb', 'sub'], '<figure class="mw-default-size" typeof'],
    ['large pictures are the file', 'Tide.jpg', ['1500px'], 'src="/thumb/Tide.jpg/1500"'],
    ['denser ones too', 'Tide.jpg', ['1500px'], 'srcset="/media/Tide.jpg 2x"'],
    [
      'boxes are doubled',
      'Tide.jpg',
      ['500x11px'],
      'src="/thumb/Tide.jpg/44" decoding="async" data-file-width="2000" data-file-height="500" data-file-type="bitmap" height="11" width="44" srcset="/thumb/Tide.jpg/88 2x"',
    ],
    [
      'video plays',
      'Surf.webm',
      ['start=0:01.5', 'end=1:02'],
      '<source src="/media/Surf.webm#t=1.5,3.2" type="video/webm"',
    ],
    ['video has a poster', 'Surf.webm', [], '<span><video poster="/thumb/Surf.webm/320" controls="" preload="none"'],
    [
      'sound plays',
      'Gull.ogg',
      [],
      'height="32" width="180" style="width: 180px;" resource="./File:Gull.ogg" data-durationhint="2"',
    ],
    [
      'files without a picture are their name',
      'Notes.pdf',
      [],
      '<span class="mw-file-element" resource="./File:Notes.pdf">File:Notes.pdf</span>',
    ],
    [
      'missing files are red',
      'No.jpg',
      [],
      '<a href="./Special:Upload?wpDestFile=No.jpg" class="new" title="File:No.jpg"><span class="mw-file-element mw-broken-media" resource="./File:No.jpg">File:No.jpg</span></a>',
    ],
    ['missing files show their caption', 'No.jpg', ['Low tide'], '>Low tide</span>'],
    ['missing files show no empty alt', 'No.jpg', ['alt=', 'Low tide'], '>File:No.jpg</span>'],
    ['missing thumbnails have a width', 'No.jpg', ['thumb'], 'data-width="180"'],
    [
      'missing files are errors',
      'No.jpg',
      ['thumb'],
      'typeof="mw:Error mw:File/Thumb" data-mw=\'{"errors":[{"key":"apierror-filedoesnotexist"',
    ],
    [
      'missing thumbnails of the page are errors',
      'Tide.jpg',
      ['thumb=No.jpg'],
      '<a href="./File:Tide.jpg" class="mw-file-description"><span class="mw-file-element mw-broken-media"',
    ],
    ['no title is an error', 'Tide.jpg', ['thumb='], '"key":"apierror-invalidtitle"'],
  ])('%s', (_, name, texts, piece) => {
    expect(render(name, ...texts)).toContain(piece)
  })

  test('the output of templates is stored beside their source', () => {
    const part: MediaPart = { source: 'alt={{a}}', text: "alt=''b''", start: 0, end: 9 }
    const options = readMediaOptions([part], { words })
    const node = mediaElement(options, { file: fileOf('Tide.jpg'), caption: null, context })
    expect(html(node)).toContain('typeof="mw:File mw:ExpandedAttrs"')
    expect(html(node)).toContain(`data-mw='{"attribs":[["alt",{"html":"alt=b","txt":"b"}]]}'`)
    expect(html(node)).toContain('<img alt="b"')
  })

  test('references are not part of a title', () => {
    const reference = element('sup', [['typeof', 'mw:Extension/ref']], [textNode('[1]')])
    const options = readMediaOptions(parts('x'), { words })
    const caption = [textNode('Low '), element('b', [], [textNode('tide')]), reference]
    expect(html(mediaElement(options, { file: fileOf('Tide.jpg'), caption, context }))).toContain('title="Low tide"')
  })

  test('media links point to the original file', () => {
    const link = { title: 'Media:Low_tide.jpg', name: 'Low_tide.jpg' }
    expect(html(mediaLinkElement({ ...link, metadata: files['Tide.jpg']! }, [textNode('a')]))).toBe(
      '<a rel="mw:MediaLink" href="/media/Tide.jpg" resource="./Media:Low_tide.jpg" title="Low tide.jpg">a</a>',
    )
    expect(html(mediaLinkElement({ ...link, metadata: null }, []))).toContain('typeof="mw:Error"')
  })
})

describe('galleries', () => {
  test('lines name files', () => {
    expect(
      readGalleryLines('\n A.jpg | low [[tide|x]]\n|x\n\nB.jpg').map(({ target, parts: rest }) => [target, rest]),
    ).toEqual([
      ['A.jpg', ' low [[tide|x]]'],
      ['B.jpg', ''],
    ])
    const body = 'A.jpg\n  B.jpg|x'
    const [, line] = readGalleryLines(body)
    expect([body.slice(line!.targetStart), body.slice(line!.partsStart)]).toEqual(['B.jpg|x', 'x'])
  })

  test.each<[attributes: Record<string, string>, size: string]>([
    [{}, '120x120px'],
    [{ widths: '70', heights: '40px' }, '70x40px'],
    [{ widths: 'wide', heights: '0' }, '120x120px'],
    [{ mode: 'packed' }, '1950x180px'],
    [{ mode: 'constructor' }, '120x120px'],
  ])('%j requests %s', (attributes, size) => {
    expect(gallerySize(readGalleryOptions(new Map(Object.entries(attributes)), words))).toBe(size)
  })

  function gallery(attributes: Record<string, string>, ...names: string[]): string {
    const options = readGalleryOptions(new Map(Object.entries(attributes)), words)
    const items = names.map((name): GalleryItem => {
      const media = readMediaOptions(parts('thumb', 'Low tide', gallerySize(options)), { words, formatless: true })
      const figure = mediaElement(media, {
        file: fileOf(name),
        caption: [textNode('Low tide')],
        context,
        asFigure: true,
      })
      return { figure, title: `File:${name}` }
    })
    return html(galleryElement(options, { attributes: new Map([['class', 'own']]), caption: null, items }))
  }

  test('a box fits its picture', () => {
    expect(gallery({}, 'Tide.jpg')).toBe(
      '<ul class="gallery mw-gallery-traditional own">\n<li class="gallerybox" style="width: 155px;">' +
        '<div class="thumb" style="width: 150px; height: 150px;"><span typeof="mw:File">' +
        '<a href="./File:Tide.jpg" class="mw-file-description" title="Low tide"><img alt="Low tide" resource="./File:Tide.jpg" ' +
        'src="/thumb/Tide.jpg/120" decoding="async" data-file-width="2000" data-file-height="500" data-file-type="bitmap" ' +
        'height="30" width="120" srcset="/thumb/Tide.jpg/240 2x" class="mw-file-element"></img></a></span></div>' +
        '<div class="gallerytext">Low tide</div></li>\n</ul>',
    )
  })

  test.each<[attributes: Record<string, string>, name: string, piece: string]>([
    [{ perrow: '3' }, 'Tide.jpg', 'style="max-width: 489px;"'],
    [
      { mode: 'nolines' },
      'Tide.jpg',
      '<li class="gallerybox" style="width: 125px;"><div class="thumb" style="width: 120px;">',
    ],
    [
      { mode: 'packed' },
      'Tide.jpg',
      '<li class="gallerybox" style="width: 482px;"><div class="thumb" style="width: 480px;">',
    ],
    [
      { mode: 'packed-hover' },
      'Tide.jpg',
      '<div class="gallerytextwrapper" style="width: 460px;"><div class="gallerytext">',
    ],
    [{ mode: 'slideshow', showthumbnails: '' }, 'Tide.jpg', 'data-showthumbnails="1"'],
    [
      { showfilename: '' },
      'Tide.jpg',
      'class="galleryfilename galleryfilename-truncate" title="File:Tide.jpg">File:Tide.jpg</a>Low tide',
    ],
    [{}, 'No.jpg', '<div class="thumb" style="height: 150px;">'],
  ])('with %j %s gives %s', (attributes, name, piece) => {
    expect(gallery(attributes, name)).toContain(piece)
  })
})

describe('files of a wiki', () => {
  const rules = titleRules(defaultConfig())
  const readTitle = (text: string): Title | null => {
    try {
      return parseTitle(text, rules)
    } catch {
      return null
    }
  }
  const pages: Readonly<Record<string, string>> = {
    'File:Old.jpg': '#REDIRECT [[File:Tide.jpg]]',
    'File:Page.jpg': '#REDIRECT [[Tide]]',
    'File:Gone.jpg': '#REDIRECT [[File:Gone.jpg]]',
  }
  const questions: FileLookups = {
    file: name => (name === 'Unknown.jpg' ? undefined : (files[name] ?? null)),
    pageText: title => pages[title.key] ?? null,
    readTitle,
    language: 'en',
  }

  test.each<[title: string, found: string | null]>([
    ['File:Tide.jpg', 'File:Tide.jpg'],
    ['File:Old.jpg', 'File:Tide.jpg'],
    ['File:Page.jpg', null],
    ['File:Gone.jpg', null],
    ['File:Unknown.jpg', null],
  ])('%s has the file %s', (title, found) => {
    const file = findFile(parseTitle(title, rules), questions)
    expect(file.metadata === null ? null : file.title.key).toBe(found)
  })

  test('the list of bad files names the pages that may show them', () => {
    const list = readBadFiles(
      '* [[:File:Mud.jpg]] except [[Mud]], [[Low tide]]\n* [[Tide]]\n** [[File:No.jpg]]\n[[File:No.jpg]]',
      readTitle,
    )
    expect([...list].map(([name, keys]) => [name, [...keys]])).toEqual([['Mud.jpg', ['Mud', 'Low_tide']]])
  })
})
