/** For any attributes and settings, the attributes match git's, and files and blobs are converted as git converts them. */

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { initRepository } from '../../src/store/repository/init.ts'
import { findRepository } from '../../src/store/repository/repository.ts'
import { AttributeFinder } from '../../src/store/work-tree/conversion/attribute-files.ts'
import { Conversion } from '../../src/store/work-tree/conversion/conversion.ts'
import { rounds } from '../_rounds.ts'
import { git, gitBytes, needsGit, temporaryDirectory } from '../_setup.ts'
import {
  oneOf,
  paths,
  type Random,
  randomAttributes,
  randomOf,
  randomSettings,
  randomText,
} from './_random-attributes.ts'

beforeEach(context => needsGit(context))

const attributeNames = ['text', 'crlf', 'eol', 'ident', 'binary', 'diff', 'merge', 'mine', 'yours', 'filter']
const allNames = [...attributeNames, 'working-tree-encoding']

function seeds(short: number, full: number, all: number): number[] {
  return Array.from({ length: rounds(short, full, all) }, (_, seed) => seed)
}

/** Makes a repository with random settings and attributes files in all places where git looks for them. */
async function randomRepository(random: Random, isOdd: boolean): Promise<string> {
  const directory = await temporaryDirectory()
  initRepository(directory)
  for (const [key, value] of randomSettings(random)) git(directory, 'config', key, value)
  write(directory, '.gitattributes', randomAttributes(random, { isOdd }))
  for (const file of ['a/.gitattributes', 'a/b/.gitattributes', '.git/info/attributes', '.git/mine'])
    if (random(3) === 0) write(directory, file, randomAttributes(random, { isOdd }))
  if (random(2) === 0) git(directory, 'config', 'core.attributesFile', join(directory, '.git/mine'))
  return directory
}

function write(directory: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(directory, path)), { recursive: true })
  writeFileSync(join(directory, path), content)
}

/** Git's result for all paths. */
function checked(directory: string): string[] {
  const words = git(directory, 'check-attr', '-z', ...allNames, '--', ...paths)
    .split('\0')
    .slice(0, -1)
  return words.flatMap((_, at) => (at % 3 === 0 ? [words.slice(at, at + 3).join(' ')] : []))
}

function workFile(directory: string): (path: string) => Promise<Buffer | null> {
  return async path => {
    try {
      return readFileSync(join(directory, path))
    } catch {
      return null
    }
  }
}

function valueText(value: string | boolean | null | undefined): string {
  if (value == null) return 'unspecified'
  return typeof value === 'string' ? value : value ? 'set' : 'unset'
}

describe('attributes', () => {
  test.each(seeds(12, 130, 400))('match those of git check-attr, seed %i', { tags: 'rounds' }, async seed => {
    const directory = await randomRepository(randomOf(seed), true)
    const finder = new AttributeFinder(findRepository(directory, {}), workFile(directory))
    const found: string[] = []
    for (const path of paths) {
      const attributes = await finder.of(path)
      for (const name of allNames) found.push(`${path} ${name} ${valueText(attributes.get(name))}`)
    }
    expect(found).toEqual(checked(directory))
  })
})

/** Makes git add a file; returns the blob, or null if git refuses the file. */
function added(directory: string, path: string): Buffer | null {
  const { status } = spawnSync('git', ['add', '-f', '--', path], { cwd: directory })
  return status === 0 ? gitBytes(directory, 'cat-file', 'blob', `:${path}`) : null
}

/** Makes git write the file of the staged blob. */
function checkedOut(directory: string, path: string): Buffer {
  rmSync(join(directory, path))
  git(directory, 'checkout-index', '-f', '--', path)
  return readFileSync(join(directory, path))
}

/** Records a blob at a path without conversion: the attributes may convert any path, `.gitattributes` too. */
function commitBlob(directory: string, path: string, content: Buffer): void {
  write(directory, '.git/blob', content)
  const hash = git(directory, 'hash-object', '-w', '--no-filters', '.git/blob')
  git(directory, 'update-index', '--add', '--cacheinfo', `100644,${hash},${path}`)
  git(directory, 'commit', '-q', '--allow-empty', '-m', 'blob')
}

function conversionIn(directory: string): Conversion {
  const repository = findRepository(directory, {})
  const commit = git(directory, 'rev-parse', 'HEAD')
  const read = async (hash: string) => {
    const type = git(directory, 'cat-file', '-t', hash) as 'blob'
    return { type, content: gitBytes(directory, 'cat-file', type, hash) }
  }
  return new Conversion({ repository, tree: { commit, read }, isFollowing: true })
}

describe('a file', () => {
  test.each(seeds(5, 100, 300))(
    'becomes the blob that git add creates, and back, seed %i',
    { tags: 'rounds' },
    async seed => {
      const random = randomOf(seed)
      const directory = await randomRepository(random, false)
      commitBlob(directory, '.gitattributes', readFileSync(join(directory, '.gitattributes')))
      const path = oneOf(random, paths)
      if (random(2) === 0) commitBlob(directory, path, Buffer.from(randomText(random)))
      const encoding = random(3) === 0 ? 'utf16le' : 'utf8'
      const file = Buffer.from(randomText(random), encoding)
      write(directory, path, file)
      const conversion = conversionIn(directory)
      const ours = await conversion.toBlob(path, file, 'file').catch(() => null)
      const theirs = added(directory, path)
      expect(ours && Buffer.from(ours).toString('latin1')).toEqual(theirs?.toString('latin1') ?? null)
      if (theirs !== null)
        expect(Buffer.from(await conversion.toFile(path, theirs)).toString('latin1')).toEqual(
          checkedOut(directory, path).toString('latin1'),
        )
      conversion.end()
    },
  )
})
