import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../../src/core/config.ts'
import { possibleTitle, titleRules } from '../../src/core/title.ts'
import { type Dialect, dialectOf, dialects, isGollumPage, spacesAreDashes } from '../../src/links/dialect.ts'
import type { WrittenLink } from '../../src/links/link.ts'
import { linkNames, type Named } from '../../src/links/names.ts'
import { resolveExactly, resolveLink } from '../../src/links/resolve.ts'

const rules = titleRules(defaultConfig())

/** A wiki whose titles are the paths without their extensions, as the store reads them. */
function wikiOf(paths: readonly string[]) {
  return linkNames(
    paths.map(path => {
      const kind = /\.(?:png|svg)$/.test(path) ? ('file' as const) : ('page' as const)
      const title = kind === 'file' ? `File:${path}` : path.replace(/\.(?:md|mediawiki|wiki)$/, '')
      return { kind, key: possibleTitle(title, rules)?.key ?? '', path }
    }),
    { dashes: () => true },
  )
}

interface Case {
  readonly paths: readonly string[]
  readonly from: string
  readonly dialect?: Dialect
}

function resolve(link: Omit<WrittenLink, 'from'>, { paths, from, dialect = dialects.notes }: Case) {
  const keyOf = (target: string) => possibleTitle(target, rules)?.key ?? null
  return resolveLink({ ...link, from }, { path: from, dialect, names: wikiOf(paths), keyOf })
}

describe('paths', () => {
  const paths = [
    'README.md',
    'docs/x.md',
    'docs/deep/y.md',
    'docs/pictures/a.png',
    'a b.md',
    'guide/README.md',
    'x.mediawiki',
  ]
  test.each([
    ['docs/x.md', 'README.md', 'Docs/x'],
    ['./docs/x.md', 'README.md', 'Docs/x'],
    ['../x.md', 'docs/deep/y.md', 'Docs/x'],
    ['/docs/x', 'docs/deep/y.md', 'Docs/x'],
    ['x', 'docs/deep/y.md', 'X'],
    ['x', 'docs/z.md', 'Docs/x'],
    ['x.mediawiki', 'docs/z.md', 'X'],
    ['a%20b.md', 'README.md', 'A_b'],
    ['guide/', 'README.md', 'Guide/README'],
    ['../../../README', 'docs/deep/y.md', 'README'],
    ['pictures/a.png', 'docs/x.md', 'File:Docs/pictures/a.png'],
    ['x.md?plain=1', 'docs/z.md', 'Docs/x'],
    ['/en/docs/x', 'README.md', 'Docs/x'],
    ['../wiki/a-b', 'docs/x.md', 'A_b'],
    ['/z88dk/z88dk/wiki/a-b', 'docs/x.md', 'A_b'],
  ])('%s in %s leads to %s', (target, from, key) => {
    expect(resolve({ target, syntax: 'path' }, { paths, from })?.key).toBe(key)
  })

  test.each(['nowhere.md', '', '#x', '?', '..', '%', 'x'.repeat(2000), 'https://a.example/docs/x'])(
    '%s leads nowhere',
    target => {
      expect(resolve({ target, syntax: 'path' }, { paths: paths.slice(1, 4), from: 'docs/x.md' })).toBeNull()
    },
  )

  test("do not exist in a wiki with MediaWiki's rules", () => {
    const found = resolve(
      { target: 'docs/x.md', syntax: 'title' },
      { paths, from: 'README.md', dialect: dialects.mediawiki },
    )
    expect(found).toBeNull()
  })

  test('the extension selects one of two files', () => {
    const both = ['a.md', 'a.mediawiki']
    expect(resolve({ target: 'a.mediawiki', syntax: 'path' }, { paths: both, from: 'x.md' })).toMatchObject({
      rivals: [],
    })
    expect(resolve({ target: 'a', syntax: 'path' }, { paths: both, from: 'x.md' })?.rivals).toEqual(['a.mediawiki'])
  })
})

describe('names', () => {
  const paths = [
    'Home.md',
    'House-Proteron.md',
    'notes/Redis.md',
    'notes/deep/Redis.md',
    'old/Ropes.md',
    'images/x.png',
  ]
  test.each([
    ['House Proteron', 'Home.md', 'House-Proteron'],
    ['house_proteron', 'notes/Redis.md', 'House-Proteron'],
    ['redis', 'notes/deep/z.md', 'Notes/deep/Redis'],
    ['Redis', 'Home.md', 'Notes/Redis'],
    ['deep/redis', 'Home.md', 'Notes/deep/Redis'],
    ['Ropes', 'Home.md', 'Old/Ropes'],
    ['/images/x.png', 'notes/Redis.md', 'File:Images/x.png'],
    ['x.png', 'notes/Redis.md', 'File:Images/x.png'],
  ])('[[%s]] in %s leads to %s', (target, from, key) => {
    expect(resolve({ target, syntax: 'name' }, { paths, from, dialect: dialects.gollum })?.key).toBe(key)
  })

  test('the other matching files are reported', () => {
    expect(resolve({ target: 'Redis', syntax: 'name' }, { paths, from: 'Home.md' })?.rivals).toEqual([
      'notes/deep/Redis.md',
    ])
  })

  test('an existing title has priority over a name', () => {
    const both = ['Deep/Redis.md', 'Redis.md']
    expect(resolve({ target: 'Redis', syntax: 'name' }, { paths: both, from: 'Deep/x.md' })?.key).toBe('Redis')
  })

  test('letters compare equal in every Unicode form', () => {
    const found = resolve({ target: 'Pr\u030ci\u0301liv', syntax: 'name' }, { paths: ['moře/Příliv.md'], from: 'a.md' })
    expect(found?.key).toBe('Moře/Příliv')
  })

  test.each([
    ['in Gollum the text comes first', dialects.gollum, 'Ropes', true],
    ['in notes the target comes first', dialects.notes, 'House-Proteron', false],
  ])('%s', (_, dialect, base, isTextFirst) => {
    const found = resolve(
      { target: 'House Proteron', second: 'Ropes', syntax: 'name' },
      { paths, from: 'Home.md', dialect },
    )
    expect(found?.key.endsWith(base)).toBe(true)
    expect(found?.isTextFirst).toBe(isTextFirst)
  })

  test('the existing part is the target, whatever the dialect', () => {
    const found = resolve(
      { target: 'Ropes', second: 'about ropes', syntax: 'name' },
      { paths, from: 'Home.md', dialect: dialects.gollum },
    )
    expect(found).toMatchObject({ key: 'Old/Ropes', isTextFirst: false })
  })

  test('if neither exists, the dialect determines the target', () => {
    const missing = { target: 'text', second: 'Missing', syntax: 'name' } as const
    expect(resolve(missing, { paths, from: 'Home.md', dialect: dialects.gollum })).toMatchObject({
      kind: 'missing',
      isTextFirst: true,
    })
    expect(resolve(missing, { paths, from: 'Home.md' })).toBeNull()
  })

  test('a heading is referenced by its text in notes, by its slug in Markdown', () => {
    const at = { paths, from: 'Home.md' }
    expect(resolve({ target: 'Ropes#On Knots & co', syntax: 'name' }, at)?.fragment).toBe('on-knots--co')
    expect(resolve({ target: 'old/Ropes.md#on-knots', syntax: 'path' }, at)?.fragment).toBe('on-knots')
  })
})

describe('the dialect', () => {
  test.each([
    ['auto', true, true, false, dialects.gollum],
    ['auto', true, false, false, dialects.notes],
    ['auto', false, false, false, dialects.paths],
    ['auto', true, true, true, dialects.notes],
    ['mediawiki', true, true, false, dialects.mediawiki],
    ['notes', false, true, false, dialects.notes],
    ['gollum', true, false, true, dialects.gollum],
  ] as const)('%s, Markdown %s, Gollum %s, vault %s', (setting, isMarkdown, isGollum, isVault, expected) => {
    expect(dialectOf(setting, { isMarkdown, isGollum, isVault })).toBe(expected)
  })

  test.each([
    ['auto', { isGollum: true, isVault: false }, ['Low tide'], true],
    ['auto', { isGollum: false, isVault: false }, ['docs/Low-tide', 'my notes/Ebb'], true],
    ['auto', { isGollum: false, isVault: false }, ['docs/Low-tide', 'High tide'], false],
    ['auto', { isGollum: true, isVault: true }, ['Low-tide'], false],
    ['notes', { isGollum: false, isVault: true }, ['Low-tide'], false],
  ] as const)('%s, %o: a space may be a dash in %o: %s', (setting, signs, paths, expected) => {
    expect(spacesAreDashes(setting, signs, paths)).toBe(expected)
  })

  test.each([
    ['Home.md', true],
    ['_Sidebar.mediawiki', true],
    ['docs/Home.md', false],
    ['home.md', false],
    ['Sidebar.md', false],
  ])('%s indicates a Gollum wiki: %s', (path, expected) => {
    expect(isGollumPage(path)).toBe(expected)
  })
})

test("the text of a link is its target only if nothing has the target's name", () => {
  const paths = ['docs/features/Latex.md', 'docs/plugins/Latex.md']
  const at = { paths, from: 'docs/features/Latex.md' }
  expect(resolve({ target: 'plugins/Latex', second: 'Latex', syntax: 'name' }, at)?.key).toBe('Docs/plugins/Latex')
  const keyOf = (target: string) => possibleTitle(target, rules)?.key ?? null
  const place = { path: at.from, dialect: dialects.notes, names: wikiOf(paths), keyOf }
  const link = { from: at.from, target: 'plugins/Latex', second: 'Latex', syntax: 'name' } as const
  expect(resolveExactly(link, place)).toBeNull()
})

test('the paths of pages are indexed when a path is first sought, and once', () => {
  let reads = 0
  const entry = (key: string): Named => ({
    kind: 'page',
    key,
    get path() {
      reads++
      return `${key}.md`
    },
  })
  const names = linkNames([entry('A'), entry('B')], { dashes: () => false })
  expect([names.withKey('B')?.key, reads]).toEqual(['B', 0])
  const sought = () => names.at({ stem: 'B', extension: null }, true).map(({ key }) => key)
  expect(sought()).toEqual(['B'])
  const first = reads
  expect(first).toBeGreaterThan(0)
  sought()
  expect(reads - first).toBeLessThan(first)
})
