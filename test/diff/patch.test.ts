import { describe, expect, test } from 'vitest'
import { applyFilePatch, readPatch } from '../../src/diff/patch.ts'
import { movePatch, unifiedPatch } from '../../src/diff/unified.ts'
import { createWorkLimit } from '../../src/diff/work-limit.ts'

const both = (path: string) => ({ fromPath: path, toPath: path })
const lines = (...of: readonly string[]) => of.map(line => `${line}\n`).join('')

describe('a patch of ours', () => {
  test.each([
    ['a', 'b'],
    ['a\n', 'b\n'],
    ['a\nb\nc\n', 'a\nc'],
    ['', 'new\n'],
    ['old\n', ''],
    ['\r\na\r\n', '\r\nb\r\n'],
    [lines(...'abcdefghijklmnop'), lines(...'abxdefghijklmnyp')],
    ['-- \n', '--- a\n+++ b\n@@ -1 +1 @@\n'],
  ])('of %j gives %j', (from, to) => {
    const [file, ...others] = readPatch(unifiedPatch(from, to, both('Größe "1" of\ttides.wiki')))
    expect(others).toEqual([])
    expect(file).toMatchObject({ path: 'Größe "1" of\ttides.wiki', kind: 'edit' })
    expect(applyFilePatch(from, file!)).toBe(to)
  })

  test('names the files that it creates and deletes', () => {
    const patch =
      unifiedPatch('', 'x\n', { fromPath: null, toPath: 'a/New.wiki' }) +
      unifiedPatch('x\n', '', { fromPath: 'b/Old.wiki', toPath: null })
    expect(readPatch(patch).map(({ path, kind }) => [path, kind])).toEqual([
      ['a/New.wiki', 'create'],
      ['b/Old.wiki', 'delete'],
    ])
    expect(applyFilePatch('x\nmore\n', readPatch(patch)[1]!)).toBeNull()
  })
})

test.each([
  ['--- /dev/null\n+++ b/New.wiki\n@@ -0,0 +1 @@\n+x\n', 'New.wiki', 'create'],
  ['--- a/Old.wiki\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n', 'Old.wiki', 'delete'],
  ['--- /dev/null\n+++ New.wiki\n@@ -0,0 +1 @@\n+x\n', 'New.wiki', 'create'],
])('the prefix of a created or deleted file is not a folder, with or without a git header: %j', (patch, path, kind) => {
  expect(readPatch(patch)).toMatchObject([{ path, kind }])
})

test('reads a mail of git format-patch and the output of diff -u', () => {
  const hunk = '@@ -1,2 +1,2 @@\n same\n-old\n+new\n'
  const mail =
    'From 0123 Mon Sep 17 00:00:00 2001\nFrom: Ada <ada@example.org>\nSubject: [PATCH] Words\n\n---\n A.wiki | 2 +-\n\n' +
    `diff --git a/A.wiki b/A.wiki\nindex 01..02 100644\n--- a/A.wiki\n+++ b/A.wiki\n${hunk}-- \n2.39.5\n\n`
  const plain = `--- A.wiki\t2024-01-01 00:00:00\n+++ A.wiki\t2024-01-02 00:00:00\n${hunk}`
  for (const patch of [mail, plain]) {
    const [file] = readPatch(patch)
    expect(file?.path).toBe('A.wiki')
    expect(applyFilePatch('same\nold\n', file!)).toBe('same\nnew\n')
    expect(applyFilePatch('same\nother\n', file!)).toBeNull()
  }
})

test.each([
  ['', 'changes no file'],
  ['hello', 'changes no file'],
  ['--- a/A.wiki\n+++ b/A.wiki\n@@ -1 +1 @@\n-a\n', 'invalid line'],
  [unifiedPatch('a', 'b', both('A')).repeat(2), 'twice'],
  [movePatch('a', 'a', { fromPath: 'A', toPath: 'B', isCopy: false }), 'moves or copies A'],
  [movePatch('a', 'a', { fromPath: 'A', toPath: 'B', isCopy: true }), 'moves or copies A'],
  ['--- a/A\n+++ b/B\n@@ -1 +1 @@\n-a\n+b\n', 'moves or copies A'],
  ['diff --git a/A b/A\nold mode 100644\nnew mode 100755\n', 'mode of A'],
  ['diff --git a/A b/A\nindex 01..02 100644\nBinary files a/A and b/A differ\n', 'binary'],
  ['diff --git a/A b/A\nnew file mode 120000\n--- /dev/null\n+++ b/A\n@@ -0,0 +1 @@\n+x\n', 'no file of A'],
  ['diff --git a/A b/A\n--- a/A\n+++ b/B\n@@ -1 +1 @@\n-a\n+b\n', 'another file'],
  ['--- a/A\n+++ b/A\n@@ -1 +1 @@\n-a\n+b', 'broken off'],
  ['--- a/A\n+++ b/A\n@@ -1 +1 @@\n a\n', 'other lines'],
  ['@@ -1 +1 @@\n-a\n+b\n', 'no file is named'],
  ['diff --git a/A b/A\nindex 01..02 100644\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n', 'no lines for A'],
])('%j is refused', (patch, reason) => {
  expect(() => readPatch(patch)).toThrow(
    expect.objectContaining({ code: 'wiki-bad-patch', message: expect.stringContaining(reason) }),
  )
})

describe('a hunk', () => {
  const apply = (hunks: string, text: string) =>
    applyFilePatch(text, readPatch(`--- a/A.wiki\n+++ b/A.wiki\n${hunks}`)[0]!)
  test.each([
    ['of line 9 does not fit a shorter page', '@@ -9,3 +9,3 @@\n a\n-b\n+B\n c\n', 'x\ny\n', null],
    ['of line 9 fits an earlier one', '@@ -9,3 +9,3 @@\n a\n-b\n+B\n c\n', 'x\na\nb\nc\n', 'x\na\nB\nc\n'],
    ['of the first line fits no other one', '@@ -1,2 +1,2 @@\n-a\n+A\n b\n', 'x\na\nb\n', null],
    ['of the end fits nowhere else', '@@ -2,2 +2,2 @@\n a\n-b\n+B\n', 'x\na\nb\nc\n', null],
    ['fits the nearest place', '@@ -3,2 +3,2 @@\n-a\n+A\n b\n', 'a\nb\na\nb\na\nb\n', 'a\nb\nA\nb\na\nb\n'],
    ['fits the later one of two', '@@ -2,2 +2,2 @@\n-a\n+A\n b\n', 'a\nb\na\nb\n', 'a\nb\nA\nb\n'],
    [
      'does not change what another has written',
      '@@ -2,2 +2,2 @@\n-a\n+b\n b\n@@ -2,2 +2,2 @@\n-b\n+c\n b\n',
      'x\na\nb\ny\n',
      null,
    ],
    ['may be before another', '@@ -3 +3 @@\n-c\n+C\n@@ -1 +1 @@\n-a\n+A\n', 'a\nb\nc\n', null],
    ['keeps CR LF', '@@ -1,2 +1,2 @@\n-a\r\n+A\r\n b\r\n', 'a\r\nb\r\n', 'A\r\nb\r\n'],
    ['with LF does not fit CR LF', '@@ -1,2 +1,2 @@\n-a\n+A\n b\n', 'a\r\nb\r\n', null],
    ['may have empty lines without their blank', '@@ -1,3 +1,3 @@\n-a\n+A\n\n b\n', 'a\n\nb\n', 'A\n\nb\n'],
  ])('%s', (_, hunks, text, result) => {
    expect(apply(hunks, text)).toBe(result)
  })
})

test.each([
  ['diff --git a/A.wiki b/A.wiki\nnew file mode 100644\nindex 0000000..e69de29\n', 'create', ''],
  ['diff --git a/A.wiki b/A.wiki\ndeleted file mode 100644\nindex e69de29..0000000\n', 'delete', ''],
  [
    '--- old/A.wiki\t1970-01-01 01:00:00.000000000 +0100\n+++ new/A.wiki\t2026-01-01 00:00:00 +0000\n@@ -0,0 +1 @@\n+x\n',
    'create',
    'x\n',
  ],
  ['--- a/A.wiki.orig\n+++ b/A.wiki\n@@ -0,0 +1 @@\n+x\n', 'edit', 'x\n'],
])('an empty or missing file is in %j', (patch, kind, result) => {
  const [file] = readPatch(patch)
  expect(file).toMatchObject({ path: 'A.wiki', kind })
  expect(applyFilePatch('', file!)).toBe(result)
})

test('an insertion without a line of context fits only an empty text', () => {
  const [file] = readPatch('--- a/A.wiki\n+++ b/A.wiki\n@@ -1,0 +2 @@\n+a\n')
  expect(applyFilePatch('x\ny\n', file!)).toBeNull()
})

test('a patch that nearly fits everywhere is limited by its steps', () => {
  const text = 'a\n'.repeat(200_000)
  const hunk = `@@ -9,100002 +9,100002 @@\n${' a\n'.repeat(100_000)}-b\n+c\n a\n`
  const [file] = readPatch(`--- a/A.wiki\n+++ b/A.wiki\n${hunk}`)
  expect(() => applyFilePatch(text, file!, createWorkLimit(1_000_000))).toThrow(
    expect.objectContaining({ code: 'wiki-texts-too-complex' }),
  )
})
