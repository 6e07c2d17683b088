/** Pages about what git lacks. */

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hashBlob } from '../../src/store/git/objects.ts'
import { commitFiles, newWiki, openTestWiki } from '../operations/_wiki.ts'
import { siteOf } from './_site.ts'

test.each(['', '?action=info', '?action=raw', '?action=history', '?action=edit'])(
  'a media file whose content git lacks has a page that says so: %j',
  async query => {
    const { wiki } = await newWiki()
    await commitFiles(wiki, { 'File/Quay.png': 'no picture' })
    const blob = hashBlob(Buffer.from('no picture'))
    rmSync(join(wiki.store.repository.objectDirectory, blob.slice(0, 2), blob.slice(2)))
    const site = siteOf(await openTestWiki(wiki.store.repository.gitDirectory))
    const { status, headers, text } = await site.page(`/wiki/File:Quay.png${query}`)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect([200, 404, 500]).toContain(status)
    if (status === 500) expect(text).toContain(`lacks the object ${blob}`)
  },
)
