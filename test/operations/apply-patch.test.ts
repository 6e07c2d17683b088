import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { unifiedPatch } from '../../src/diff/unified.ts'
import { applyPatchToPages } from '../../src/operations/apply-patch.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { git, temporaryDirectory } from '../_setup.ts'
import { ada, commitCount, edit, gitText, lastMessage, newWiki } from './_wiki.ts'

const pages = { Tides: 'One\n\nTwo\n\nThree', Harbour: 'Old pier', Gone: 'Bye' }
const request = (patch: string, more = {}) => ({ patch, comment: null, author: ada, ...more })
const patchOf = (path: string, from: string | null, to: string | null) =>
  unifiedPatch(from ?? '', to ?? '', { fromPath: from === null ? null : path, toPath: to === null ? null : path })

const long = 'One\n\nTwo\n\nThree\n\nFour\n\nFive\n'
const three =
  patchOf('Tides.wiki', long, long.replace('Three', '3')) +
  patchOf('New.wiki', null, 'Fresh ~~~~\n') +
  patchOf('Gone.wiki', 'Bye\n', null)

test('pages are edited, created and deleted in one commit, which can be undone as one', async () => {
  const { wiki, directory } = await newWiki({ ...pages, Tides: long })
  await edit(wiki, 'Tides', `Zero\n\n${long}`)
  const before = commitCount(directory)
  const planned = await applyPatchToPages(wiki, request(three, { dryRun: true }))
  expect(planned.patch).toContain('@@ -4,7 +4,7 @@\n \n Two\n')
  expect(commitCount(directory)).toBe(before)
  const done = await applyPatchToPages(wiki, request(three, { comment: 'by mail' }))
  expect(done.pages.map(({ title, kind }) => [title, kind])).toEqual([
    ['Tides', 'edit'],
    ['New', 'create'],
    ['Gone', 'delete'],
  ])
  expect(commitCount(directory)).toBe(before + 1)
  expect(lastMessage(directory)).toBe('by mail')
  expect(gitText(directory, 'Tides.wiki')).toBe(`Zero\n\n${long.replace('Three', '3')}`)
  expect(gitText(directory, 'New.wiki')).toBe('Fresh ~~~~\n')
  expect(wiki.store.findPage('Gone')).toBeUndefined()
})

test('a git patch produces the same texts as in git', async () => {
  const { wiki, directory } = await newWiki(pages)
  const clone = join(await temporaryDirectory(), 'clone')
  git(directory, 'clone', '-q', directory, clone)
  writeFileSync(join(clone, 'Tides.wiki'), 'One\n\nZwei\n\nThree\n')
  writeFileSync(join(clone, 'Größe.wiki'), 'neu\n')
  git(clone, 'add', '.')
  git(clone, 'commit', '-q', '-m', 'topic')
  await edit(wiki, 'Harbour', 'Other words')
  await applyPatchToPages(wiki, request(`${git(clone, 'format-patch', '-1', '--stdout')}\n`))
  expect(lastMessage(directory)).toMatch(/^Apply a patch to 2 pages\n/)
  for (const path of ['Tides.wiki', 'Größe.wiki']) expect(gitText(directory, path)).toBe(gitText(clone, path))
  expect(gitText(directory, 'Harbour.wiki')).toBe('Other words\n')
})

describe('nothing is written if', () => {
  const edited = patchOf('Tides.wiki', 'One\n\nTwo\n\nThree\n', 'One\n\n2\n\nThree\n')
  test.each([
    ['a line is not there', patchOf('Harbour.wiki', 'New pier\n', 'x\n'), 'wiki-patch-mismatch'],
    ['the page to edit is not there', patchOf('None.wiki', 'a\n', 'x\n'), 'wiki-patch-mismatch'],
    ['the page to create is there', patchOf('Harbour.wiki', null, 'x\n'), 'wiki-patch-mismatch'],
    ['the page to create is there in another file', patchOf('Harbour.md', null, 'x\n'), 'wiki-title-collision'],
    ['the page to delete has another text', patchOf('Harbour.wiki', 'New pier\n', null), 'wiki-patch-mismatch'],
    ['a path leads out', patchOf('../Out.wiki', null, 'x\n'), 'wiki-bad-patch'],
    ['a path leads out within', patchOf('x/../../Out.wiki', null, 'x\n'), 'wiki-bad-patch'],
    ['a path is absolute', patchOf('/etc/Out.wiki', null, 'x\n'), 'wiki-bad-patch'],
    ['a path is in .git', patchOf('.git/hooks/x.wiki', null, 'x\n'), 'wiki-bad-patch'],
    ['a path is that of settings', patchOf('wiki.json', null, '{}\n'), 'wiki-bad-patch'],
    ['a path is that of a media file', patchOf('files/A.svg', null, '<svg/>\n'), 'wiki-bad-patch'],
    ['a path is that of no page', patchOf('script.sh', null, 'x\n'), 'wiki-bad-patch'],
    ['a text would be too large', patchOf('Big.wiki', null, 'x'.repeat(2 ** 21 + 2)), 'apierror-contenttoobig'],
  ])('%s', async (_, patch, code) => {
    const { wiki, directory } = await newWiki(pages)
    const before = git(directory, 'rev-parse', 'HEAD')
    for (const dryRun of [true, false])
      await expect(applyPatchToPages(wiki, request(edited + patch, { dryRun }))).rejects.toMatchObject({ code })
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(before)
    expect(git(directory, 'status', '--porcelain')).toBe('')
  })

  test('a text is hidden', async () => {
    const { wiki, directory } = await newWiki(pages)
    const secret = await edit(wiki, 'Harbour', 'Secret pier')
    await edit(wiki, 'Harbour', 'Pier')
    await hideRevision(wiki, { id: secret, parts: ['text'], reason: '', comment: '', author: ada })
    // The later edits are removed from the branch, and the settings stay.
    const settings = gitText(directory, 'wiki.json')
    git(directory, 'reset', '-q', '--hard', 'HEAD~2')
    writeFileSync(join(directory, 'wiki.json'), settings)
    git(directory, 'add', 'wiki.json')
    git(directory, 'commit', '-q', '-m', 'settings')
    await expect(
      applyPatchToPages(wiki, request(patchOf('Harbour.wiki', 'Secret pier\n', 'x\n'))),
    ).rejects.toMatchObject({ code: 'rest-permission-denied-revision' })
  })
})
