import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { attributesOf, isAllowedTag } from '../../../src/wikitext/sanitize/allowed.ts'
import { isAllowedWith, sanitizeAttributes } from '../../../src/wikitext/sanitize/attributes.ts'
import { insecureCss, invalidCss, safeCss } from '../../../src/wikitext/sanitize/css.ts'
import { decodeEntities, decodeEntity } from '../../../src/wikitext/sanitize/entities.ts'
import {
  createIdPool,
  escapeId,
  escapeIdForLink,
  escapeLegacyId,
  headingId,
  maxIdLength,
} from '../../../src/wikitext/sanitize/ids.ts'
import { cleanUrl, escapeTitle, isSafeUrl, protocolOf } from '../../../src/wikitext/sanitize/urls.ts'

describe('elements', () => {
  test.each(['b', 'bdo', 'q', 'ruby', 'table', 'td', 'wbr', 'meta', 'time'])('a page may write %s', tag => {
    expect(isAllowedTag(tag)).toBe(true)
  })

  test.each(['script', 'style', 'iframe', 'svg', 'a', 'img', 'form', 'tbody', 'B', 'constructor', ''])(
    'a page may not write %j',
    tag => {
      expect(isAllowedTag(tag)).toBe(false)
      expect(attributesOf(tag).size).toBe(0)
    },
  )
})

describe('attributes', () => {
  test.each<[what: string, tag: string, attributes: [string, string][], allowed: Record<string, string>]>([
    [
      'global ones stay',
      'div',
      [
        ['class', 'a b'],
        ['lang', 'is'],
        ['role', 'note'],
      ],
      { class: 'a b', lang: 'is', role: 'note' },
    ],
    [
      'those of the element stay',
      'td',
      [
        ['colspan', '2'],
        ['nowrap', ''],
      ],
      { colspan: '2', nowrap: '' },
    ],
    [
      'those of other elements go',
      'b',
      [
        ['colspan', '2'],
        ['href', 'http://a.example'],
      ],
      {},
    ],
    [
      'handlers go',
      'div',
      [
        ['onclick', 'x()'],
        ['ONLOAD', 'x()'],
        ['onfoo', ''],
      ],
      {},
    ],
    ['names are lower case', 'div', [['CLASS', 'a']], { class: 'a' }],
    [
      'the last of one name counts',
      'div',
      [
        ['class', 'a'],
        ['title', 't'],
        ['class', 'b'],
      ],
      { class: 'b', title: 't' },
    ],
    [
      'data attributes stay',
      'div',
      [
        ['data-tide', '1'],
        ['data-a_b-c.d', ''],
      ],
      { 'data-tide': '1', 'data-a_b-c.d': '' },
    ],
    [
      'data attributes of scripts go',
      'div',
      [
        ['data-ooui', '1'],
        ['data-ooui-x', '1'],
      ],
      {},
    ],
    [
      'data attributes with strange names go',
      'div',
      [
        ['data-a:b', '1'],
        ['data-a"b', '1'],
        ['data-<', '1'],
      ],
      {},
    ],
    [
      'what the engine speaks by is renamed',
      'div',
      [
        ['data-mw', '{}'],
        ['typeof', 'mw:Transclusion'],
        ['about', '#mwt1'],
        ['data-parsoid', '{}'],
        ['rel', 'x'],
      ],
      {
        'data-x-data-mw': '{}',
        'data-x-typeof': 'mw:Transclusion',
        'data-x-about': '#mwt1',
        'data-x-data-parsoid': '{}',
        'data-x-rel': 'x',
      },
    ],
    ['ids lose their spaces', 'div', [['id', 'low tide']], { id: 'low_tide' }],
    ['empty ids go', 'div', [['id', '']], {}],
    ['lists of ids keep theirs', 'div', [['aria-labelledby', ' a  b ']], { 'aria-labelledby': 'a b' }],
    ['only a tab index of 0 stays', 'div', [['tabindex', '1']], {}],
    ['a tab index of 0 stays', 'div', [['tabindex', '0']], { tabindex: '0' }],
    ['styles are made safe', 'div', [['style', 'width:expression(1)']], { style: insecureCss }],
    [
      'scripts hide in no microdata',
      'div',
      [
        ['itemscope', ''],
        ['itemid', ' javascript:x()'],
        ['resource', 'vbscript:x'],
      ],
      { itemscope: '' },
    ],
    [
      'microdata needs its scope',
      'div',
      [
        ['itemtype', 'http://a.example'],
        ['itemprop', 'p'],
      ],
      { itemprop: 'p' },
    ],
    ['name spaces stay', 'span', [['xmlns:dct', 'http://a.example/']], { 'xmlns:dct': 'http://a.example/' }],
    ['name spaces hide no script', 'span', [['xmlns:dct', 'javascript:x()']], {}],
    [
      'a link has an allowed address',
      'link',
      [
        ['itemprop', 'p'],
        ['href', 'javascript:x()'],
      ],
      { itemprop: 'p' },
    ],
    [
      'a link has no global attributes',
      'link',
      [
        ['itemprop', 'p'],
        ['href', '//a.example'],
        ['class', 'c'],
      ],
      { itemprop: 'p', href: '//a.example' },
    ],
  ])('%s', (_, tag, attributes, allowed) => {
    expect(Object.fromEntries(sanitizeAttributes(tag, attributes).allowed)).toEqual(allowed)
  })

  test('changed attributes are reported with their new values', () => {
    const source: [string, string][] = [
      ['ID', 'a b'],
      ['onclick', 'x'],
      ['class', 'c'],
      ['style', 'a:url(b)'],
      ['data-mw', '1'],
    ]
    expect(Object.fromEntries(sanitizeAttributes('p', source).changed)).toEqual({
      ID: 'a_b',
      onclick: null,
      style: insecureCss,
    })
  })

  test('meta and link are elements only with microdata', () => {
    const names = (...list: string[]): Map<string, string> => new Map(list.map(name => [name, 'x']))
    expect(isAllowedWith('meta', names('itemprop', 'content'))).toBe(true)
    expect(isAllowedWith('meta', names('content'))).toBe(false)
    expect(isAllowedWith('link', names('itemprop', 'href'))).toBe(true)
    expect(isAllowedWith('link', names('itemprop', 'content'))).toBe(false)
    expect(isAllowedWith('div', names())).toBe(true)
  })
})

describe('styles', () => {
  test.each([
    'color: red',
    'float:right; margin:0 0 1em 1em',
    'content: "a;b"',
    '/* a note */',
    'width: attr(data-width px)',
    'font: 12px/1.5 serif',
    '',
  ])('%j stays as it is', style => {
    expect(safeCss(style)).toBe(style)
  })

  test.each<[string, string]>([
    ['color: /* a */ red', 'color:   red'],
    ['color: red /* never closed', 'color: red '],
    ['c\\6f lor: red', 'color: red'],
    ['c\\olor: red', 'color: red'],
    ['col\\\nor: red', 'color: red'],
    ['content: "\\22 a"', 'content: "\\22 a"'],
    ['a:\\', 'a:\\5c '],
    ['col&#111;r: red', 'color: red'],
    ['ｃolor: red', 'color: red'],
  ])('%j becomes %j', (style, safe) => {
    expect(safeCss(style)).toBe(safe)
  })

  test.each([
    'background: url(http://evil.example/)',
    'background: URL (x)',
    'background: u\\72l(x)',
    'background: &#117;rl(x)',
    'background: ｕｒｌ(x)',
    'background: image-set("a.png" 1x)',
    'background: -webkit-image-set("a.png" 1x)',
    'background: image("a.png")',
    'background: src("a.png")',
    'background: attr(title url)',
    'background: attr(title, url)',
    'width: expression(alert(1))',
    'width: exp\\72 ession(alert(1))',
    'width: expʀessioɴ(1)',
    'filter: progid:x',
    'behavior: x',
    '-moz-binding: x',
    '-o-link: x',
    '-o-link-source: current',
    'accelerator: true',
    "color: red} @import 'a.css'; {",
  ])('%j becomes a comment', style => {
    expect(safeCss(style)).toBe(insecureCss)
  })

  test.each(['color: \u0001red', 'color: \\1 red', 'a: \ufffd', 'a: \\110000 '])('%j has no place', style => {
    expect(safeCss(style)).toBe(invalidCss)
  })

  test('sanitizing is idempotent', () => {
    const piece = fc.constantFrom(
      '\\',
      '/*',
      '*/',
      'u',
      'rl(',
      '72',
      ' ',
      'expre',
      'ssion',
      '"',
      ';',
      ':',
      'ｕ',
      '&#92;',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
        const once = safeCss(pieces.join(''))
        if (once !== insecureCss && once !== invalidCss) expect(once).not.toMatch(/url\s*\(|expression/i)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('addresses', () => {
  test.each(['http://a.example', 'HTTPS://a', 'mailto:a@b.example', '//a.example', 'urn:isbn:1'])('%s is one', url => {
    expect(isSafeUrl(url)).toBe(true)
  })

  test.each([
    'javascript:x()',
    ' http://a',
    'http://',
    'http:/a',
    'data:text/html,x',
    'a',
    '',
    'http://a b',
    'vbscript:x',
  ])('%j is invalid', url => {
    expect(isSafeUrl(url)).toBe(false)
  })

  test('the protocol is returned as written', () => {
    expect(protocolOf('HTTP://a')).toBe('HTTP://')
    expect(protocolOf('http:/a')).toBeUndefined()
  })

  test.each<[string, string | null]>([
    ['http://a.example/b?c=d&e#f', 'http://a.example/b?c=d&e#f'],
    ['http://a.example/x|y[1]', 'http://a.example/x%7Cy%5B1%5D'],
    ['http:// a.example', 'http://+a.example'],
    ['http://a.example/%41', 'http://a.example/%41'],
    ['http://ti\u200dde\u00ad.example/', 'http://tide.example/'],
    ['http://[2001:db8::1]:80/a', 'http://[2001:db8::1]:80/a'],
    ['//a.example/', '//a.example/'],
    ['javascript:x()', null],
    ['javascript:/x', null],
    ['JAVA\tSCRIPT:x', null],
    ['data:text/html,x', null],
  ])('%j is written %j', (url, clean) => {
    expect(cleanUrl(url)).toBe(clean)
  })

  test('titles keep their letters and escape special characters of URLs', () => {
    expect(escapeTitle('Flóð_"100%"_?[a]')).toBe('Flóð_"100%25"_%3F%5Ba%5D')
  })
})

describe('ids', () => {
  test('white space becomes underscores, and the rest stays', () => {
    expect(escapeId('Flóð & "fjara"\t1')).toBe('Flóð_&_"fjara"_1')
    expect(escapeLegacyId('Flóð: a')).toBe('Fl.C3.B3.C3.B0:_a')
    expect(escapeIdForLink('100%25 a%z')).toBe('100%2525_a%z')
  })

  test('ids have a maximum length', () => {
    expect([...escapeId('🌊'.repeat(5000))]).toHaveLength(maxIdLength)
  })

  test.each<[string, string, string | null]>([
    ['Low tide', 'Low_tide', null],
    ['  Low _ tide ', 'Low_tide', null],
    ['\u00a0 Low \u2009tide\u3000', '_Low_tide', null],
    ['\u200eLow', 'Low', null],
    ['Flóð', 'Flóð', 'Fl.C3.B3.C3.B0'],
    ['a(b)', 'a(b)', 'a.28b.29'],
  ])('the heading %j has the id %j', (text, id, fallback) => {
    expect(headingId(text)).toEqual({ id, fallback })
  })

  test('ids are unique regardless of case', () => {
    const unique = createIdPool()
    expect(['a', 'a', 'A', 'a_2', 'b', 'a'].map(unique)).toEqual(['a', 'a_2', 'A_3', 'a_2_2', 'b', 'a_4'])
  })
})

describe('character references', () => {
  test.each<[string, string]>([
    ['&eacute;&#233;&#xE9;&#Xe9;', 'éééé'],
    ['&nbsp;&semi;&amp;amp;', '\u00a0;&amp;'],
    ['&hellip;&nGt;&CounterClockwiseContourIntegral;', '…≫⃒∳'],
    ['&copy &copy;', '&copy ©'],
    ['&notit; &tide; &constructor; &;', '&notit; &tide; &constructor; &;'],
    ['&#0; &#128; &#xD800; &#x110000; &#99999999999999; &#13;', '\ufffd \ufffd \ufffd \ufffd \ufffd \ufffd'],
    ['&#9;&#10;&#0000065;', '\t\nA'],
    ['&רלמ;', '\u200f'],
    ['&#; &#x; &#xZ; &# 1;', '&#; &#x; &#xZ; &# 1;'],
  ])('%j reads %j', (source, text) => {
    expect(decodeEntities(source)).toBe(text)
  })

  test('one reference can be decoded', () => {
    expect(decodeEntity('&lt;')).toBe('<')
    expect(decodeEntity('&tide;')).toBeNull()
  })
})
