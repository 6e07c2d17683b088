/**
 * Imports a real export, exports it again, and compares both.
 *
 *     node dump.mjs <dump> [<folder of media files>]
 *
 * Every revision's place, title, id, time, user, comment, minor mark, content model and text must be unchanged, with native git and
 * without it; there must be one. Runs on the built library.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDump } from '../../dist/lib/dump/read-dump.js'
import { checkWiki, exportDump, importDump, openWiki } from '../../dist/lib/index.js'
import { initRepository } from '../../dist/lib/store/repository/init.js'
import { differences, factsOf } from './compare.mjs'

const [dump, files] = process.argv.slice(2)
const before = await factsOf(itemsOf(dump))
if (before.size === 0) throw new Error(`${dump} has no revisions`)
for (const backend of ['git', 'isomorphic-git']) process.exitCode ||= await compare(backend)

async function compare(backend) {
  const directory = mkdtempSync(join(tmpdir(), 'gitwiki-dump-'))
  try {
    initRepository(directory, { bare: true })
    const wiki = await openWiki({ directory, backend })
    const start = performance.now()
    const result = await importDump(wiki, { dump, files })
    const seconds = (performance.now() - start) / 1000
    const { problems } = await checkWiki(wiki)
    const after = await factsOf(itemsOf(bytesOf(exportDump(wiki))))
    await wiki.close()
    const differing = differences(before, after)
    const { pages, revisions, skipped } = result
    console.log(
      `${backend}: ${revisions} revisions of ${pages} pages and ${result.files} files in ${seconds.toFixed(1)} s`,
    )
    for (const { title, reason } of skipped) console.log(`  left out: ${title}: ${reason}`)
    console.log(`  wiki check: ${problems.length} findings`)
    console.log(`  equal: ${before.size - differing.length}/${before.size}`)
    for (const [key, was, is] of differing.slice(0, 20)) console.log(`  ${key}\n    was ${was}\n    is  ${is}`)
    return differing.length > 0 ? 1 : 0
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function* itemsOf(file) {
  for await (const items of readDump({ file })) yield* items
}

async function* bytesOf(pieces) {
  for await (const piece of pieces) yield Buffer.from(piece)
}
