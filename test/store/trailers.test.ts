import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Message,
  newLayout,
  type Origin,
  parseMessage,
  serializeExactly,
  serializeMessage,
} from '../../src/store/format/trailers.ts'
import { git, needsGit, temporaryDirectory } from '../_setup.ts'

const hash = '0123456789abcdef0123456789abcdef01234567'
const plain: Omit<Message, 'comment'> = { minor: false, bot: false, reverts: null }

const lines = fc.constantFrom(
  '',
  ' ',
  'words',
  'Wiki-Minor: true',
  'Wiki-Bot: true',
  'Wiki-Comment: none',
  'Wiki-Comment: given',
  'Wiki-Comment:',
  'Wiki-: x',
  `Wiki-Reverts: ${hash}`,
  'Signed-off-by: Ada <ada@example.org>',
  '\u00a0Wiki-Minor: true',
  '# no comment of git',
  '\r',
  '\0',
)
const comments = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(lines, { maxLength: 10 }).map(parts => parts.join('\n')),
  fc.array(lines, { maxLength: 10 }).map(parts => parts.join('\r\n')),
)
const marks = fc.record({
  minor: fc.boolean(),
  bot: fc.boolean(),
  reverts: fc.constantFrom(null, hash, hash.slice(0, 7), ''),
})

describe('a written message', () => {
  test('is read back with its comment and flags, whatever they are', () => {
    fc.assert(
      fc.property(comments, marks, (comment, rest) => {
        const message = serializeMessage({ comment, ...rest }, 'Edit A')
        expect(parseMessage(message)).toEqual({ comment: clean(comment), ...rest })
      }),
      { numRuns: 3000, seed: 2026 },
    )
  })

  test('never contains what a commit cannot store', () => {
    fc.assert(
      fc.property(comments, marks, (comment, rest) => {
        const message = serializeMessage({ comment, ...rest }, 'Edit A')
        expect(message).not.toMatch(/[\0\r]/)
        expect(message).toMatch(/^\S.*\n$/s)
      }),
      { numRuns: 500, seed: 2026 },
    )
  })

  test.each<[message: Partial<Message>, text: string]>([
    [{ comment: 'Fix' }, 'Fix\n'],
    [{ comment: '' }, 'Edit A\n\nWiki-Comment: none\n'],
    [{ comment: 'Fix', minor: true, bot: true }, 'Fix\n\nWiki-Minor: true\nWiki-Bot: true\n'],
    [{ comment: '', minor: true }, 'Edit A\n\nWiki-Comment: none\nWiki-Minor: true\n'],
    [{ comment: 'Undo', reverts: hash }, `Undo\n\nWiki-Reverts: ${hash}\n`],
    [{ comment: 'A\n\nWiki-Minor: true' }, 'A\n\nWiki-Minor: true\n\nWiki-Comment: given\n'],
    [{ comment: 'A\n\nWiki-Minor: true', bot: true }, 'A\n\nWiki-Minor: true\n\nWiki-Bot: true\n'],
  ])('%j is %j', (message, text) => {
    expect(serializeMessage({ ...plain, comment: '', ...message }, 'Edit A')).toBe(text)
  })

  test('has trailers that git finds, and no others', async context => {
    needsGit(context)
    const folder = await temporaryDirectory()
    git(folder, 'init', '--quiet')
    const message = serializeMessage({ comment: 'A\n\nWiki-Bot: true', minor: true, bot: false, reverts: hash }, 'A')
    git(folder, 'commit', '--quiet', '--allow-empty', '--cleanup=verbatim', '-m', message)
    expect(git(folder, 'log', '--format=%(trailers:unfold)').trim()).toBe(`Wiki-Minor: true\nWiki-Reverts: ${hash}`)
    expect(git(folder, 'log', '--format=%s')).toBe('A')
  })
})

describe('a message of other programs', () => {
  test.each<[text: string, message: Partial<Message>]>([
    ['Fix a word\n', { comment: 'Fix a word' }],
    ['\n\nFix\n\n\n', { comment: 'Fix' }],
    ['', { comment: '' }],
    ['Fix\n\nWhy it was wrong.\n', { comment: 'Fix\n\nWhy it was wrong.' }],
    ['Fix\n\nSigned-off-by: Ada <a@x>\n', { comment: 'Fix\n\nSigned-off-by: Ada <a@x>' }],
    [
      'Fix\n\nWiki-Minor: true\nSigned-off-by: Ada <a@x>\n',
      { comment: 'Fix\n\nSigned-off-by: Ada <a@x>', minor: true },
    ],
    ['Fix\r\n\r\nWhy.\r\n\r\nWiki-Bot: true\r\n', { comment: 'Fix\n\nWhy.', bot: true }],
    ['Fix\n\nWiki-Minor: yes\n', { comment: 'Fix' }],
    ['Fix\n\nWiki-Minor:true\n', { comment: 'Fix', minor: true }],
    ['Wiki-Minor: true\n', { comment: 'Wiki-Minor: true' }],
    ['Fix\n\nWiki-Minor: true\n\nMore.\n', { comment: 'Fix\n\nWiki-Minor: true\n\nMore.' }],
    ['Fix Wiki-Minor: true\n\nSee Wiki-Bot.\n', { comment: 'Fix Wiki-Minor: true\n\nSee Wiki-Bot.' }],
    ['Fix\n\nWiki-Unknown: kept from view\n', { comment: 'Fix' }],
    [
      `Revert "Fix"\n\nThis reverts commit ${hash}.\n`,
      {
        comment: `Revert "Fix"\n\nThis reverts commit ${hash}.`,
        reverts: hash,
      },
    ],
    [
      `Undo\n\nThis reverts commit ${hash}, reversing\nchanges made to ${hash}.\n`,
      {
        comment: `Undo\n\nThis reverts commit ${hash}, reversing\nchanges made to ${hash}.`,
        reverts: hash,
      },
    ],
    ['This reverts commit 0123456.\n', { comment: 'This reverts commit 0123456.', reverts: '0123456' }],
    ['This reverts commit of mine\n', { comment: 'This reverts commit of mine' }],
  ])('%j is read as %j', (text, message) => {
    expect(parseMessage(text)).toEqual({ ...plain, ...message })
  })

  test('of git revert names the reverted commit', async context => {
    needsGit(context)
    const folder = await temporaryDirectory()
    git(folder, 'init', '--quiet')
    writeFileSync(join(folder, 'A.wiki'), 'a')
    git(folder, 'add', 'A.wiki')
    git(folder, 'commit', '--quiet', '-m', 'one')
    git(folder, 'revert', '--no-edit', 'HEAD')
    const message = git(folder, 'log', '-1', '--format=%B')
    expect(parseMessage(message).reverts).toBe(git(folder, 'rev-parse', 'HEAD~1'))
  })

  test('is read in time bounded by its length', () => {
    const long = `${'Wiki-'.repeat(200_000)}\n\n${'Wiki-a: \n'.repeat(100_000)}`
    expect(parseMessage(long).comment).toBe('Wiki-'.repeat(200_000))
  })
})

/**
 * The parts that a comment may lose: space around it, carriage returns, and the character that no commit can contain.
 */
function clean(comment: string): string {
  return comment.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd').trim()
}

describe('the message of an imported revision', () => {
  const origin: Origin = { revision: 6209, user: null, model: null, hidden: [], unchanged: null, moved: null }

  test.each([
    '',
    ' ',
    'short',
    'ends in a blank ',
    '\tbegins with a tab',
    'two\nlines',
    'a\n\n\nb',
    '\n',
    'carriage\r\nreturns\r',
    'Wiki-Minor: true',
    'x\n\nWiki-Minor: true',
    'x\n\nWiki-Revision: 1\nWiki-Comment: none',
    'x\n\nWiki-Comment: "other"',
    'Signed-off-by: Ada <ada@example.org>',
    'x\n\nSigned-off-by: Ada <ada@example.org>',
    '"quoted"',
    'line\u2028separator\u2029and\u0085next',
    '\u00a0no-break spaces\u00a0',
    '\ufeffmark',
    '😀'.repeat(300),
  ])('keeps the comment %j', comment => {
    for (const minor of [true, false]) {
      const message = { comment, minor, bot: false, reverts: null, origin }
      expect(parseMessage(serializeExactly(message, 'Edit A'))).toEqual(message)
    }
  })

  test.each<Partial<Origin>>([
    { revision: null },
    { revision: 99_999_999_999_999 },
    { user: 'imported>Zelda' },
    { model: 'Scribunto' },
    { hidden: ['text', 'comment', 'user'] },
    { unchanged: 'Talk/Ünï %25.wiki' },
    { moved: 'A.wiki' },
    { revision: 1, user: 'a>b', model: 'x', hidden: ['user'], unchanged: 'A.wiki', moved: 'B.wiki' },
  ])('keeps %j', parts => {
    const message = { comment: 'c', minor: false, bot: false, reverts: null, origin: { ...origin, ...parts } }
    expect(parseMessage(serializeExactly(message, 'Edit A'))).toEqual(message)
  })

  test.each(['0', '-1', '1.5', 'x', '999999999999999', ''])('has no number where it says %j', text => {
    expect(parseMessage(`c\n\nWiki-Revision: ${text}\n`).origin?.revision).toBeNull()
  })

  test('with invalid JSON keeps the words', () => {
    expect(parseMessage('words\n\nWiki-Comment: "half\n').comment).toBe('words')
  })
})

test('has a layout in a trailer, outside the comment', () => {
  const marks = { minor: false, bot: false, reverts: null }
  const message = serializeMessage({ comment: 'Too many files', ...marks, layout: 'sharded' }, 'Layout')
  expect(message).toBe('Too many files\n\nWiki-Layout: sharded\n')
  expect([newLayout(message), parseMessage(message).comment]).toEqual(['sharded', 'Too many files'])
  expect([newLayout('Wiki-Layout: sharded\n'), newLayout('Words\nWiki-Layout: sharded\n\nand more')]).toEqual([
    null,
    null,
  ])
})
