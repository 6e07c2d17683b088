/** Asks recheck of a regular expression how its time grows. Pure JavaScript: no process, no network. */
process.env.RECHECK_SYNC_BACKEND = 'pure'

/** Milliseconds for one pattern. */
const patience = 20_000

/** Gives "" for one whose time is linear, else what is wrong: how it grows, or why nothing can be said. */
export async function complaintAbout({ source, flags }) {
  const { checkSync } = await import('recheck')
  const { status, complexity, error } = checkSync(source, flags, { timeout: patience, randomSeed: 1 })
  return status === 'safe' ? '' : (complexity?.summary ?? `${status}: ${error?.kind ?? ''} ${error?.message ?? ''}`)
}
