import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { movePatch, unifiedPatch } from '../../src/diff/unified.ts'
import { git, needsGit, temporaryDirectory } from '../_setup.ts'

const paths = { fromPath: 'A.wiki', toPath: 'A.wiki' }
const header = 'diff --git a/A.wiki b/A.wiki\n--- a/A.wiki\n+++ b/A.wiki\n'

describe('a unified patch', () => {
  test.each([
    ['a changed line', 'a\nb\nc\n', 'a\nB\nc\n', '@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n'],
    ['a line put before the first', 'a\n', 'x\na\n', '@@ -1,1 +1,2 @@\n+x\n a\n'],
    ['an emptied text', 'a\n', '', '@@ -1,1 +0,0 @@\n-a\n'],
    ['a text that was empty', '', 'a\n', '@@ -0,0 +1,1 @@\n+a\n'],
    ['a line feed put at the end', 'a', 'a\n', '@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n'],
    [
      'changes far from each other',
      '1\n2\n3\n4\n5\n6\n7\n8\n9\n',
      'x\n2\n3\n4\n5\n6\n7\n8\ny\n',
      '@@ -1,4 +1,4 @@\n-1\n+x\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+y\n',
    ],
  ])('shows %s', (_, from, to, hunks) => {
    expect(unifiedPatch(from, to, paths)).toBe(header + hunks)
  })

  test('of equal texts is empty', () => {
    expect(unifiedPatch('a', 'a', paths)).toBe('')
  })

  test('of a created, deleted, moved or copied file is applied by git, whatever its name', {
    tags: 'long',
  }, async context => {
    needsGit(context)
    const directory = await temporaryDirectory()
    git(directory, 'init', '-q')
    const names = ['Größe und Maß.wiki', 'a "quoted"\\name.wiki', 'tab\there.wiki']
    for (const [at, name] of names.entries()) {
      const moved = `moved ${name}`
      const steps = [
        unifiedPatch('', 'one\ntwo\n', { fromPath: null, toPath: name }),
        movePatch('one\ntwo\n', 'one\n2\n', { fromPath: name, toPath: moved, isCopy: false }),
        movePatch('one\n2\n', 'one\n2\n', { fromPath: moved, toPath: `copy${at}`, isCopy: true }),
        unifiedPatch('one\n2\n', '', { fromPath: moved, toPath: null }),
      ]
      for (const step of steps) {
        writeFileSync(join(directory, '.git/patch'), step)
        git(directory, 'apply', '.git/patch')
      }
    }
    expect(readdirSync(directory).sort()).toEqual(['.git', 'copy0', 'copy1', 'copy2'])
    expect(readFileSync(join(directory, 'copy2'), 'utf8')).toBe('one\n2\n')
  })

  test('is applied by git to its old text', { tags: 'long' }, async context => {
    needsGit(context)
    const directory = await temporaryDirectory()
    git(directory, 'init', '-q')
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', 'd e', 'ä\r'), { maxLength: 30 })
      .chain(lines => fc.constantFrom('', '\n').map(end => (lines.length === 0 ? '' : lines.join('\n') + end)))
    fc.assert(
      fc.property(text, text, (from, to) => {
        fc.pre(from !== to && from !== '' && to !== '')
        writeFileSync(join(directory, 'A.wiki'), from)
        writeFileSync(join(directory, 'patch'), unifiedPatch(from, to, paths))
        git(directory, 'apply', '--whitespace=nowarn', 'patch')
        expect(readFileSync(join(directory, 'A.wiki'), 'utf8')).toBe(to)
      }),
      { numRuns: 60 },
    )
  })
})
