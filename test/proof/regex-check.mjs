/** Checks the time complexity of a regular expression with recheck, in pure JavaScript: without a process or the network. */
process.env.RECHECK_SYNC_BACKEND = 'pure'

/** Maximum milliseconds of this process for a text of this length, when a guess of the checker is tried. */
const limit = 150
const characters = 60_000

/**
 * Returns "" for a linear expression, else the problem: how its time grows, or why that is unknown. If the checker can only
 * guess, as for lookbehinds, the text that it generated is tried. `patience`: milliseconds for it.
 */
export async function complaintAbout({ source, flags }, { patience = 20_000 } = {}) {
  const { checkSync } = await import('recheck')
  const { status, complexity, error, checker, attack } = checkSync(source, flags, { timeout: patience, randomSeed: 1 })
  if (status === 'safe') return ''
  const isGuess = checker === 'fuzz' && attack !== undefined
  if (isGuess && isQuick(new RegExp(source, flags.replace('y', 'g')), attack)) return ''
  return complexity?.summary ?? `${status}: ${error?.kind ?? ''} ${error?.message ?? ''}`
}

function isQuick(regex, { pumps, suffix }) {
  const times = pump => Math.max(1, Math.floor(characters / pumps.length / pump.length))
  const text = pumps.map(({ prefix, pump }) => prefix + pump.repeat(times(pump))).join('') + suffix
  const before = process.cpuUsage().user
  text.replace(regex, '')
  return (process.cpuUsage().user - before) / 1000 < limit
}
