import { expect, test } from 'vitest'
import { NewObjects } from '../../src/store/git/new-objects.ts'
import { foldersAbove } from '../../src/store/work-tree/conversion/attribute-files.ts'
import { tipAttributes } from '../../src/store/work-tree/conversion/tip-attributes.ts'

const entry = (mode: string, name: string, hash: string) =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, 'hex')])

/** A commit with folders `d/d/…`, each with an attributes file that names its depth; counts the reads. */
function deepTree(depth: number) {
  const objects = new NewObjects()
  const blob = (at: number) => objects.add('blob', Buffer.from(`depth ${at}`))
  let tree = objects.add('tree', entry('100644', '.gitattributes', blob(depth)))
  for (let at = depth - 1; at >= 0; at--)
    tree = objects.add('tree', Buffer.concat([entry('100644', '.gitattributes', blob(at)), entry('40000', 'd', tree)]))
  const commit = objects.add('commit', Buffer.from(`tree ${tree}\n\nm`))
  const reads = { count: 0 }
  const known = objects.reader(() => Promise.reject(new Error('not there')))
  const read = (hash: string) => {
    reads.count++
    return known(hash)
  }
  return { commit, read, reads }
}

test('the attributes of a deep folder are read in linear time, also all at once', async () => {
  const depth = 300
  const { commit, read, reads } = deepTree(depth)
  const files = tipAttributes({ commit, read })
  const paths = foldersAbove(`${'d/'.repeat(depth)}X.wiki`).map(folder => `${folder && `${folder}/`}.gitattributes`)
  const found = await Promise.all(paths.map(files))
  expect(found.map(String)).toEqual(paths.map((_, at) => `depth ${at}`))
  expect(reads.count).toBeLessThan(4 * depth)
})

test('a file, a missing folder and a repository without commits have none', async () => {
  const { commit, read } = deepTree(2)
  const files = tipAttributes({ commit, read })
  expect(await files('.gitattributes/.gitattributes')).toBe(null)
  expect(await files('e/d/.gitattributes')).toBe(null)
  expect(await files('d/other')).toBe(null)
  expect(await files('d')).toBe(null)
  expect(await tipAttributes({ commit: null, read })('.gitattributes')).toBe(null)
})
