import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { configKeys, configValue, defaultConfig, parseConfig, setConfigValue } from '../../src/core/config.ts'
import { isWikiError } from '../../src/core/errors.ts'

const whole = {
  name: 'Our wiki',
  language: 'pt-br',
  mainPage: 'Portal:Start',
  license: { url: 'https://creativecommons.org/licenses/by-sa/4.0/', title: 'CC BY-SA 4.0' },
  contact: 'wiki@example.org',
  root: 'docs/wiki',
  namespaces: { '10': { name: 'Vorlage', aliases: [] }, '100': { name: 'Portal', aliases: ['P'], subpages: true } },
  capitalization: 'case-sensitive',
  searchedNamespaces: [0, 100],
  stemming: false,
  interwiki: { wikipedia: 'https://en.wikipedia.org/wiki/$1' },
  languages: { de: 'https://de.example/wiki/$1' },
  anonymousEdits: true,
  editableFiles: ['data/*.json', 'User/*/*.css'],
  allowedOrigins: ['https://editor.example', 'http://localhost:3000'],
  bots: ['bot@example.org', 'Sweeper'],
  layout: 'sharded',
  links: 'gollum',
  merge: 'lines',
  limits: { source: 4096, html: 8192, file: 1024 },
  checks: { levels: { 'obsolete-tag': 'off' }, exclude: ['drafts/**'] },
  hidden: { [`${'a'.repeat(40)}/${'b'.repeat(40)}`]: { parts: ['text'], reason: 'why' } },
}

/** The message of the error, or the config if there is none. */
function outcome(run: () => unknown): unknown {
  try {
    return run()
  } catch (error) {
    if (isWikiError(error, 'wiki-bad-config')) return error.message
    throw error
  }
}

describe('parseConfig', () => {
  it('reads every key', () => {
    expect(parseConfig(JSON.stringify(whole))).toEqual(whole)
  })

  it('fills in missing settings at every depth', () => {
    expect(parseConfig('{}')).toEqual(defaultConfig())
    expect(parseConfig('\ufeff{"license": {"title": "MIT"}, "namespaces": {"100": {"name": "Portal"}}}')).toEqual({
      ...defaultConfig(),
      license: { url: '', title: 'MIT' },
      namespaces: { '100': { name: 'Portal', aliases: [] } },
    })
  })

  it.each([
    ['', 'wiki.json: the file must be a JSON object'],
    ['{', 'wiki.json: the file must be a JSON object'],
    ['[]', 'wiki.json: the file must be an object'],
    ['null', 'wiki.json: the file must be an object'],
    ['"x"', 'wiki.json: the file must be an object'],
    ['[['.repeat(100_000), 'wiki.json: the file must be a JSON object'],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'wiki.json: the file must be an object'],
    [`"${'x'.repeat(1024 * 1024)}"`, 'wiki.json: the file must be no larger than 1 MiB'],
  ])('refuses a file that is not an object: %.20j', (text, message) => {
    expect(outcome(() => parseConfig(text))).toBe(message)
  })

  it.each<[settings: string, key: string, expected: string]>([
    ['{"name": 5}', 'name', 'a name of at most 100 characters'],
    ['{"name": "a\\nb"}', 'name', 'a name of at most 100 characters'],
    ['{"language": "english language"}', 'language', 'a language code'],
    ['{"mainPage": "a|b"}', 'mainPage', 'the title of a page'],
    ['{"mainPage": "Special:Version"}', 'mainPage', 'the title of a page'],
    ['{"license": "MIT"}', 'license', 'an object'],
    ['{"license": ["MIT"]}', 'license', 'an object'],
    ['{"license": {"url": "javascript:alert(1)"}}', 'license.url', 'an http or https address'],
    ['{"license": {"name": "MIT"}}', 'license.name', 'one of the keys url, title'],
    ['{"capitalization": "none"}', 'capitalization', 'first-letter or case-sensitive'],
    ['{"layout": null}', 'layout', 'folders or sharded'],
    ['{"bots": "bot@example.org"}', 'bots', 'a list'],
    ['{"bots": [""]}', 'bots.0', 'a name or an address'],
    ['{"searchedNamespaces": ["0"]}', 'searchedNamespaces.0', 'an integer'],
    ['{"searchedNamespaces": [0, 1.5]}', 'searchedNamespaces.1', 'an integer'],
    ['{"searchedNamespaces": [1e400]}', 'searchedNamespaces.0', 'an integer'],
    ['{"searchedNamespaces": [0, 100]}', 'searchedNamespaces.1', 'the id of a namespace with pages'],
    ['{"searchedNamespaces": [-1]}', 'searchedNamespaces.0', 'the id of a namespace with pages'],
    ['{"searchedNamespaces": {}}', 'searchedNamespaces', 'a list'],
    ['{"root": "/docs"}', 'root', 'a folder of the repository, without a slash at either end'],
    ['{"interwiki": {"w": "https://w.example/"}}', 'interwiki.w', addressExpected()],
    ['{"interwiki": {"w": "ftp://w.example/$1"}}', 'interwiki.w', addressExpected()],
    ['{"interwiki": {"w": "https://$1.example/"}}', 'interwiki.w', addressExpected()],
    ['{"interwiki": {"w": "javascript:alert(\'$1\')"}}', 'interwiki.w', addressExpected()],
    ['{"languages": {"de": 5}}', 'languages.de', addressExpected()],
    ['{"languages": ["de"]}', 'languages', 'an object'],
    ['{"interwiki": {"a b": "https://w.example/$1"}}', '"interwiki.a b"', 'a prefix of letters, digits and hyphens'],
    ['{"namespaces": {"100": {}}}', 'namespaces.100.name', namespaceExpected()],
    ['{"namespaces": {"100": {"name": "a:b"}}}', 'namespaces.100.name', namespaceExpected()],
    ['{"namespaces": {"100": {"name": "a/b"}}}', 'namespaces.100.name', namespaceExpected()],
    ['{"namespaces": {"100": {"name": "_a"}}}', 'namespaces.100.name', namespaceExpected()],
    ['{"namespaces": {"100": {"name": "a__b"}}}', 'namespaces.100.name', namespaceExpected()],
    ['{"namespaces": {"100": {"name": "a "}}}', 'namespaces.100.name', namespaceExpected()],
    ['{"namespaces": {"100": {"name": ".git"}}}', 'namespaces.100.name', namespaceExpected()],
    ['{"namespaces": {"100": {"name": "Con"}}}', 'namespaces.100.name', namespaceExpected()],
    ['{"namespaces": {"100": {"name": "a", "aliases": ["50%"]}}}', 'namespaces.100.aliases.0', namespaceExpected()],
    ['{"namespaces": {"100": {"name": "a", "subpages": 1}}}', 'namespaces.100.subpages', 'true or false'],
    ['{"namespaces": {"100": {"name": "TALK"}}}', 'namespaces.100.name', 'a name that no other namespace has'],
    ['{"namespaces": {"100": {"name": "user talk"}}}', 'namespaces.100.name', 'a name that no other namespace has'],
    ['{"namespaces": {"9": {"name": "a", "aliases": ["b", "image"]}}}', 'namespaces.9.aliases.1', uniqueExpected()],
    ['{"namespaces": {"100": {"name": "a"}, "102": {"name": "A"}}}', 'namespaces.102.name', uniqueExpected()],
    ['{"namespaces": {"0": {"name": "a"}}}', 'namespaces.0', 'the id of a namespace: 1 to 9999'],
    ['{"namespaces": {"007": {"name": "a"}}}', 'namespaces.007', 'the id of a namespace: 1 to 9999'],
    ['{"namespaces": {"__proto__": {"name": "a"}}}', 'namespaces.__proto__', 'the id of a namespace: 1 to 9999'],
    ['{"interwiki": {"__proto__": {"x": 1}}}', 'interwiki.__proto__', 'a prefix of letters, digits and hyphens'],
  ])('refuses %s', (settings, key, expected) => {
    expect(outcome(() => parseConfig(settings, 'old/wiki.json'))).toBe(`old/wiki.json: ${key} must be ${expected}`)
  })

  it.each([
    ...['..', 'a/..', '../a', './a', 'a/./b', '/a', 'a/', 'a//b', 'a\\b', 'a\0', '/', '.. ', 'a/. ./b', ' ', '\ud800'],
    ...['.git', 'a/.GIT/b', '.git ', '.git.', 'a/.git. ./b', 'git~1', 'GIT~1', 'git~2/a', 'git~1 .', 'a\n'],
    ...[
      '.git:stream',
      '.git::$INDEX_ALLOCATION',
      'git~1::$index_allocation/a',
      '.g\u200cit',
      '\ufeff.Git',
      'a/.gi\u206ft',
    ],
  ])('refuses the root %j', root => {
    expect(outcome(() => parseConfig(JSON.stringify({ root })))).toMatch(/^wiki\.json: root must be /)
  })

  it.each(['', 'docs', 'docs/wiki', '.wiki', 'a..b/..c', 'ä ö', '.github', 'git', 'git~x', '.gitx/a'])(
    'takes the root %j',
    root => {
      expect(parseConfig(JSON.stringify({ root })).root).toBe(root)
    },
  )

  it('names an unknown key, escaped for display', () => {
    expect(outcome(() => parseConfig('{"sitename": "x"}'))).toBe(
      `wiki.json: sitename must be one of the keys ${configKeys.join(', ')}`,
    )
    const hostile = JSON.stringify({ [`\u001b[31m${'x'.repeat(500)}`]: 1 })
    expect(outcome(() => parseConfig(hostile))).toMatch(/^wiki\.json: "\\u001b\[31mx{50,100}" must be /)
    expect(outcome(() => parseConfig('{"__proto__": {"name": "x"}}'))).toMatch(/^wiki\.json: __proto__ must be one of /)
  })

  it('distinguishes unknown keys from inherited object members', () => {
    const { interwiki } = parseConfig('{"interwiki": {"constructor": "https://c.example/$1"}}')
    expect(interwiki.constructor).toBe('https://c.example/$1')
    expect(defaultConfig().interwiki.constructor).toBeUndefined()
    expect(defaultConfig().namespaces.toString).toBeUndefined()
  })

  it('a complete config is read unchanged, and nothing else passes', { tags: 'long' }, () => {
    const names = fc.constantFrom(...configKeys, 'url', 'title', '100', '__proto__', 'constructor', 'x')
    const { value } = fc.letrec(tie => ({
      value: fc.oneof({ maxDepth: 3 }, tie('leaf'), tie('list'), tie('object')),
      leaf: fc.oneof(
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.constantFrom('folders', 'https://x/$1'),
      ),
      list: fc.array(tie('value'), { maxLength: 3 }),
      object: fc.dictionary(names, tie('value'), { maxKeys: 4 }),
    }))
    fc.assert(
      fc.property(value, settings => {
        const text = JSON.stringify(settings)
        const result = outcome(() => parseConfig(text))
        if (typeof result === 'string') expect(result).toMatch(/^wiki\.json: .+ must be /)
        else expect(parseConfig(JSON.stringify(result))).toEqual(result)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('configValue', () => {
  const config = parseConfig(JSON.stringify(whole))

  it.each([
    ['name', 'Our wiki'],
    ['license.url', 'https://creativecommons.org/licenses/by-sa/4.0/'],
    ['license', whole.license],
    ['bots', ['bot@example.org', 'Sweeper']],
    ['bots.1', 'Sweeper'],
    ['bots.7', undefined],
    ['namespaces.100.name', 'Portal'],
    ['namespaces.101.name', undefined],
    ['interwiki.constructor', undefined],
  ])('reads %s', (path, value) => {
    expect(configValue(config, path)).toEqual(value)
  })

  it('reads no inherited object member', () => {
    expect(configValue({ ...defaultConfig(), interwiki: {} }, 'interwiki.constructor')).toBe(undefined)
  })

  it.each([
    ['sitename', `wiki.json: sitename must be one of the keys ${configKeys.join(', ')}`],
    ['', `wiki.json: "" must be one of the keys ${configKeys.join(', ')}`],
    ['__proto__', `wiki.json: __proto__ must be one of the keys ${configKeys.join(', ')}`],
    ['name.x', 'wiki.json: name.x must be left out'],
    ['bots.x', 'wiki.json: bots.x must be the number of an entry, from 0'],
    ['bots.length', 'wiki.json: bots.length must be the number of an entry, from 0'],
    ['license.constructor', 'wiki.json: license.constructor must be one of the keys url, title'],
    ['namespaces.x.name', 'wiki.json: namespaces.x must be the id of a namespace: 1 to 9999'],
  ])('refuses %j', (path, message) => {
    expect(outcome(() => configValue(config, path))).toBe(message)
  })
})

describe('setConfigValue', () => {
  it.each<[json: string, path: string, value: string, settings: object]>([
    ['', 'name', 'Ours', { name: 'Ours' }],
    ['{}', 'name', '100', { name: '100' }],
    ['{}', 'license.title', 'MIT', { license: { title: 'MIT' } }],
    ['{}', 'license', '{"title": "MIT"}', { license: { title: 'MIT' } }],
    ['{}', 'searchedNamespaces', '0, 14', { searchedNamespaces: [0, 14] }],
    ['{}', 'searchedNamespaces', '[0, 14]', { searchedNamespaces: [0, 14] }],
    ['{}', 'bots', '', { bots: [] }],
    ['{}', 'bots', 'a@b.example', { bots: ['a@b.example'] }],
    ['{}', 'bots.0', 'a, b', { bots: ['a, b'] }],
    ['{}', 'namespaces.100.name', 'Portal', { namespaces: { 100: { name: 'Portal' } } }],
    ['{}', 'interwiki.constructor', 'https://c.example/$1', { interwiki: { constructor: 'https://c.example/$1' } }],
  ])('%s with %s = %s', (json, path, value, settings) => {
    expect(setConfigValue(json, path, value)).toBe(`${JSON.stringify(settings, null, 2)}\n`)
  })

  it.each<[json: string, path: string, value: string, edited: string]>([
    ['{"bots": ["a"]}', 'bots.1', 'b', '{"bots": ["a", "b"]}'],
    ['{"bots": ["a", "c"]}', 'bots.0', 'b', '{"bots": ["b", "c"]}'],
    [
      '{"namespaces": {"100": {"name": "Portal"}}}',
      'namespaces.100.subpages',
      'true',
      '{"namespaces": {"100": {"name": "Portal", "subpages": true}}}',
    ],
    ['{"root":"docs","name":"A"}', 'name', 'B', '{"root":"docs","name":"B"}'],
    [
      '{\r\n\t"name": "A",\r\n\t"bots": [ "b" ]\r\n}\r\n',
      'merge',
      'never',
      '{\r\n\t"name": "A",\r\n\t"bots": [ "b" ],\r\n\t"merge": "never"\r\n}\r\n',
    ],
    [
      '\ufeff{\n    "name": "\\u0041" ,\n\n    "root": "a"\n}',
      'root',
      'b',
      '\ufeff{\n    "name": "\\u0041" ,\n\n    "root": "b"\n}',
    ],
    [
      '{\n\t"name": "A"\n}\n',
      'license.url',
      'https://a.example/',
      '{\n\t"name": "A",\n\t"license": {\n\t\t"url": "https://a.example/"\n\t}\n}\n',
    ],
  ])('edits %j: %s = %s', (json, path, value, edited) => {
    expect(setConfigValue(json, path, value)).toBe(edited)
  })

  it.each([
    ['{}', 'nam', 'x', `wiki.json: nam must be one of the keys ${configKeys.join(', ')}`],
    ['{}', 'layout', 'flat', 'wiki.json: layout must be folders or sharded'],
    ['{}', 'searchedNamespaces', '0,x', 'wiki.json: searchedNamespaces.1 must be an integer'],
    ['{}', 'searchedNamespaces', '[0', 'wiki.json: searchedNamespaces must be a list'],
    ['{}', 'license', 'MIT', 'wiki.json: license must be an object'],
    ['{}', 'namespaces.100.aliases.0', 'P', `wiki.json: namespaces.100.name must be ${namespaceExpected()}`],
    ['{}', 'namespaces.100.subpages', 'yes', `wiki.json: namespaces.100.name must be ${namespaceExpected()}`],
    ['{"bots": []}', 'bots.1', 'x', 'wiki.json: bots.1 must be the number of an entry or the next one'],
    ['{"license": 5}', 'license.url', 'x', 'wiki.json: license must be an object'],
    ['{"license": []}', 'license.url', 'x', 'wiki.json: license must be an object'],
    ['{"bots": {}}', 'bots.0', 'x', 'wiki.json: bots must be a list'],
    ['[]', 'name', 'x', 'wiki.json: the file must be an object'],
    ['{"layout": "flat"}', 'name', 'x', 'wiki.json: layout must be folders or sharded'],
    ['{}', '__proto__.polluted', 'x', `wiki.json: __proto__ must be one of the keys ${configKeys.join(', ')}`],
    [
      '{}',
      'interwiki.__proto__',
      'x',
      'wiki.json: interwiki.__proto__ must be a prefix of letters, digits and hyphens',
    ],
    ['{}', 'license', '['.repeat(50_000) + ']'.repeat(50_000), 'wiki.json: license must be an object'],
  ])('refuses %s with %s = %.20s', (json, path, value, message) => {
    expect(outcome(() => setConfigValue(json, path, value))).toBe(message)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })
})

function addressExpected(): string {
  return 'an http or https address with $1 in place of the title'
}

function namespaceExpected(): string {
  return 'a namespace name: letters, digits, spaces, at most 40'
}

function uniqueExpected(): string {
  return 'a name that no other namespace has'
}
