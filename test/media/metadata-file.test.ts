import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ByteMetadata } from '../../src/media/metadata.ts'
import { openMetadataFile } from '../../src/media/metadata-file.ts'
import { temporaryDirectory } from '../_setup.ts'

const blob = (at: number): string => String(at).padStart(40, '0')

function metadata(width: number): ByteMetadata {
  return { sha1: 'x'.repeat(31), signature: 'png', width, height: 1, duration: null, shows: null }
}

test('stored metadata is found, in this process and the next one', async () => {
  const path = join(await temporaryDirectory(), 'new', 'facts.jsonl')
  const file = openMetadataFile(path)
  expect(await file.get(blob(1))).toBe(undefined)
  await file.set(blob(1), metadata(7))
  expect(await file.get(blob(1))).toEqual(metadata(7))
  expect(await openMetadataFile(path).get(blob(1))).toEqual(metadata(7))
})

test('two programs write into one file', async () => {
  const path = join(await temporaryDirectory(), 'facts.jsonl')
  const [one, two] = [openMetadataFile(path), openMetadataFile(path)]
  await Promise.all([1, 2, 3, 4].map(at => (at % 2 === 0 ? one : two).set(blob(at), metadata(at))))
  const third = openMetadataFile(path)
  for (const at of [1, 2, 3, 4]) expect(await third.get(blob(at))).toEqual(metadata(at))
})

test('never exceeds its size limit, whatever its content', async () => {
  const path = join(await temporaryDirectory(), 'facts.jsonl')
  await openMetadataFile(path).set(blob(1), metadata(1))
  const line = (await readFile(path, 'utf8')).trim()
  await appendFile(path, `${line}\n`.repeat(30) + 'rubbish\n'.repeat(30))
  for (let at = 2; at < 60; at++) await openMetadataFile(path, 20).set(blob(at), metadata(at))
  const lines = (await readFile(path, 'utf8')).split('\n').filter(text => text !== '')
  expect(lines.length).toBeLessThanOrEqual(20)
  expect(await openMetadataFile(path).get(blob(59))).toEqual(metadata(59))
  expect(await openMetadataFile(path).get(blob(1))).toBe(undefined)
})

test.each([
  ['another number', (text: string) => text.replace('"width":7', '"width":8')],
  ['another hash', (text: string) => text.replace(blob(1), blob(2))],
  ['half a line', (text: string) => text.slice(0, text.length >> 1)],
])('a line with %s than was written is ignored', async (_, damage) => {
  const path = join(await temporaryDirectory(), 'facts.jsonl')
  await openMetadataFile(path).set(blob(1), metadata(7))
  await writeFile(path, damage(await readFile(path, 'utf8')))
  const file = openMetadataFile(path)
  for (const at of [1, 2]) expect(await file.get(blob(at))).toBe(undefined)
})
