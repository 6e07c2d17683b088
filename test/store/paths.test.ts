import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../src/core/config.ts'
import { type ContentModel, contentModels } from '../../src/core/content-models.ts'
import { isWikiError } from '../../src/core/errors.ts'
import { parseTitle, type Title } from '../../src/core/title.ts'
import type { WikiConfig } from '../../src/core/wiki-config.ts'
import {
  comparePaths,
  pathInLayout,
  pathOfFile,
  pathOfTitle,
  pathRules,
  titleOfPath,
  unsharded,
} from '../../src/store/format/paths.ts'
import { rounds } from '../_rounds.ts'

const settings = { name: 'Test Wiki', namespaces: { 100: { name: 'Portal', aliases: ['P'] } } }
const rules = rulesOf(settings)
const exactRules = rulesOf({ ...settings, capitalization: 'case-sensitive' })

function rulesOf(settings: object) {
  return pathRules(parseConfig(JSON.stringify(settings)))
}

function pathOf(text: string, model: ContentModel = 'wikitext', under = rules): string {
  return pathOfTitle(parseTitle(text, under.titles), model, under)
}

/** `model Title` for a page, `file Title` for media, null for neither, `refused` for a name without a valid title. */
function meaningOf(path: string, under = rules): string | null {
  try {
    const meaning = titleOfPath(path, under)
    return meaning && `${meaning.kind === 'page' ? meaning.model : 'file'} ${meaning.title.text}`
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return 'refused'
    throw error
  }
}

describe('pathOfTitle', () => {
  it.each<[title: string, path: string]>([
    ['Main Page', 'Main_Page.wiki'],
    ['Ümläut ß 日本語', 'Ümläut_ß_日本語.wiki'],
    ['A/b/c', 'A/b/c.wiki'],
    ['/a', '%2Fa.wiki'],
    ['A/', 'A%2F.wiki'],
    ['A//b', 'A%2F%2Fb.wiki'],
    ['A/b//c/d', 'A/b%2F%2Fc/d.wiki'],
    ['/', '%2F.wiki'],
    ['///', '%2F%2F%2F.wiki'],
    ['100%', '100%25.wiki'],
    ['What? "a:b*c\\d"', 'What%3F_%22a%3Ab%2Ac%5Cd%22.wiki'],
    ["!'();@&=$,~+^`-", "!'();@&=$,~+^`-.wiki"],
    ['.git/config', '%2Egit/config.wiki'],
    ['...', '%2E.%2E.wiki'],
    ['A./b.', 'A%2E/b%2E.wiki'],
    ['Git~1/x', 'Git%7E1/x.wiki'],
    ['\u200c.git/x', '%E2%80%8C.git/x.wiki'],
    ['\ufeff.git/x', '%EF%BB%BF.git/x.wiki'],
    ['\u206f\u200d.git/x', '%E2%81%AF\u200d.git/x.wiki'],
    ['A/\u200d.git/x', 'A/%E2%80%8D.git/x.wiki'],
    ['Con', '%43on.wiki'],
    ['Aux.x/nul/lpt9.a.b', '%41ux.x/%6Eul/%6Cpt9.a.b.wiki'],
    ['Com¹', '%43om¹.wiki'],
    ['Conin$/conout$', '%43onin$/%63onout$.wiki'],
    ['Console/com/com10/xcon', 'Console/com/com10/xcon.wiki'],
    ['Foo.json', 'Foo.json.wiki'],
    ['Talk:a/b', 'Talk/A/b.wiki'],
    ['User talk:Con', 'User_talk/%43on.wiki'],
    ['Project:About', 'Project/About.wiki'],
    ['Test Wiki talk:About', 'Project_talk/About.wiki'],
    ['P:Science', 'Portal/Science.wiki'],
    ['File:Small.png', 'File/Small.png.wiki'],
    ['Talk', 'Talk.wiki'],
    ['Talk/x', '%54alk/x.wiki'],
    ['User talk/x', '%55ser_talk/x.wiki'],
    ['Project/x', '%50roject/x.wiki'],
    ['TEST WIKI/x', '%54EST_WIKI/x.wiki'],
    ['P/x', '%50/x.wiki'],
    ['Image/x', '%49mage/x.wiki'],
    ['Special/x', 'Special/x.wiki'],
    ['Talk:User/x', 'Talk/User/x.wiki'],
  ])('writes %j to %s', (title, path) => {
    expect(pathOf(title)).toBe(path)
    expect(meaningOf(path)).toBe(`wikitext ${parseTitle(title, rules.titles).text}`)
  })

  it.each<[title: string, model: ContentModel, path: string]>([
    ['Read me', 'markdown', 'Read_me.md'],
    ['Foo.md', 'markdown', 'Foo.md.md'],
    ['MediaWiki:Common.css', 'css', 'MediaWiki/Common.css'],
    ['MediaWiki:Common.css', 'wikitext', 'MediaWiki/Common.css.wiki'],
    ['MediaWiki:Common.css', 'json', 'MediaWiki/Common.css%.json'],
    ['Foo.JSON', 'json', 'Foo.JSON'],
    ['Foo', 'json', 'Foo%.json'],
    ['Foo%', 'json', 'Foo%25%.json'],
    ['Foo%.json', 'json', 'Foo%25.json'],
    ['Foo..json', 'json', 'Foo%2E.json'],
    ['.json', 'json', '%2Ejson%.json'],
    ['A/.json', 'json', 'A/%2Ejson%.json'],
    ['A//.json', 'json', 'A%2F%2F.json%.json'],
    ['Con.js', 'javascript', '%43on.js'],
    ['Notes.txt', 'text', 'Notes.txt'],
    ['File:Notes.txt', 'text', 'File/Notes.txt%.txt'],
    ['File:Notes.txt', 'wikitext', 'File/Notes.txt.wiki'],
    ['MediaWiki:Common.css/doc', 'wikitext', 'MediaWiki/Common%2Ecss/doc.wiki'],
    ['MediaWiki:Common.css/x.js', 'javascript', 'MediaWiki/Common%2Ecss/x.js'],
    ['File:Small.PNG/a.b/c', 'wikitext', 'File/Small%2EPNG/a.b/c.wiki'],
    ['A.wiki/b', 'wikitext', 'A%2Ewiki/b.wiki'],
    ['Wiki.json', 'json', '%57iki.json'],
    ['A/wiki.json', 'json', 'A/wiki.json'],
    ['Talk:Wiki.json', 'json', 'Talk/Wiki.json'],
  ])('writes %j as %s to %s', (title, model, path) => {
    expect(pathOf(title, model)).toBe(path)
    expect(meaningOf(path)).toBe(`${model} ${parseTitle(title, rules.titles).text}`)
  })

  it('splits a part that is too long into folders', () => {
    const a = 'A'.repeat(200)
    expect(pathOf(a)).toBe(`${a}.wiki`)
    expect(pathOf(`${a}bc`)).toBe(`${a}%/bc.wiki`)
    expect(pathOf(`${a}./x`)).toBe(`${a}%/%2E/x.wiki`)
    expect(pathOf(`${a}con.x`)).toBe(`${a}%/%63on.x.wiki`)
    expect(pathOf(`${a}.json`, 'json')).toBe(`${a}.json`)
    expect(pathOf(`X${'"'.repeat(254)}`)).toBe(`X${[66, 66, 66, 56].map(count => '%22'.repeat(count)).join('%/')}.wiki`)
    expect(pathOf(`x${'日'.repeat(84)}`)).toBe(`X${'日'.repeat(66)}%/${'日'.repeat(18)}.wiki`)
  })

  it('writes below the root, and to shards if the wiki is sharded', () => {
    const rooted = rulesOf({ root: 'docs/wiki' })
    expect(pathOf('Talk:A/b', 'wikitext', rooted)).toBe('docs/wiki/Talk/A/b.wiki')
    expect(pathOf('Wiki.json', 'json', rooted)).toBe('docs/wiki/Wiki.json')
    // sha1('Talk:A/b') and sha1('Main_Page').
    const sharded = rulesOf({ root: 'docs', layout: 'sharded' })
    expect(pathOf('Talk:A/b', 'wikitext', sharded)).toBe('docs/e2/Talk/A/b.wiki')
    expect(pathOf('Main Page', 'wikitext', sharded)).toBe('docs/8f/Main_Page.wiki')
  })
})

describe('titleOfPath', () => {
  it.each<[path: string, meaning: string | null]>([
    ['main page.wiki', 'wikitext Main page'],
    ['Foo.mediawiki', 'wikitext Foo'],
    ['Foo.WikiText', 'wikitext Foo'],
    ['Foo.MW', 'wikitext Foo'],
    ['README.md', 'markdown README'],
    ['package.json', 'json Package.json'],
    ['What?.wiki', 'wikitext What?'],
    ['a:b.wiki', 'wikitext A:b'],
    ['talk:x.wiki', 'wikitext Talk:X'],
    ['user talk/x.wiki', 'wikitext User talk:X'],
    ['USER_TALK/x.wiki', 'wikitext User talk:X'],
    ['test wiki/x.wiki', 'wikitext Test Wiki:X'],
    ['Test_Wiki_talk/x.wiki', 'wikitext Test Wiki talk:X'],
    ['project/x.wiki', 'wikitext Test Wiki:X'],
    ['p/x.wiki', 'wikitext Portal:X'],
    ['%74alk/x.wiki', 'wikitext Talk/x'],
    ['E\u0301clair.wiki', 'wikitext Éclair'],
    ['100%.wiki', 'wikitext 100%'],
    ['100%/x.wiki', 'wikitext 100%/x'],
    ['50%zz%4.wiki', 'wikitext 50%zz%4'],
    ['100%.json', 'json 100'],
    ['F%6f%6F.wiki', 'wikitext Foo'],
    ['%c3%a4.wiki', 'wikitext Ä'],
    ['a%2Fb.wiki', 'wikitext A/b'],
    [`${'a'.repeat(148)}%/b.wiki`, `wikitext A${'a'.repeat(147)}%/b`],
    [`${'a'.repeat(149)}%/b.wiki`, `wikitext A${'a'.repeat(148)}b`],
    ['a..b.wiki', 'wikitext A..b'],
    ['.hidden.wiki', null],
    ['a/.hidden/b.wiki', null],
    ['.github/x.md', null],
    ['.wiki', null],
    ['a/.wiki', null],
    ['git~1/a.wiki', null],
    ['a/GIT~2. /b.wiki', null],
    ['git~1:s.wiki', null],
    ['a/\u200c.git/b.wiki', null],
    ['\ufeff\u200d.x.wiki', null],
    ['..\\a.wiki', null],
    ['a\\..\\b.wiki', null],
    ['git~x.wiki', 'wikitext Git~x'],
    ['a//b.wiki', null],
    ['/a.wiki', null],
    ['../a.wiki', null],
    ['a/../b.wiki', null],
    ['', null],
    ['a', null],
    ['a.', null],
    ['a.wiki/', null],
    ['a.wiki~', null],
    ['a.html', null],
    ['a.constructor', null],
    ['Makefile', null],
    ['wiki.json', null],
    ['Wiki.JSON', null],
    ['a/wiki.json', 'json A/wiki.json'],
    ['C#.wiki', 'refused'],
    ['a%23b.wiki', 'refused'],
    ['a[b].wiki', 'refused'],
    ['a%00b.wiki', 'refused'],
    ['a%0Ab.wiki', 'refused'],
    ['a%ff.wiki', 'refused'],
    ['a%c3.wiki', 'refused'],
    ['a%c0%af.wiki', 'refused'],
    ['a%ed%a0%80.wiki', 'refused'],
    ['a\ufffd.wiki', 'refused'],
    ['a%2541.wiki', 'refused'],
    ['special:x.wiki', 'refused'],
    ['a/%2e%2e/b.wiki', 'refused'],
    ['Talk/ .wiki', 'refused'],
    [`${'a'.repeat(256)}.wiki`, 'refused'],
    ['File/Small.png', 'file File:Small.png'],
    ['image/small.PNG', 'file File:Small.PNG'],
    ['bip-1/pic.png', 'file File:Bip-1/pic.png'],
    ['pic.svg', 'file File:Pic.svg'],
    ['Talk/pic.jpeg', 'file File:Talk/pic.jpeg'],
    ['File/a%3Ab.pdf', 'file File:A:b.pdf'],
    ['File/Small.png.wiki', 'wikitext File:Small.png'],
    ['File/Notes.txt', 'file File:Notes.txt'],
    ['File/a/b.TXT', 'file File:A/b.TXT'],
    ['File/Notes.txt%.txt', 'text File:Notes.txt'],
    ['File/Notes%.txt', 'text File:Notes'],
    ['Image/Notes.txt', 'text File:Notes.txt'],
    ['Talk/File/Notes.txt', 'text Talk:File/Notes.txt'],
    ['File/.png', null],
    ['a#b.png', 'refused'],
    ['a%ff.png', 'refused'],
  ])('reads %j as %j', (path, meaning) => {
    expect(meaningOf(path)).toBe(meaning)
  })

  it('ignores paths outside the root', () => {
    const rooted = rulesOf({ root: 'docs/.wiki' })
    expect(meaningOf('docs/.wiki/a/b.wiki', rooted)).toBe('wikitext A/b')
    expect(meaningOf('docs/.wiki/wiki.json', rooted)).toBe('json Wiki.json')
    for (const path of ['a.wiki', 'docs/a.wiki', 'docs/.wikia.wiki', 'docs/.wiki', 'docs/.wiki/.a.wiki', 'wiki.json']) {
      expect(meaningOf(path, rooted)).toBe(null)
    }
  })

  it("recognises a shard only if it is the title's own", () => {
    const sharded = rulesOf({ layout: 'sharded' })
    expect(meaningOf('8f/Main_Page.wiki', sharded)).toBe('wikitext Main Page')
    expect(meaningOf('8f/main page.mw', sharded)).toBe('wikitext 8f/main page')
    expect(meaningOf('8e/Main_Page.wiki', sharded)).toBe('wikitext 8e/Main Page')
    expect(meaningOf('8F/Main_Page.wiki', sharded)).toBe('wikitext 8F/Main Page')
    expect(meaningOf('Main_Page.wiki', sharded)).toBe('wikitext Main Page')
    expect(meaningOf('8f/Main_Page.wiki')).toBe('wikitext 8f/Main Page')
    expect(meaningOf('8f/special:x.wiki', sharded)).toBe('wikitext 8f/special:x')
    expect(meaningOf('8f/a[b].wiki', sharded)).toBe('refused')
  })
})

describe('pathOfFile', () => {
  it.each([
    ['File:Small.png', 'File/Small.png'],
    ['File:Notes.txt', 'File/Notes.txt'],
    ['File:A b/c?.JPG', 'File/A_b/c%3F.JPG'],
    ['File:Talk/x.png', 'File/Talk/x.png'],
    ['File:Con.svg', 'File/%43on.svg'],
  ])('writes %s to %s', (text, path) => {
    expect(pathOfFile(parseTitle(text, rules.titles), rules)).toBe(path)
    expect(meaningOf(path)).toBe(`file ${text}`)
  })

  it('puts text files into File/ itself, where only they are media', () => {
    const sharded = { ...rules, layout: 'sharded' as const, root: 'docs' }
    const path = pathOfFile(parseTitle('File:Notes.txt', sharded.titles), sharded)
    expect(path).toBe('docs/File/Notes.txt')
    expect(titleOfPath(path, sharded)).toMatchObject({ kind: 'file', title: { key: 'File:Notes.txt' } })
  })

  it.each(['File:Small', 'File:.png', 'File:A.exe', 'File:A.json', 'File:A.constructor', 'Small.png'])(
    'refuses %s',
    text => {
      expect(() => pathOfFile(parseTitle(text, rules.titles), rules)).toThrow('does not refer to a wiki page: it ')
    },
  )
})

const nastyPieces = [
  ...['/', '//', '.', '..', '...', '%', '%2', '%.', '?', '"', ':', '*', '\\', '~1', '_', ' ', '%/', '~'],
  ...[
    'con',
    'Com¹',
    'conin$',
    'nul.',
    'lpt9',
    'git',
    '.git',
    'wiki',
    'Wiki.json',
    'Talk',
    'user talk',
    'P',
    'test wiki',
  ],
  ...['.json', '.css', '.js', '.txt', '.md', '.wiki', '.png', '.JSON', '%.json', 'ab', '0f', 'a', 'b'],
  ...['é', 'e\u0301', 'ß', '日', '😀', '\u200c', '\u200d', '\ufeff', '\u206a', '\u0338', 'ᾳ'],
]
const nastyName = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 6, arbitrary: fc.constantFrom(...nastyPieces) },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 5 }) },
        {
          weight: 1,
          arbitrary: fc
            .tuple(fc.constantFrom('a', '.', '"', 'é', '日', '😀', '/', '~1', 'con.'), fc.nat(255))
            .map(([piece, count]) => piece.repeat(count)),
        },
      ),
      { maxLength: 12 },
    ),
    fc.nat(3),
  )
  .map(([pieces, cut]) => cutTo(pieces.join(''), 255 - cut))

/** The longest start of a text that has at most this many bytes. */
function cutTo(text: string, bytes: number): string {
  const encoded = Buffer.from(text)
  return encoded.length <= bytes
    ? text
    : encoded
        .subarray(0, bytes)
        .toString()
        .replace(/\ufffd+$/, '')
}

const variants: Partial<WikiConfig>[] = [
  {},
  { capitalization: 'case-sensitive' },
  { root: 'docs/wiki' },
  { layout: 'sharded' },
  { layout: 'sharded', capitalization: 'case-sensitive', root: 'ab' },
]
const models = Object.keys(contentModels) as ContentModel[]
const namespaces = [0, 0, 0, ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 100]]
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:[ .:]|$)/i

/** File names that Windows, git or a file system would refuse. */
const portabilityFlaws: readonly ((name: string) => boolean)[] = [
  name => name === '' || Buffer.byteLength(name) > 255,
  name => /[<>:"\\|?*\p{Cc}]/u.test(name),
  name => /^\.|[. ]$/.test(name),
  name => deviceName.test(name),
  name => /^git~\d/i.test(name),
  // Names that git treats as `.git` where a file system ignores invisible letters.
  name => /^\.git$/i.test(name.replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')),
]

function expectPortable(path: string): void {
  const bad = path.split('/').filter(name => portabilityFlaws.some(isFlawed => isFlawed(name)))
  expect(bad).toEqual([])
}

/** `a` and `a/b` of `a/b/c`: a file at such a path excludes a folder. */
function foldersOf(path: string): string[] {
  const names = path.split('/')
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join('/'))
}

/** The title; null if it is invalid. */
function legalTitle(text: string, under: typeof rules, namespace = 0): Title | null {
  try {
    return parseTitle(text, under.titles, namespace)
  } catch {
    return null
  }
}

describe('the laws of paths', { tags: 'rounds' }, () => {
  it.each(variants.map(variant => [JSON.stringify(variant), variant] as const))(
    'every title and model has a portable path that reads back, and no other title has it: %s',
    { tags: 'long' },
    (_, variant) => {
      const rules = rulesOf({ ...settings, ...variant })
      const written = new Map<string, string>()
      fc.assert(
        fc.property(nastyName, fc.constantFrom(...namespaces), (name, namespace) => {
          const title = legalTitle(name, rules, namespace)
          if (title === null) return
          for (const model of models) {
            const path = pathOfTitle(title, model, rules)
            expect(titleOfPath(path, rules)).toEqual({ kind: 'page', title: { ...title, fragment: '' }, model })
            expectPortable(path)
            expect(written.get(path) ?? `${model} ${title.key}`).toBe(`${model} ${title.key}`)
            written.set(path, `${model} ${title.key}`)
          }
        }),
        { numRuns: rounds(300, 1000) },
      )
      expect(written.size).toBeGreaterThan(rounds(1000, 2000))
      expect([...written.keys()].flatMap(foldersOf).filter(folder => written.has(folder))).toEqual([])
    },
  )

  it('every file title has a portable path that reads back', { tags: 'long' }, () => {
    fc.assert(
      fc.property(nastyName, fc.constantFrom('.png', '.PDF', '.jpeg'), (name, extension) => {
        const title = legalTitle(`File:${cutTo(name, 249)}x${extension}`, rules)
        if (title === null || title.fragment !== '') return
        const path = pathOfFile(title, rules)
        expect(titleOfPath(path, rules)).toEqual({ kind: 'file', title })
        expectPortable(path)
      }),
      { numRuns: rounds(600, 2000) },
    )
  })

  it('no path causes an error except an invalid title, and a title read from a path is written and read again', () => {
    const parts = fc.constantFrom(
      ...nastyPieces,
      '%41',
      '%c3',
      '%00',
      '#',
      '\ud800',
      'Talk/',
      'File/',
      'x.wiki',
      'x.png',
    )
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), fc.constantFrom(rules, exactRules), (pieces, rules) => {
        const path = pieces.join('')
        if (meaningOf(path, rules) === 'refused') return
        const meaning = titleOfPath(path, rules)
        if (meaning?.kind !== 'page') return
        expect(titleOfPath(pathOfTitle(meaning.title, meaning.model, rules), rules)).toEqual(meaning)
      }),
      { numRuns: 5000 },
    )
  })
})

describe('another layout', () => {
  const folders = { ...rules, layout: 'folders' } as const
  const sharded = { ...rules, layout: 'sharded' } as const

  it('has the same titles, and converting back restores the path', { tags: 'long' }, () => {
    fc.assert(
      fc.property(nastyName, fc.constantFrom('wikitext', 'json', 'text'), (name, model) => {
        const title = legalTitle(cutTo(name, 240), folders)
        if (title === null || title.fragment !== '' || title.namespace < 0) return
        const path = pathOfTitle(title, model, folders)
        const there = pathInLayout(path, folders, 'sharded')
        expect(titleOfPath(there, sharded)).toEqual(titleOfPath(path, folders))
        expect(unsharded(there, '')).toBe(path)
        expect(pathInLayout(there, sharded, 'folders')).toBe(path)
        expect(pathInLayout(there, sharded, 'sharded')).toBe(there)
        expectPortable(there)
      }),
      { numRuns: 2000 },
    )
  })

  const stays: readonly [why: string, path: string][] = [
    ["it is not the wiki's", 'README'],
    ['it makes no title', 'x~~~.wiki'],
    ['it is the settings', 'wiki.json'],
    ['it is a text that is a file', 'File/Notes.txt'],
  ]
  it.each(stays)('leaves a path unchanged if %s', (_, path) => {
    expect(pathInLayout(path, folders, 'sharded')).toBe(path)
  })

  it('restores the name of a page called wiki.json', () => {
    const title = legalTitle('wiki.json', exactRules) as Title
    const path = pathOfTitle(title, 'json', { ...exactRules, layout: 'folders' })
    const there = pathOfTitle(title, 'json', { ...exactRules, layout: 'sharded' })
    expect(pathInLayout(there, { ...exactRules, layout: 'sharded' }, 'folders')).toBe(path)
    expect(unsharded(there, '')).toBe(path)
  })
})

describe('comparePaths', () => {
  it('orders like the bytes of UTF-8', { tags: 'long' }, () => {
    const text = fc.oneof(
      fc.array(fc.constantFrom('a', 'b', '/', 'é', '\ue000', '\uffff', '😀', '😁', '𐀀', '\ud7ff'), { maxLength: 6 }),
      fc.array(fc.string({ unit: 'binary', maxLength: 1 }), { maxLength: 6 }),
    )
    fc.assert(
      fc.property(text, text, (left, right) => {
        const [a, b] = [left.join(''), right.join('')]
        expect(Math.sign(comparePaths(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
      }),
      { numRuns: 5000 },
    )
  })
})
