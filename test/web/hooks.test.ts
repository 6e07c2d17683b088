import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git, hasGit } from '../_setup.ts'
import { newWiki } from '../operations/_wiki.ts'
import { siteOf } from './_site.ts'

const own = { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' }

test.skipIf(!hasGit || process.platform === 'win32')(
  'a form that is saved runs no hook and no signing program that the owner did not ask for',
  async () => {
    const { wiki, directory } = await newWiki({ Tides: 'x' })
    const mark = join(directory, '.git', 'ran')
    const program = join(directory, '.git', 'hooks', 'commit-msg')
    mkdirSync(join(directory, '.git', 'hooks'), { recursive: true })
    for (const name of ['pre-commit', 'commit-msg', 'post-commit', 'reference-transaction']) {
      const path = join(directory, '.git', 'hooks', name)
      writeFileSync(path, `#!/bin/sh\ntouch '${mark}'\nexit 1\n`)
      chmodSync(path, 0o755)
    }
    git(directory, 'config', 'commit.gpgsign', 'true')
    git(directory, 'config', 'gpg.program', program)
    const site = siteOf(wiki, { allowAnonymous: true })
    const token = /name="token" value="([^"]*)"/.exec((await site.page('/wiki/Fog?action=edit')).html)![1]!
    const body = new URLSearchParams({ token: token.replaceAll('&#92;', '\\'), text: 'grey', summary: 'x', do: 'save' })
    const saved = await site.ask('/wiki/Fog?action=submit', { method: 'POST', body, headers: own })
    expect([saved.status, existsSync(mark)]).toEqual([303, false])
    expect(git(directory, 'cat-file', 'commit', 'HEAD')).not.toContain('gpgsig')
  },
)
