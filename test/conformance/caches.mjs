/**
 * Reads through a shared cache (hishel, by RFC 9111) while pages are edited, moved, deleted and hidden: what the cache hands out must be what
 * the server says, in a coding that the client accepts.
 *
 *     node test/conformance/caches.mjs [--update]
 *
 * Exit status 1 for each kind of wrong answer that caches.json does not accept. Seeded. Needs Python 3.10; the tools are fetched once.
 */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withSample } from './judges/sample.mjs'
import { pythonPrograms } from './judges/tools.mjs'
import { judgeFindings } from './ratchet.mjs'

const programs = pythonPrograms()
const client = fileURLToPath(new URL('judges/caching_client.py', import.meta.url))
const program = fileURLToPath(new URL('../../bin/wiki.cjs', import.meta.url))

await withSample(async ({ url, token, folder }) => {
  const { stdout, stderr, status } = spawnSync(
    join(programs, 'python'),
    [client, url, token, join(folder, 'wiki'), program],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  )
  if (status !== 0) throw new Error(stderr.slice(-3000))
  const { judged, reused, findings, examples } = JSON.parse(stdout)
  console.log(`${reused} of ${judged} answers came from the cache`)
  for (const example of examples) console.log(`    ${example}`)
  // A cache that keeps nothing is never wrong.
  if (reused < judged / 10) throw new Error('the cache was hardly used')
  judgeFindings('caches.json', findings, judged)
})
