/** Options that select changes by author and time. */

import type { TimeForm } from '../render/time.ts'

export interface ChangeOptionValues {
  readonly author?: string
  readonly since?: string
  readonly until?: string
  readonly date?: TimeForm
}

/** Values of the options. Times are milliseconds since 1970. */
export interface ChangeSelection {
  readonly user: string | undefined
  readonly since: number | undefined
  readonly until: number | undefined
}

/** Reads the options. Errors: badvalue. */
export async function changeSelection({ author, since, until }: ChangeOptionValues): Promise<ChangeSelection> {
  if (since === undefined && until === undefined) return { user: author, since, until }
  const [{ parseMoment, endOfMoment }, { optionalMoment }] = await Promise.all([
    import('../../operations/resources/dates.ts'),
    import('../../operations/resources/params.ts'),
  ])
  return {
    user: author,
    since: optionalMoment('since', since, parseMoment),
    until: optionalMoment('until', until, endOfMoment),
  }
}
