import { gzipSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { decompress } from '../../src/dump/decompress.ts'
import type { DumpItem, DumpRevision } from '../../src/dump/dump.ts'
import { readDump } from '../../src/dump/read-dump.ts'

const small =
  '<mediawiki><page><title>Boats</title><revision><timestamp>2020-01-01T00:00:00Z</timestamp><text>Hull</text></revision></page></mediawiki>\n'
/** The same packed by bzip2, and a dump of two consecutive bzip2 streams. */
const smallBzip2 = Buffer.from(
  'QlpoOTFBWSZTWXDuoUsAAA/fgAAQAALwFRBABBAmr9/AIABwYwAAAAAlTRpoptT1Gj1DMjSTWMx0qdiZBh0kEdat6K4tvbbCwVXixNaMKXmSNqolwwSNzBgyKezI87mjzPHEShqcwPIzIk1PR0VGYQSJp1IeIfxdyRThQkHDuoUs',
  'base64',
)
const twoStreams = Buffer.from(
  'QlpoOTFBWSZTWfKCVxoAAAEdgAAAgAUQACauzIAgACGp6TQDT1NChppgAKrTGiGSd+wVCUyNEKS0s4yPi7kinChIeUErjQBCWmg5MUFZJlNZHbJyhgAAAlmAABAAAIAFJqpAgCAAMQDQAQaJk08pMtA7hA06SsTc+LuSKcKEgO2TlDA=',
  'base64',
)

/** 81 bytes that unpack to 50 MB of NULs. */
const bomb = Buffer.from(
  'QlpoOTFBWSZTWQ4J4t8BX45AAMAAAAggADCATUZCoCWpCoCXMUFZJlNZk8TsPQAfaMEAwAAAEAAIIAAwzAmqaZUiDapSIPF3JFOFCQj9cpgw',
  'base64',
)

async function* chunksOf(bytes: Uint8Array, length: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function read(dump: string | Uint8Array, length = 7): Promise<DumpItem[]> {
  const items: DumpItem[] = []
  for await (const batch of readDump({ file: chunksOf(Buffer.from(dump), length), name: 'x.xml' })) items.push(...batch)
  return items
}

function revisionsOf(items: readonly DumpItem[]): DumpRevision[] {
  return items.flatMap(item => (item.kind === 'revision' ? [item.revision] : []))
}

const page = (inside: string) => `<mediawiki>\n<page>\n<title>Boats</title>\n${inside}\n</page>\n</mediawiki>`
const revision = (inside: string) => page(`<revision><timestamp>2020-01-01T00:00:00Z</timestamp>${inside}</revision>`)

describe('a dump', () => {
  test('is read with all its data', async () => {
    const items = await read(`<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="de">
      <siteinfo><sitename>Häfen</sitename><dbname>haefen</dbname><base>http://h.example/wiki/Start</base>
        <case>case-sensitive</case>
        <namespaces><namespace key="0" case="first-letter" /><namespace key="2">Benutzer</namespace></namespaces></siteinfo>
      <page><title>Benutzer:Ada &amp; Bob</title><ns>2</ns><id>7</id><redirect title="Ada" />
        <revision><id>12</id><parentid>11</parentid><timestamp>2010-02-03T04:05:06Z</timestamp>
          <contributor><username>Ada</username><id>3</id></contributor><minor /><comment>why
not</comment><origin>12</origin><model>wikitext</model><format>text/x-wiki</format>
          <text bytes="10" sha1="abc" xml:space="preserve">  a &lt;b&gt;
<![CDATA[&amp;]]>&#13;
 </text><sha1>abc</sha1>
          <content><role>other</role><text>slot</text></content></revision>
        <upload><timestamp>2010-02-03T04:05:07Z</timestamp><contributor><ip>10.0.0.1</ip></contributor>
          <comment>up</comment><filename>A.png</filename><src>x</src><size>1</size></upload>
      </page></mediawiki>`)
    expect(items.map(({ line: _, ...item }) => item)).toEqual([
      {
        kind: 'site',
        site: {
          name: 'Häfen',
          database: 'haefen',
          base: 'http://h.example/wiki/Start',
          language: 'de',
          isCaseSensitive: true,
          namespaces: [
            { id: 0, name: '', isCaseSensitive: false },
            { id: 2, name: 'Benutzer', isCaseSensitive: true },
          ],
        },
      },
      { kind: 'page', page: { title: 'Benutzer:Ada & Bob', namespace: 2, id: 7, redirect: 'Ada' } },
      {
        kind: 'revision',
        revision: {
          id: 12,
          parent: 11,
          time: Date.UTC(2010, 1, 3, 4, 5, 6) / 1000,
          contributor: { kind: 'user', name: 'Ada', id: 3 },
          minor: true,
          comment: 'why\nnot',
          model: 'wikitext',
          format: 'text/x-wiki',
          text: '  a <b>\n&amp;\r\n ',
          sha1: 'abc',
          otherSlots: 1,
        },
      },
      {
        kind: 'upload',
        upload: {
          fileName: 'A.png',
          time: Date.UTC(2010, 1, 3, 4, 5, 7) / 1000,
          comment: 'up',
          contributor: { kind: 'address', address: '10.0.0.1' },
        },
      },
    ])
  })

  test('of the oldest version lacks namespaces, models and ids', async () => {
    const [revision] = revisionsOf(await read(small))
    expect(revision).toMatchObject({
      id: null,
      model: null,
      contributor: { kind: 'hidden' },
      text: 'Hull',
      minor: false,
    })
  })

  test.each([
    ['a hidden text', '<text bytes="9" deleted="deleted" />', { text: null }],
    ['a lost text', '<text bytes="9" missing="missing" />', { text: null }],
    ['an empty text', '<text bytes="0" xml:space="preserve" />', { text: '' }],
    ['no text at all', '', { text: '' }],
    ['a hidden comment', '<comment deleted="deleted" />', { comment: null }],
    ['no comment', '', { comment: '' }],
    ['a hidden user', '<contributor deleted="deleted" />', { contributor: { kind: 'hidden' } }],
    [
      'a user of no number',
      '<contributor><username>imported&gt;Zo</username></contributor>',
      { contributor: { kind: 'user', name: 'imported>Zo', id: null } },
    ],
  ])('has %s', async (_, inside, expected) => {
    expect(revisionsOf(await read(revision(inside)))[0]).toMatchObject(expected)
  })

  test('without pages reads as an empty list', async () => {
    expect(await read('<mediawiki></mediawiki>')).toEqual([])
    expect(await read(page(''))).toMatchObject([{ kind: 'page' }])
  })

  test.each([
    ['plain', Buffer.from(small)],
    ['packed by gzip', gzipSync(small)],
    ['packed by gzip in two members', Buffer.concat([gzipSync(small.slice(0, 40)), gzipSync(small.slice(40))])],
    ['packed by bzip2', smallBzip2],
  ])('%s is read, whatever its chunks', async (_, bytes) => {
    for (const length of [1, 2, 3, 1000]) expect(revisionsOf(await read(bytes, length))[0]?.text).toBe('Hull')
  })

  test('packed by bzip2 is refused where that program is missing', async () => {
    vi.stubEnv('PATH', '')
    await expect(read(smallBzip2)).rejects.toMatchObject({ message: expect.stringContaining('not installed') })
    vi.unstubAllEnvs()
  })

  test('of several bzip2 streams is read to the end', async () => {
    expect(await read(twoStreams)).toMatchObject([{ kind: 'page', page: { title: 'Boats' } }])
  })
})

/** The error, its line number, and a word of the message. */
const broken: readonly [what: string, dump: string | Uint8Array, line: number, words: string][] = [
  ['nothing', '', 1, 'ends before'],
  ['a page that does not end', page('').replace('\n</page>', ''), 5, 'unexpected close tag'],
  ['an end that is missing', page('').replace('</mediawiki>', ''), 6, 'ends before </mediawiki>'],
  ['the text cut off', revision('<text>abc'), 4, 'unexpected close tag'],
  ['another kind of XML', '<?xml version="1.0"?>\n<html><body /></html>', 2, 'first element is <html>'],
  ['no XML', 'PK\u0003\u0004 something', 1, ''],
  ['a 7z archive', Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4]), 1, '7z'],
  ['a document type', '<!DOCTYPE mediawiki [<!ENTITY a "b">]>\n<mediawiki></mediawiki>', 1, 'document type'],
  ['an entity of its own', page('<comment>&bomb;</comment>'), 4, 'entity'],
  ['a character that XML lacks', page('\n<comment>&#1;</comment>'), 5, 'malformed character'],
  ['deep nesting', `<mediawiki>\n${'<a>'.repeat(100)}`, 2, 'nest'],
  [
    'very many attributes',
    page(`<b ${Array.from({ length: 100 }, (_, n) => `a${n}=""`).join(' ')} />`),
    4,
    'attributes',
  ],
  ['a byte that is no UTF-8', Buffer.concat([Buffer.from(page('\n\nü')), Buffer.from([10, 0xfc, 10])]), 9, 'UTF-8'],
  ['a character cut off', Buffer.concat([Buffer.from('<mediawiki>\n'), Buffer.from([0xe2, 0x82])]), 2, 'UTF-8'],
  ['a page without title', '<mediawiki>\n<page></page></mediawiki>', 2, 'no title'],
  ['an invalid time', page('<revision><timestamp>yesterday</timestamp></revision>'), 4, 'timestamp'],
  ['an invalid day', page('<revision><timestamp>2020-13-01T00:00:00Z</timestamp></revision>'), 4, 'timestamp'],
  ['a time before all times', page('<revision><timestamp>1969-12-31T23:59:59Z</timestamp></revision>'), 4, '1970'],
  ['no time', page('<revision><id>1</id></revision>'), 4, 'timestamp'],
  ['an invalid number', page('<revision><id>12x</id></revision>'), 4, 'number'],
  ['texts left out', revision('<text id="7" bytes="31" />'), 4, 'stub'],
  ['gzip cut off', gzipSync(small.repeat(100)).subarray(0, 100), 1, 'gzip'],
  ['gzip with another byte', damaged(gzipSync(small), 30), 1, ''],
  ['bzip2 cut off', smallBzip2.subarray(0, 60), 1, 'bzip2'],
  ['bzip2 with another byte', damaged(smallBzip2, 40), 1, 'bzip2'],
]

function damaged(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] as number) ^ 0x5a
  return copy
}

describe('an invalid dump is refused, with file and line:', () => {
  test.each(broken)('%s', async (_, dump, line, words) => {
    for (const length of [1, 5, 4096]) {
      const error = await read(dump, length).then(
        () => null,
        error => error,
      )
      expect(error).toMatchObject({ code: 'wiki-bad-dump' })
      expect(error.message).toContain(`x.xml:${line}: `)
      expect(error.message).toContain(words)
    }
  })

  test('a text that is larger than the limit', { tags: 'long' }, async () => {
    const huge = async function* () {
      yield Buffer.from(revision('').split('</revision>')[0] as string)
      yield Buffer.from('<text>')
      for (;;) yield Buffer.alloc(1024 * 1024, 'a')
    }
    await expect(read$(huge())).rejects.toMatchObject({
      code: 'wiki-bad-dump',
      message: expect.stringContaining('64 MiB'),
    })
  })

  test('a comment that never ends', { tags: 'long' }, async () => {
    const endless = async function* () {
      yield Buffer.from('<mediawiki><!-- ')
      for (;;) yield Buffer.alloc(1024 * 1024, 'a ')
    }
    await expect(read$(endless())).rejects.toMatchObject({ code: 'wiki-bad-dump' })
  })
})

async function read$(file: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of readDump({ file, name: 'x.xml' })) {
    // Only its end counts.
  }
}

test('a damaged dump is read or refused', { tags: 'long' }, async () => {
  const whole = Buffer.from(revision('<comment>c &amp; d</comment><text xml:space="preserve">ü 😀</text>'))
  const packed = gzipSync(whole)
  const pieces = [
    '<',
    '>',
    '&',
    '</page>',
    '<page>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '"',
    '&#0;',
    '<?x',
    '\0',
    '<a __proto__="x">',
  ]
  let state = 5
  const below = (limit: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % limit
  }
  for (let round = 0; round < 600; round++) {
    const bytes = round % 8 === 0 ? packed : whole
    const at = below(bytes.length)
    const piece = Buffer.from(round % 3 === 0 ? [below(256)] : (pieces[below(pieces.length)] as string))
    const changed = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + below(3) * below(20))])
    const error = await read(changed, 1 + below(60)).then(
      () => null,
      error => error,
    )
    if (error !== null) expect(error).toMatchObject({ code: 'wiki-bad-dump' })
  }
})

describe('a dump that unpacks to a very large size', () => {
  /** Reads the unpacked size of a dump: the bytes until it is abandoned, and the largest chunk. */
  async function unpacked(
    packed: Uint8Array,
    options = {},
  ): Promise<{ bytes: number; largest: number; error: unknown }> {
    let [bytes, largest] = [0, 0]
    try {
      for await (const piece of decompress(chunksOf(packed, 1000), options)) {
        bytes += piece.length
        largest = Math.max(largest, piece.length)
      }
      return { bytes, largest, error: null }
    } catch (error) {
      return { bytes, largest, error }
    }
  }

  test.each([
    ['bzip2', bomb],
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
  ])('by %s is abandoned, and never held in memory as a whole', async (_, packed) => {
    const { bytes, largest, error } = await unpacked(packed)
    expect(error).toMatchObject({ message: 'it unpacks to more than 250 times its size' })
    expect(bytes).toBeLessThanOrEqual(32 * 1024 * 1024 + 250 * packed.length)
    expect(largest).toBeLessThanOrEqual(256 * 1024)
  })

  test('is read if its reader allows it', { tags: 'long' }, async () => {
    expect(await unpacked(bomb, { maxBytes: 50_000_000 })).toMatchObject({ bytes: 50_000_000, error: null })
    expect((await unpacked(bomb, { maxBytes: 49_999_999 })).error).toMatchObject({ hint: expect.any(String) })
  })

  test('names the file and the solution', { tags: 'long' }, async () => {
    const spaces = gzipSync(`<mediawiki>${' '.repeat(50_000_000)}`)
    const told = { code: 'wiki-bad-dump', hint: expect.stringContaining('--max-unpacked') }
    await expect(read(spaces, 1000)).rejects.toMatchObject(told)
  })
})
