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
    expect(applyFilePatch('before\nsame\nold\n', file!)).toBe('before\nsame\nnew\n')
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
  ['diff --git a/A b/A\nindex 01..02 100644\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n', 'no lines for A'],
])('%j is refused', (patch, reason) => {
  expect(() => readPatch(patch)).toThrow(
    expect.objectContaining({ code: 'wiki-bad-patch', message: expect.stringContaining(reason) }),
  )
})

test('an insertion without a line of context fits only an empty text', () => {
  const [file] = readPatch('--- a/A.wiki\n+++ b/A.wiki\n@@ -1,0 +2 @@\n+a\n')
  expect(applyFilePatch('x\ny\n', file!)).toBeNull()
})

test('a patch that nearly fits everywhere is limited by its steps', () => {
  const text = 'a\n'.repeat(200_000)
  const hunk = `@@ -1,100001 +1,100001 @@\n${' a\n'.repeat(100_000)}-b\n+c\n`
  const [file] = readPatch(`--- a/A.wiki\n+++ b/A.wiki\n${hunk}`)
  expect(() => applyFilePatch(text, file!, createWorkLimit(1_000_000))).toThrow(
    expect.objectContaining({ code: 'wiki-texts-too-complex' }),
  )
})
