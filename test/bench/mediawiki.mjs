/** A MediaWiki that start-mediawiki.sh has installed and started, and the import of a generated wiki's pages. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as bench from './measure.mjs'

/** The MediaWiki in the folder that start-mediawiki.sh used; null if it does not respond. */
export async function openMediaWiki(folder) {
  const config = join(folder, 'nginx.conf')
  if (!existsSync(config)) return null
  const port = Number(/listen 127\.0\.0\.1:(\d+)/.exec(readFileSync(config, 'utf8'))[1])
  const mediaWiki = { folder, port, pids: pidsIn(folder) }
  return (await answers(mediaWiki)) ? mediaWiki : null
}

/**
 * Replaces the pages that the MediaWiki has, except its main page, by those of a wiki. They are imported once, which takes
 * minutes, and stored in its folder under this name. Returns the seconds that the import took, undefined if it was already
 * stored.
 */
export async function givePages(mediaWiki, { name, wiki, titles }) {
  const kept = join(mediaWiki.folder, 'gitwiki-bench')
  const database = join(mediaWiki.folder, 'data/wiki.sqlite')
  const empty = join(kept, 'empty.sqlite')
  mkdirSync(kept, { recursive: true })
  if (!existsSync(empty)) copyFileSync(database, empty)
  const imported = join(kept, `${name}.sqlite`)
  const start = performance.now()
  const isNew = !existsSync(imported)
  if (isNew) importPages(mediaWiki, { empty, imported, wiki, titles })
  for (const rest of ['-wal', '-shm']) rmSync(database + rest, { force: true })
  copyFileSync(imported, database)
  await forget(mediaWiki)
  return isNew ? (performance.now() - start) / 1000 : undefined
}

/** Empties its caches: the parser cache is a database; everything else is in the memory of PHP, which is restarted. */
export async function forget(mediaWiki) {
  const cache = join(mediaWiki.folder, 'data/wikicache.sqlite')
  bench.run('php', ['-r', `(new PDO('sqlite:' . $argv[1]))->exec('DELETE FROM objectcache');`, cache])
  const [old] = mediaWiki.pids
  process.kill(old, 'SIGUSR2')
  const isNew = () => existsSync(pidFile(mediaWiki.folder, 'fpm')) && !pidsIn(mediaWiki.folder).includes(old)
  while (!isNew() || !(await answers(mediaWiki))) await sleep(100)
  mediaWiki.pids = pidsIn(mediaWiki.folder)
}

/** PHP and the server in front of it; PHP gets a new process id whenever it restarts. */
function pidsIn(folder) {
  return ['fpm', 'nginx'].map(name => Number(readFileSync(pidFile(folder, name), 'utf8')))
}

function pidFile(folder, name) {
  return join(folder, 'run', `${name}.pid`)
}

async function answers({ port }) {
  try {
    const url = `http://127.0.0.1:${port}/rest.php/v1/page/Main_Page/bare`
    return (await fetch(url, { signal: AbortSignal.timeout(10_000) })).ok
  } catch {
    return false
  }
}

/** Into a separate database with its own settings, without waiting for the disk at each revision. */
function importPages({ folder }, { empty, imported, wiki, titles }) {
  const unfinished = `${imported}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(join(unfinished, 'files'), { recursive: true })
  copyFileSync(empty, join(unfinished, 'wiki.sqlite'))
  const settings = join(unfinished, 'settings.php')
  writeFileSync(settings, settingsOf(folder, unfinished))
  const dump = join(unfinished, 'pages.xml')
  bench.run(process.execPath, [join(bench.root, 'bin/wiki.cjs'), 'export', ...titles, '-o', dump, '-q', '-C', wiki])
  writeFileSync(join(unfinished, 'files/Buoy.svg'), bench.git(wiki, ['show', 'HEAD:File/Buoy.svg']))
  for (const [script, ...parameters] of [
    ['sql', '--query', interwiki],
    ['importImages', '--extensions=svg', join(unfinished, 'files')],
    ['importDump', '--no-updates', '--quiet', dump],
    ['initSiteStats', '--update'],
    ['rebuildall'],
  ])
    bench.run('php', [join(folder, `w/maintenance/${script}.php`), '--conf', settings, ...parameters], {
      timeout: 1_800_000,
    })
  renameSync(join(unfinished, 'wiki.sqlite'), imported)
  rmSync(unfinished, { recursive: true })
}

const interwiki = `INSERT INTO interwiki (iw_prefix, iw_url, iw_api, iw_wikiid, iw_local, iw_trans)
VALUES ('de', 'https://de.example.org/$1', '', '', 1, 0)`

function settingsOf(folder, data) {
  return `<?php
require '${folder}/w/LocalSettings.php';
$wgSQLiteDataDir = '${data}';
$wgDBservers = [[
  'type' => 'sqlite', 'dbname' => $wgDBname, 'tablePrefix' => '', 'dbDirectory' => $wgSQLiteDataDir,
  'variables' => [ 'synchronous' => 'OFF' ], 'trxMode' => 'IMMEDIATE', 'flags' => 0, 'load' => 1,
]];
`
}
