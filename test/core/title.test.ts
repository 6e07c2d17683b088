import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/core/config.ts'
import { isWikiError, WikiError } from '../../src/core/errors.ts'
import { namespacesOf } from '../../src/core/namespaces.ts'
import { findNamespace, foldTitle, foldTitlePrefix, parseTitle, titleRules } from '../../src/core/title.ts'

const rules = rulesOf({
  name: 'Test Wiki',
  namespaces: { 10: { name: 'Vorlage', aliases: ['V'] }, 100: { name: 'Portal', aliases: ['P'] } },
  interwiki: { wikipedia: 'https://en.wikipedia.org/wiki/$1' },
  languages: { de: 'https://de.example/wiki/$1' },
})
const exactRules = rulesOf({ capitalization: 'case-sensitive' })

function rulesOf(settings: object) {
  return titleRules(parseConfig(JSON.stringify(settings)))
}

/** The key; null if the title is refused. */
function keyOf(text: string, defaultNamespace = 0): string | null {
  try {
    return parseTitle(text, rules, defaultNamespace).key
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return null
    throw error
  }
}

const long = 'a'.repeat(254)
const umlauts = 'ü'.repeat(126)

const cases: Record<string, readonly [typed: string, key: string | null][]> = {
  'spaces and underscores': [
    ['Main Page', 'Main_Page'],
    ['Main_Page', 'Main_Page'],
    ['Main  __ _ Page', 'Main_Page'],
    ['  _Main Page_ ', 'Main_Page'],
    ['Under\u00a0\u3000score', 'Under_score'],
    ['Line\u2028separator\u202fspace\u205fend', 'Line_separator_space_end'],
    ['.-_x', '.-_x'],
  ],
  'characters that go or compose': [
    ['RT_Target\u200e', 'RT_Target'],
    ['\u200eRT_Tar\u200fg\u202ae\u202et', 'RT_Target'],
    ['E\u0301clair', 'Éclair'],
    ['e\u200e\u0301clair', 'Éclair'],
    ['A\u200bb\u200dc', 'A\u200bb\u200dc'],
  ],
  'the first letter': [
    ['main page', 'Main_page'],
    ['éclair', 'Éclair'],
    ['ßuper', 'ßuper'],
    ['ﬁsh', 'ﬁsh'],
    ['ŉ', 'ŉ'],
    ['ǆungla', 'ǅungla'],
    ['საქართველო', 'საქართველო'],
    ['ᾠδή', 'ᾨδή'],
    ['𐐨x', '𐐀x'],
    ['ı\u0307x', 'İx'],
    ['0', '0'],
    ['日本語', '日本語'],
    ['iPod iPod', 'IPod_iPod'],
  ],
  namespaces: [
    ['talk:x', 'Talk:X'],
    ['TALK:RT Target', 'Talk:RT_Target'],
    ['Talk _ : _ RT_Target', 'Talk:RT_Target'],
    ['user talk:alice', 'User_talk:Alice'],
    ['USER__TALK:alice', 'User_talk:Alice'],
    ['user:alice/RT', 'User:Alice/RT'],
    ['Image:small.png', 'File:Small.png'],
    ['image talk:small.png', 'File_talk:Small.png'],
    ['Media:small.png', 'File:Small.png'],
    ['Project:x', 'Test_Wiki:X'],
    ['test wiki:x', 'Test_Wiki:X'],
    ['project_talk:x', 'Test_Wiki_talk:X'],
    ['Template:x', 'Vorlage:X'],
    ['v:x', 'Vorlage:X'],
    ['template talk:x', 'Template_talk:X'],
    ['P:x', 'Portal:X'],
    ['category:rT cat', 'Category:RT_cat'],
    ['MediaWiki:common.css', 'MediaWiki:Common.css'],
    ['Nosuchns:x', 'Nosuchns:x'],
    ['nosuchns : x', 'Nosuchns_:_x'],
    ['http://x', 'Http://x'],
    ['User:Talk:x', 'User:Talk:x'],
    ['User talk:Talk:x', 'User_talk:Talk:x'],
    ['Talk:Nosuchns:x', 'Talk:Nosuchns:x'],
    ['Talk:', null],
    ['Talk: _', null],
    ['Talk:Talk:x', null],
    ['Talk:user : x', null],
    ['Talk:de:x', null],
    ['Special:Version', null],
    [':special : version', null],
  ],
  'leading colons': [
    [':RT_Target', 'RT_Target'],
    [' : RT_Target', 'RT_Target'],
    [':Talk:x', 'Talk:X'],
    ['::x', null],
    [': :x', null],
    ['Talk::x', null],
    ['User: :x', null],
    [':', null],
  ],
  'other wikis': [
    ['de:Foo', null],
    ['DE : Foo', null],
    [':de:Foo', null],
    ['Wikipedia:Foo', null],
    ['wikipedia talk:Foo', 'Wikipedia_talk:Foo'],
    ['de', 'De'],
  ],
  fragments: [
    ['Foo#bar baz', 'Foo'],
    ['Foo _#', 'Foo'],
    ['Talk:foo#a:b#c', 'Talk:Foo'],
    ['Foo#bar<>[]', 'Foo'],
    ['#bar', null],
    ['#', null],
    ['Talk:#bar', null],
  ],
  'illegal characters': [
    ['', null],
    [' _ ', null],
    ['a<b', null],
    ['a>b', null],
    ['RT[x]', null],
    ['a{b', null],
    ['a}b', null],
    ['a|b', null],
    ['RT\nTarget', null],
    ['a\tb', null],
    ['a\0b', null],
    ['a\u007fb', null],
    ['a\u009bb', null],
    ['RT_\ufffd', null],
    ['a\uffff', null],
    ['a\ud800b', null],
    ['\udc00', null],
    ['RT_Target%20', null],
    ['RT%41x', null],
    ['%c3%a4', null],
    ['RT_100%_sure', 'RT_100%_sure'],
    ['%zz', '%zz'],
    ['RT&amp;x', 'RT&amp;x'],
    ['&#39;', '&'],
    ['\ue000x', '\ue000x'],
    [`RT_!*'();:@&=$,~.-_x+?"\\^\``, `RT_!*'();:@&=$,~.-_x+?"\\^\``],
  ],
  'points, slashes and tildes': [
    ['.', null],
    ['..', null],
    ['./x', null],
    ['../x', null],
    ['RT/./x', null],
    ['RT/../x', null],
    ['RT/.', null],
    ['RT/..', null],
    ['Talk:..', null],
    ['...', '...'],
    ['.git', '.git'],
    ['.../x', '.../x'],
    ['a/b', 'A/b'],
    ['/a//b/', '/a//b/'],
    ['RT~~~', null],
    ['RT~~', 'RT~~'],
  ],
  length: [
    [`x${long}`, `X${long}`],
    [`xx${long}`, null],
    [`x${umlauts}ü`, `X${umlauts}ü`],
    [`xxx${umlauts}ü`, null],
    [`Talk:x${long}`, `Talk:X${long}`],
    [`Talk:xx${long}`, null],
    ['x'.repeat(100_000), null],
  ],
}

describe('parseTitle', () => {
  for (const [name, rows] of Object.entries(cases)) {
    it.each(rows)(`handles ${name}: %j`, (typed, key) => {
      expect(keyOf(typed)).toBe(key)
    })
  }

  it('gives key, text, name, namespace and fragment', () => {
    expect(parseTitle('user talk:_alice_b/c_d #Section_one two', rules)).toEqual({
      namespace: 3,
      key: 'User_talk:Alice_b/c_d',
      text: 'User talk:Alice b/c d',
      name: 'Alice_b/c_d',
      fragment: 'Section one two',
    })
  })

  it('keeps the first letter if titles are case-sensitive', () => {
    expect(parseTitle('éclair', exactRules).key).toBe('éclair')
    expect(parseTitle('user:alice', exactRules).key).toBe('User:alice')
  })

  it('puts a title without a namespace into the default one', () => {
    expect(keyOf('foo', 10)).toBe('Vorlage:Foo')
    expect(keyOf('Talk:foo', 10)).toBe('Talk:Foo')
    expect(keyOf('nosuchns:foo', 10)).toBe('Vorlage:Nosuchns:foo')
    expect(keyOf(':foo', 10)).toBe('Foo')
    expect(keyOf(':Talk:foo', 10)).toBe('Talk:Foo')
  })

  it('names the title and the reason, and shortens a long title', () => {
    expect(() => parseTitle('a|b', rules)).toThrow(
      'The specified title (a|b) does not refer to a wiki page: it has one of < > [ ] { } |',
    )
    expect(() => parseTitle('a'.repeat(5000), rules)).toThrow(/^.{300,400}$/)
  })
})

/** Pieces that the rules treat specially, and letters that they change. */
const titlePieces = [
  ...[' ', '_', ':', '#', '/', '.', '..', '%', '%41', '&amp;', '~~', '~', '|', '\u00a0', '\u200e', '\u202b', '\u3000'],
  ...['Talk', 'talk', 'User talk', 'Media', 'Special', 'Project', 'test_wiki', 'Image', 'de', 'wikipedia', 'v', 'con'],
  ...['e', 'é', '\u0301', '\u0307', 'ß', 'ẞ', 'ı', 'İ', 'ς', 'ǆ', 'ა', 'ﬁ', 'ᾳ', '𐐨', 'K', '\u037e', '<', '\u0338'],
  ...['\ud800', '\udc00', '\ufffd', '\0', '日本', '😀', 'a'.repeat(120)],
]
const anyText = fc.oneof(
  fc.array(fc.constantFrom(...titlePieces), { maxLength: 12 }).map(pieces => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 300 }),
)

describe('the laws of titles', () => {
  it.each([
    ['first-letter', rules],
    ['case-sensitive', exactRules],
  ] as const)('a key and a text are read as themselves (%s)', { tags: 'long' }, (_, rules) => {
    let legal = 0
    fc.assert(
      fc.property(anyText, fc.constantFrom(0, 1, 3, 6, 10), (text, namespace) => {
        const title = titleOrNull(text, namespace)
        if (title === null) return
        legal++
        expect(parseTitle(title.key, rules)).toEqual({ ...title, fragment: '' })
        expect(parseTitle(title.text, rules)).toEqual({ ...title, fragment: '' })
        expect(Buffer.byteLength(title.name)).toBeLessThanOrEqual(255)
        expect(title.key).toBe(title.key.normalize('NFC'))
      }),
      { numRuns: 5000 },
    )
    expect(legal).toBeGreaterThan(500)

    function titleOrNull(text: string, namespace: number) {
      try {
        return parseTitle(text, rules, namespace)
      } catch (error) {
        // No error but a refusal may be thrown.
        expect(error).toBeInstanceOf(WikiError)
        return null
      }
    }
  })

  it('folding is idempotent and ignores case, underscores and composition', { tags: 'long' }, () => {
    fc.assert(
      fc.property(anyText, text => {
        const folded = foldTitle(text)
        expect(foldTitle(folded)).toBe(folded)
        expect(foldTitle(text.replaceAll(' ', '_'))).toBe(folded)
        expect(foldTitle(text.normalize('NFC'))).toBe(foldTitle(text.normalize('NFD')))
      }),
      { numRuns: 3000 },
    )
  })

  it('every prefix of a title finds it', () => {
    fc.assert(
      fc.property(fc.constantFrom('Talk:Ab cd', 'Vorlage:Ab', 'Éclair', 'File:X.png'), fc.nat(12), (text, length) => {
        const typed = text.slice(0, length)
        expect(foldTitle(text).startsWith(foldTitlePrefix(typed, rules))).toBe(true)
      }),
    )
  })
})

describe('foldTitle', () => {
  it.each([
    ['Straße', 'strasse'],
    ['STRASSE', 'strasse'],
    ['GROẞ', 'gross'],
    ['ΟΔΟΣ', 'οδοσ'],
    ['οδος', 'οδοσ'],
    ['Éclair_au', 'éclair au'],
    ['E\u0301', 'é'],
    ['ﬁsh', 'fish'],
    ['Foo_', 'foo '],
  ])('folds %j to %j', (text, folded) => {
    expect(foldTitle(text)).toBe(folded)
  })
})

describe('foldTitlePrefix', () => {
  it.each([
    ['im:', 'im:'],
    ['image:smA', 'file:sma'],
    ['media:sma', 'file:sma'],
    ['talk : Xy', 'talk:xy'],
    ['talk:', 'talk:'],
    [':Xylo', 'xylo'],
    ['  xy lo ', 'xy lo '],
    ['Foo#bar', 'foo'],
    ['de:x', 'de:x'],
    ['[', '['],
    ['', ''],
  ])('folds %j to %j', (typed, prefix) => {
    expect(foldTitlePrefix(typed, rules)).toBe(prefix)
  })
})

describe('findNamespace', () => {
  it.each([
    ['talk', 1],
    [' User_Talk ', 3],
    ['VORLAGE', 10],
    ['Template', 10],
    ['p', 100],
    ['special', -1],
    ['', undefined],
    ['nosuch', undefined],
    ['constructor', undefined],
  ])('finds %j as %j', (name, id) => {
    expect(findNamespace(name, rules)).toBe(id)
  })
})

describe('namespacesOf', () => {
  /** Names of the project namespace and its talk pages under these settings. */
  function projectNames(settings: object): (string | undefined)[] {
    const namespaces = namespacesOf(parseConfig(JSON.stringify(settings)))
    return [namespaces.get(4)?.name, namespaces.get(5)?.name]
  }

  it.each([
    ['the site name', { name: 'Our wiki' }, ['Our_wiki', 'Our_wiki_talk']],
    ['no site name', {}, ['Project', 'Project_talk']],
    ['a site name with signs that titles lack', { name: ' [A]: b/c|d#1 ' }, ['A_b_c_d_1', 'A_b_c_d_1_talk']],
    ['a site name of such signs only', { name: '[]' }, ['Project', 'Project_talk']],
    ['the name of another namespace', { name: 'Help' }, ['Project', 'Project_talk']],
    [
      'a name whose talk name is taken',
      { name: 'a', namespaces: { 100: { name: 'A talk' } } },
      ['Project', 'Project_talk'],
    ],
    [
      'a name that is an alias of the talk namespace',
      { name: 'A', namespaces: { 5: { name: 'B', aliases: ['a'] } } },
      ['Project', 'B'],
    ],
    ['a name of its own', { name: 'Site', namespaces: { 4: { name: 'Meta' } } }, ['Meta', 'Meta_talk']],
    ['both names of its own', { namespaces: { 4: { name: 'M' }, 5: { name: 'N' } } }, ['M', 'N']],
  ])('calls the project namespace by %s', (_, settings, names) => {
    expect(projectNames(settings)).toEqual(names)
  })

  it('lists no name twice', () => {
    const rules = rulesOf({
      namespaces: { 100: { name: 'A b', aliases: ['A_b', 'C', 'C'] }, 6: { name: 'File', aliases: [] } },
    })
    expect(rules.namespaces.get(100)?.aliases).toEqual(['C'])
    expect(rules.namespaces.get(6)?.aliases).toEqual(['Image'])
  })

  it('keeps the standard folder of a renamed namespace', () => {
    expect(rules.namespaces.get(10)).toEqual({
      id: 10,
      name: 'Vorlage',
      aliases: ['Template', 'V'],
      folder: 'Template',
      subpages: true,
    })
    expect(rules.namespaces.get(100)?.folder).toBe('Portal')
    expect(rules.namespaces.get(4)?.folder).toBe('Project')
  })
})
