import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { importDump } from '../../src/operations/import-dump.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { openWiki, type Wiki } from '../../src/operations/wiki.ts'
import { git, gitBytes, needsGit, temporaryDirectory } from '../_setup.ts'
import { ada, create, newWiki, openTestWiki } from '../operations/_wiki.ts'

beforeEach(context => needsGit(context))

const swap = 'tr a-zA-Z n-za-mN-ZA-M'

/** A wiki with attributes, and a filter that replaces each letter by the thirteenth after it. */
async function wikiUnder(attributes: string, isConfigured = true): Promise<{ wiki: Wiki; directory: string }> {
  const { wiki, directory } = await newWiki()
  writeFileSync(join(directory, '.gitattributes'), attributes)
  git(directory, 'add', '-A')
  git(directory, 'commit', '-qm', 'attributes')
  if (isConfigured) configure(directory)
  return { wiki, directory }
}

function configure(directory: string): void {
  const settings = { clean: swap, smudge: swap, required: 'true' }
  for (const [key, value] of Object.entries(settings)) git(directory, 'config', `filter.rot.${key}`, value)
}

/** A dump of this many pages, each with one revision "plain <number>". */
async function* dumpOf(count: number): AsyncIterable<Uint8Array> {
  const pages = Array.from({ length: count }, (_, at) => {
    const revision = `<id>${at + 1}</id><timestamp>2020-01-01T00:00:00Z</timestamp><contributor><username>Ada</username><id>1</id></contributor><model>wikitext</model><format>text/x-wiki</format><text xml:space="preserve">plain ${at}</text>`
    return `<page><title>Page ${at}</title><ns>0</ns><id>${at + 1}</id><revision>${revision}</revision></page>`
  })
  yield Buffer.from(
    `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">${pages.join('')}</mediawiki>`,
  )
}

/** All contents that git has, reachable or not. */
function allObjects(directory: string): string {
  return git(directory, 'cat-file', '--batch-all-objects', '--batch', '--unordered')
}

/** Runs work with a git that records each of its starts. */
async function countStarts(work: () => Promise<unknown>): Promise<number> {
  const folder = await temporaryDirectory()
  const real = git(folder, '--exec-path')
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho x >> ${folder}/starts\nexec ${real}/git "$@"\n`)
  chmodSync(join(folder, 'git'), 0o755)
  writeFileSync(join(folder, 'starts'), '')
  const path = process.env.PATH
  process.env.PATH = `${folder}:${path}`
  try {
    await work()
  } finally {
    process.env.PATH = path
  }
  return readFileSync(join(folder, 'starts'), 'utf8').length / 2
}

describe('an import under a required filter', () => {
  test("records the filter's output, writes its smudged form to the work tree, and starts git few times", {
    tags: 'long',
  }, async () => {
    const { wiki, directory } = await wikiUnder('*.wiki filter=rot\n')
    const starts = await countStarts(() => importDump(wiki, { dump: dumpOf(200) }))
    expect(gitBytes(directory, 'cat-file', 'blob', 'HEAD:Page_7.wiki').toString()).toBe('cynva 7')
    expect(readFileSync(join(directory, 'Page_7.wiki'), 'utf8')).toBe('plain 7')
    expect(allObjects(directory)).not.toContain('plain 7')
    expect(git(directory, 'status', '--porcelain')).toBe('')
    expect(starts).toBeLessThan(20)
  })

  test.each([
    ['is not configured', false, undefined],
    ['cannot run without a git binary', true, ''],
  ])('is refused if the filter %s, and nothing is recorded', async (_, isConfigured, path) => {
    const { directory } = await wikiUnder('*.wiki filter=rot\n', isConfigured)
    const before = git(directory, 'rev-parse', 'HEAD')
    const own = process.env.PATH
    if (path !== undefined) process.env.PATH = path
    try {
      const wiki = await openWiki({ directory })
      await expect(importDump(wiki, { dump: dumpOf(3) })).rejects.toMatchObject({ code: 'wiki-conversion-failed' })
      await wiki.close()
    } finally {
      process.env.PATH = own
    }
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(before)
    expect(allObjects(directory)).not.toContain('plain 1')
  })

  test('is cleaned in a bare repository according to the attributes of its tip', async () => {
    const { directory } = await wikiUnder('*.wiki filter=rot\n')
    const bare = join(await temporaryDirectory(), 'bare.git')
    git(directory, 'clone', '-q', '--bare', directory, bare)
    configure(bare)
    await importDump(await openTestWiki(bare), { dump: dumpOf(3) })
    expect(gitBytes(bare, 'cat-file', 'blob', 'HEAD:Page_1.wiki').toString()).toBe('cynva 1')
  })
})

describe('a moved page', () => {
  test('is cleaned when moved under a filter, and smudged when moved out of it', { tags: 'long' }, async () => {
    const { wiki, directory } = await wikiUnder('Secret*.wiki filter=rot\n')
    await create(wiki, 'Open', 'plain\n')
    await movePage(wiki, { from: 'Open', to: 'Secret', author: ada, comment: '', redirect: false })
    expect(gitBytes(directory, 'cat-file', 'blob', 'HEAD:Secret.wiki').toString()).toBe('cynva\n')
    await movePage(wiki, { from: 'Secret', to: 'Open again', author: ada, comment: '', redirect: false })
    expect(gitBytes(directory, 'cat-file', 'blob', 'HEAD:Open_again.wiki').toString()).toBe('plain\n')
    expect(readFileSync(join(directory, 'Open_again.wiki'), 'utf8')).toBe('plain\n')
    expect(git(directory, 'status', '--porcelain')).toBe('')
  })
})
