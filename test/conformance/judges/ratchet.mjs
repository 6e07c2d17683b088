/** Compares findings with those that a file accepts, by name. */

import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Prints findings and sets the exit status: 1 if one is new or has become more frequent. The file has `accepted`, a count and a reason
 * for each name, and `judged`, the number of cases of the last update: fewer than nine tenths of them are a failure too, since a judge that
 * sees nothing finds nothing. `--update` writes counts, and leaves reasons to be written by hand.
 */
export function compareFindings(file, findings, judged) {
  const url = new URL(file, new URL('../', import.meta.url))
  const before = JSON.parse(readFileSync(url, 'utf8'))
  const counts = new Map()
  for (const name of findings) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const [name, found] of [...counts].sort()) {
    const { count = 0, reason } = before.accepted[name] ?? {}
    console.log(`${found > count ? 'NEW' : 'accepted'} ${found} × ${name}${reason ? ` (${reason})` : ''}`)
    if (found > count) process.exitCode = 1
  }
  console.log(`${basename(fileURLToPath(url), '.json')}: ${judged} cases, ${findings.length} findings`)
  if (process.argv.includes('--update')) {
    const accepted = [...counts].map(([name, count]) => [name, { count, reason: before.accepted[name]?.reason ?? '' }])
    writeFileSync(url, `${JSON.stringify({ judged, accepted: Object.fromEntries(accepted) }, null, 2)}\n`)
    process.exitCode = 0
  } else if (judged < before.judged * 0.9) {
    console.log(`only ${judged} cases instead of ${before.judged}: what was left out?`)
    process.exitCode = 1
  }
}
