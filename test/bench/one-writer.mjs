/**
 * One of several processes that edit pages of their own at the same time: see `write.mjs`. Says when it is ready, and begins when a line
 * comes in.
 *
 *     node test/bench/one-writer.mjs <ours|git> <wiki> <checkout> <pages, separated by commas> <edits>
 */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keyOf, pathOf } from './generate-wiki.mjs'

const [kind, directory, checkout, list, edits] = process.argv.slice(2)
const pages = list.split(',').map(Number)
const write = kind === 'git' ? committer() : await writer()
console.log('ready')
await once(process.stdin, 'data')
for (let edit = 0; edit < Number(edits); edit++) await write(pages[edit % pages.length], `edit ${edit}\n`.repeat(200))
process.exit()

async function writer() {
  const { openWiki, updatePage } = await import(join(checkout, 'dist/lib/index.js'))
  const wiki = await openWiki({ directory })
  await wiki.store.refresh()
  return async (page, source) => {
    await wiki.store.refresh()
    const base = wiki.store.findPage(keyOf(page)).latest
    const author = { name: 'Bench', address: 'bench@example.org' }
    await updatePage(wiki, { title: keyOf(page), base, source, comment: 'edit', author })
  }
}

/** Git refuses where another one has the lock; people try again. */
function committer() {
  const settings = ['-c', 'core.fsync=all', '-c', 'core.fsyncMethod=fsync', '-c', 'maintenance.auto=false']
  const who = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org']
  const git = (...parameters) => spawnSync('git', ['-C', directory, ...settings, ...who, ...parameters]).status === 0
  const until = async act => {
    while (!act()) await sleep(5 + Math.random() * 20)
  }
  return async (page, text) => {
    const path = pathOf(page)
    writeFileSync(join(directory, path), text)
    await until(() => git('add', path))
    await until(() => git('commit', '-q', '-m', 'edit', '--', path) || git('diff', '--quiet', 'HEAD', '--', path))
  }
}
