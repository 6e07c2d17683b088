import { createHash } from 'node:crypto'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readyToken } from '../../src/operations/ready-token.ts'
import { createToken, listTokens, openTokenBook, revokeToken } from '../../src/operations/tokens.ts'
import { ada, newWiki, openTestWiki } from './_wiki.ts'

const fileIn = (directory: string): string => join(directory, '.git/wiki/.access/tokens.json')
const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

async function damage(directory: string, text: string): Promise<void> {
  await mkdir(dirname(fileIn(directory)), { recursive: true })
  await writeFile(fileIn(directory), text)
}

describe('a token', () => {
  test('is 256 random bits, shown once and stored as a hash that only its owner can read', async () => {
    const { wiki, directory } = await newWiki()
    const { token, ...made } = await createToken(wiki, { name: 'Ada', address: 'ada@example.org', bot: true })
    expect(token).toMatch(/^wiki_[\w-]{43}$/)
    expect(Buffer.from(token.slice(5), 'base64url')).toHaveLength(32)
    expect(made).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}$/),
      name: 'Ada',
      address: 'ada@example.org',
      bot: true,
      scopes: ['edit', 'upload', 'delete'],
      created: expect.stringMatching(/^\d{4}-.*Z$/),
      expires: null,
    })
    expect(await listTokens(wiki)).toEqual({ tokens: [made] })
    const kept = await readFile(fileIn(directory), 'utf8')
    expect(kept).toContain(createHash('sha256').update(token).digest('hex'))
    expect(kept).not.toContain(token.slice(5))
    expect([await modeOf(fileIn(directory)), await modeOf(dirname(fileIn(directory)))]).toEqual([0o600, 0o700])
    expect(await readdir(dirname(fileIn(directory)))).toEqual(['tokens.json'])
  })

  test('is unique, and is found only by itself', async () => {
    const { wiki } = await newWiki()
    const made = [await createToken(wiki, { name: 'Ada' }), await createToken(wiki, { name: 'Ada' })]
    const book = openTokenBook(wiki)
    expect(made.map(({ token }) => book.find(token)?.id)).toEqual(made.map(({ id }) => id))
    const [first] = made
    for (const text of ['', 'x', first!.token.slice(0, -1), `${first!.token} `, first!.token.toUpperCase()])
      expect(book.find(text)).toBeNull()
  })

  test('is visible to an open store, and to none once it is revoked', async () => {
    const { wiki, directory } = await newWiki()
    const book = openTokenBook(await openTestWiki(directory))
    expect(book.find('wiki_x')).toBeNull()
    const { token, id } = await createToken(wiki, { name: 'Ada' })
    const { id: other } = await createToken(wiki, { name: 'Bob' })
    expect([book.find(token)?.id, book.withId(id)?.name]).toEqual([id, 'Ada'])
    expect((await revokeToken(wiki, id)).name).toBe('Ada')
    expect([book.find(token), book.withId(id), book.withId(other)?.name]).toEqual([null, null, 'Bob'])
    await expect(revokeToken(wiki, id)).rejects.toMatchObject({ code: 'wiki-nonexistent-token', status: 404 })
  })

  test('is valid until it expires, and is listed until another is created', async () => {
    const { wiki } = await newWiki()
    vi.useFakeTimers({ now: new Date('2026-05-01T12:00:00Z'), toFake: ['Date'] })
    try {
      const { token, expires } = await createToken(wiki, { name: 'Ada', expires: '30d' })
      expect(expires).toBe('2026-05-31T12:00:00.000Z')
      const book = openTokenBook(wiki)
      expect(book.find(token)?.name).toBe('Ada')
      vi.setSystemTime(new Date('2026-05-31T12:00:00Z'))
      expect(book.find(token)).toBeNull()
      expect((await listTokens(wiki)).tokens).toHaveLength(1)
      await createToken(wiki, { name: 'Bob', expires: '2026-06-30' })
      expect((await listTokens(wiki)).tokens.map(({ name }) => name)).toEqual(['Bob'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('is not lost if many are created at once', async () => {
    const { wiki, directory } = await newWiki()
    const other = await openTestWiki(directory)
    await Promise.all(
      Array.from({ length: 12 }, (_, number) => createToken(number % 2 ? wiki : other, { name: `User ${number}` })),
    )
    expect((await listTokens(wiki)).tokens).toHaveLength(12)
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: ' ' }],
    ['name', { name: 'Ada <ada@example.org>' }],
    ['name', { name: 'Ada\nBob' }],
    ['name', { name: '203.0.113.7' }],
    ['name', { name: ' ::1 ' }],
    ['email', { name: 'Ada', address: 'a b' }],
    ['email', { name: 'Ada', address: 'a>b' }],
    ['expires', { name: 'Ada', expires: '2001-01-01' }],
    ['expires', { name: 'Ada', expires: '0d' }],
    ['expires', { name: 'Ada', expires: 'soon' }],
    ['expires', { name: 'Ada', expires: '2027-13-01' }],
  ])('is not created with a bad %s: %j', async (parameter, request) => {
    const { wiki } = await newWiki()
    await expect(createToken(wiki, request)).rejects.toMatchObject({ code: 'badvalue', data: { name: parameter } })
    expect(await listTokens(wiki)).toEqual({ tokens: [] })
  })
})

describe('a damaged file of tokens', () => {
  const token = {
    id: '00000000',
    hash: '0'.repeat(64),
    name: 'Ada',
    address: '',
    bot: false,
    created: '2026-01-01T00:00:00Z',
    expires: null,
  }
  const fileOf = (...tokens: unknown[]): string => JSON.stringify({ version: 1, tokens })

  test.each([
    '',
    'null',
    '[]',
    '{',
    '{"version":1}',
    '{"version":2,"tokens":[]}',
    '{"version":1,"tokens":{}}',
    fileOf(null),
    fileOf(token, {}),
    ...Object.keys(token).map(member => fileOf({ ...token, [member]: undefined })),
    fileOf({ ...token, hash: '' }),
    fileOf({ ...token, expires: 'never' }),
    fileOf({ ...token, bot: 'no' }),
    fileOf({ ...token, scopes: ['write'] }),
  ])('permits nobody, and is not overwritten: %s', async text => {
    const { wiki, directory } = await newWiki()
    await damage(directory, text)
    const error = { code: 'wiki-bad-token-file', status: 500, hint: expect.stringContaining(fileIn(directory)) }
    await expect(listTokens(wiki)).rejects.toMatchObject(error)
    await expect(createToken(wiki, { name: 'Bob' })).rejects.toMatchObject(error)
    await expect(revokeToken(wiki, '00000000')).rejects.toMatchObject(error)
    const book = openTokenBook(wiki)
    for (let time = 0; time < 2; time++) expect(() => book.find('x')).toThrow(expect.objectContaining(error))
    expect(await readFile(fileIn(directory), 'utf8')).toBe(text)
  })

  test('is reported by the next request, and forgotten when it is repaired', async () => {
    const { wiki, directory } = await newWiki()
    const { token: known } = await createToken(wiki, { name: 'Ada' })
    const book = openTokenBook(wiki)
    expect(book.find(known)?.name).toBe('Ada')
    const whole = await readFile(fileIn(directory), 'utf8')
    await damage(directory, whole.slice(1))
    expect(() => book.find(known)).toThrow(/damaged/)
    await damage(directory, whole)
    expect(book.find(known)?.name).toBe('Ada')
  })

  test('of any content permits only its own tokens', async () => {
    const { wiki, directory } = await newWiki()
    const book = openTokenBook(wiki)
    const found = (): unknown => {
      try {
        return book.find('guess')
      } catch (error) {
        return (error as { code: string }).code
      }
    }
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async text => {
        await damage(directory, text)
        expect([null, 'wiki-bad-token-file']).toContain(found())
      }),
      { numRuns: 50 },
    )
  })
})

describe('a file with a prepared token', () => {
  const author = async () => ada
  const ready = async () => {
    const made = await newWiki()
    const path = join(made.directory, '.git', 'ready')
    return { ...made, path, make: () => readyToken(made.wiki, { path, author }) }
  }

  test('is created for its owner alone, and kept while its token is valid', async () => {
    const { wiki, path, make } = await ready()
    const first = await make()
    expect(first).toMatchObject({ token: ada, mayBeCommitted: false })
    const text = await readFile(path, 'utf8')
    expect(openTokenBook(wiki).find(text.trim())).toEqual(first.token)
    expect(text).toMatch(/^wiki_[\w-]{43}\n$/)
    await chmod(path, 0o644)
    expect([await make(), await readFile(path, 'utf8'), await modeOf(path)]).toEqual([first, text, 0o600])
    await revokeToken(wiki, first.token.id)
    expect((await make()).token.id).not.toBe(first.token.id)
    expect([await readFile(path, 'utf8'), await modeOf(path)]).not.toEqual([text, 0o600])
    expect((await listTokens(wiki)).tokens).toHaveLength(1)
  })

  test.each([
    ['token', true],
    ['.git/token', false],
    ['../token-of-this-test', false],
    ['..token', true],
  ])('at %s may be committed: %s', async (name, mayBeCommitted) => {
    const { wiki, directory } = await newWiki()
    const path = join(directory, name)
    try {
      expect(await readyToken(wiki, { path, author })).toMatchObject({ mayBeCommitted })
    } finally {
      await rm(path, { force: true })
    }
  })

  test.each(['my notes', 'wiki_', `wiki_${'a'.repeat(44)}`, '\n\n', 'x'.repeat(100_000)])(
    'is not made over something else: %j',
    async text => {
      const { wiki, path, make } = await ready()
      await writeFile(path, text)
      await expect(make()).rejects.toMatchObject({ code: 'wiki-bad-token-path' })
      expect(await readFile(path, 'utf8')).toBe(text)
      expect((await listTokens(wiki)).tokens).toEqual([])
    },
  )

  test('cannot be created without a folder, nor in place of one', async () => {
    const { wiki, directory } = await newWiki()
    for (const path of [join(directory, 'no', 'such'), directory])
      await expect(readyToken(wiki, { path, author })).rejects.toMatchObject({ code: 'wiki-bad-token-path' })
    expect((await listTokens(wiki)).tokens).toEqual([])
  })
})
