import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newWiki } from '../operations/_wiki.ts'
import { siteOf } from './_site.ts'

test("a file of the repository is sent as text, except the wiki's private files", async () => {
  const { wiki, directory } = await newWiki({ Tides: 'x' })
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...words], { cwd: directory })
  mkdirSync(join(directory, 'src'))
  writeFileSync(join(directory, 'src/run.py'), '<script>run</script>\n')
  writeFileSync(join(directory, '.secret'), 'sesame')
  writeFileSync(join(directory, 'wiki.json'), JSON.stringify({ name: 'Harbour' }))
  git('add', '.')
  git('commit', '-qm', 'files')
  const { ask } = siteOf(wiki)
  const sent = await ask('/wiki/Special:RepositoryFile/src/run.py')
  expect([sent.status, await sent.text()]).toEqual([200, '<script>run</script>\n'])
  expect(sent.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(sent.headers.get('cache-control')).toBe('no-cache')
  expect(sent.headers.get('content-security-policy')).toContain('sandbox')
  for (const path of [
    'wiki.json',
    'WIKI.JSON',
    './wiki.json',
    'src/../wiki.json',
    'src%2F..%2Fwiki.json',
    '.git/config',
    '.GIT/config',
    'src/../.git/config',
    '.git%2Fconfig',
    '.secret',
    '../../../../etc/passwd',
    '%2Fetc%2Fpasswd',
    '',
  ]) {
    const answer = await ask(`/wiki/Special:RepositoryFile/${path}`)
    const text = await answer.text()
    expect([path, answer.status < 500, answer.status === 200]).toEqual([path, true, false])
    expect(text).not.toMatch(/sesame|"name"|\[core\]|root:x/)
  }
})
