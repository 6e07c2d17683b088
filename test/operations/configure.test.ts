import { describe, expect, test } from 'vitest'
import { readConfig, writeConfig } from '../../src/operations/configure.ts'
import { ada, commitCount, gitText, lastMessage, newWiki } from './_wiki.ts'

const request = (path: string, value: string) => ({ path, value, comment: null, author: ada })

test('a wiki without wiki.json has the defaults', async () => {
  const { wiki } = await newWiki()
  expect(await readConfig(wiki)).toMatchObject({
    name: '',
    language: 'en',
    mainPage: 'Main Page',
    searchedNamespaces: [0],
  })
})

describe('writeConfig', () => {
  test('creates wiki.json, and then changes it, one commit each', async () => {
    const { wiki, directory } = await newWiki()
    expect(await writeConfig(wiki, request('name', 'My wiki'))).toMatchObject({
      changed: true,
      config: { name: 'My wiki' },
    })
    await writeConfig(wiki, request('license.url', 'https://example.org/l'))
    expect(JSON.parse(gitText(directory, 'wiki.json'))).toEqual({
      name: 'My wiki',
      license: { url: 'https://example.org/l' },
    })
    expect(commitCount(directory)).toBe(2)
    expect(lastMessage(directory)).toMatch(/^Set license.url\n/)
    expect((await readConfig(wiki)).license).toEqual({ url: 'https://example.org/l', title: '' })
  })

  test('an unchanged value is not written', async () => {
    const { wiki, directory } = await newWiki()
    await writeConfig(wiki, request('name', 'My wiki'))
    expect(await writeConfig(wiki, request('name', 'My wiki'))).toMatchObject({ changed: false })
    expect(commitCount(directory)).toBe(1)
  })

  test.each([
    ['nope', 'x'],
    ['layout', 'x'],
    ['__proto__.x', 'y'],
    ['root', '../x'],
  ])('%s = %s is refused', async (path, value) => {
    const { wiki, directory } = await newWiki({ A: 'a' })
    await expect(writeConfig(wiki, request(path, value))).rejects.toMatchObject({ code: 'wiki-bad-config' })
    expect(commitCount(directory)).toBe(1)
  })

  test('a new setting applies at once', async () => {
    const { wiki } = await newWiki({ 'Talk:A': 'a' })
    await writeConfig(wiki, request('namespaces', '{"1": {"name": "Diskussion"}}'))
    expect(wiki.store.findPage('Diskussion:A')?.title).toBe('Diskussion:A')
  })
})
