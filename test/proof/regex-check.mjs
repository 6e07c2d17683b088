/** Asks recheck for the time complexity of a regular expression. Pure JavaScript: no process, no network. */
process.env.RECHECK_SYNC_BACKEND = 'pure'

/** Maximum milliseconds of this process for a text of this length, when a guess of the checker is tried. */
const limit = 150
const characters = 60_000

/**
 * Returns "" for one whose time is linear, else what is wrong: how it grows, or why nothing can be said. Where the checker only
 * guesses, as it does of lookbehinds, the text that it made up is tried out. `patience`: milliseconds for it.
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
