/** Lines that a full disk or a power failure has torn: the next one is whole all the same. */

import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { beginNotes, hasNotes, recoverChanges } from '../../src/files/change-notes.ts'
import { appendLines } from '../../src/files/private-files.ts'
import { appendLines as appendLinesLater } from '../../src/files/private-files-async.ts'
import { workTreeAt } from '../../src/files/work-file.ts'
import { temporaryDirectory } from '../_setup.ts'

test.each([
  ['at once', appendLines],
  ['later', appendLinesLater],
])('an appended line does not continue a torn one: %s', async (_, append) => {
  const file = join(await temporaryDirectory(), 'lines')
  for (const [before, after] of [
    ['', 'next\n'],
    ['first\n', 'first\nnext\n'],
    ['first\nto', 'first\nto\nnext\n'],
    // The blocks of a file may be on the disk without their content.
    ['first\n\0\0\0', 'first\n\0\0\0\nnext\n'],
  ] as const) {
    writeFileSync(file, before)
    await append(file, 'next\n')
    expect(readFileSync(file, 'utf8')).toBe(after)
  }
})

test('a change is taken back whose note follows a torn one', async () => {
  const top = await temporaryDirectory()
  const [notesFile, old] = [join(top, '.git/notes'), join(top, '.git/old')]
  mkdirSync(join(top, '.git'))
  writeFileSync(notesFile, '{"path":"B.wiki","id":"0123')
  writeFileSync(join(top, 'A.wiki'), 'before\n')
  const id = beginNotes(notesFile).add('A.wiki', [Buffer.from('before\n'), Buffer.from('after\n')])
  // Killed when the file was aside.
  renameSync(join(top, 'A.wiki'), join(top, `.wiki-${id}.old`))
  recoverChanges(workTreeAt(top), notesFile, old)
  expect(readFileSync(join(top, 'A.wiki'), 'utf8')).toBe('before\n')
  expect(existsSync(join(top, `.wiki-${id}.old`))).toBe(false)
  expect(hasNotes(notesFile)).toBe(false)
})
