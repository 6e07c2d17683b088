/** Determines the identity that git would use here. Source: git-var(1), git-commit(1) "COMMIT INFORMATION". */

import type { Author } from '../format/entries.ts'
import { readingEnvironment } from './environment.ts'
import { lastValue, readSettings } from './git-config.ts'
import { runGit } from './process.ts'
import type { Repository } from './repository.ts'

/** Variables of the user's environment that say who they are, or where their settings are. */
const identityVariables = [
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'HOME',
  'USERPROFILE',
  'XDG_CONFIG_HOME',
  'EMAIL',
] as const

export type Role = 'author' | 'committer'

export interface IdentityQuestion {
  /** Null where there is none yet. */
  readonly repository: Repository | null
  readonly role: Role
  /** The user's environment; what it does not name is the process's. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** True if git may be started here. */
  readonly mayRunGit: boolean
}

/** Returns the name and address that git would write into a commit; null where it would refuse to make one. */
export function gitIdentity({ repository, role, environment, mayRunGit }: IdentityQuestion): Author | null {
  const given = givenIn(environment)
  if (mayRunGit) {
    const question = ['var', `GIT_${role.toUpperCase()}_IDENT`]
    const place = repository === null ? {} : { gitDirectory: repository.gitDirectory }
    const { status, stdout } = runGit(question, { ...place, environment: given })
    if (status !== null) return status === 0 ? partsOf(stdout.toString()) : null
  }
  return identityFromFiles({ repository, role }, { ...readingEnvironment(), ...given })
}

/** An empty name or address counts as one that is not set; git would refuse it. */
function givenIn(environment: IdentityQuestion['environment']): Record<string, string | undefined> {
  const named = identityVariables.filter(name => environment[name] !== undefined)
  return Object.fromEntries(
    named.map(name => [name, /^GIT_CONFIG/.test(name) ? environment[name] : environment[name] || undefined]),
  )
}

function partsOf(line: string): Author | null {
  const [, name, address] = /^([^<>]*) <([^<>]*)> /.exec(line) ?? []
  return name && address ? { name, address } : null
}

/** The same without git, which would also guess from the names of the account and the machine. */
function identityFromFiles(
  { repository, role }: Pick<IdentityQuestion, 'repository' | 'role'>,
  environment: Readonly<Record<string, string | undefined>>,
): Author | null {
  const settings = readSettings({ repository, environment })
  const partOf = (part: 'name' | 'email') =>
    environment[`GIT_${role.toUpperCase()}_${part.toUpperCase()}`] ||
    lastValue(settings, `${role}.${part}`) ||
    lastValue(settings, `user.${part}`)
  const name = partOf('name')
  const address = partOf('email') || environment.EMAIL
  return name && address ? { name, address } : null
}
