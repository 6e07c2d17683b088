/** Determines the identity that git would use here. Source: git-var(1), git-commit(1) "COMMIT INFORMATION". */

import { WikiError } from '../../core/errors.ts'
import type { Author } from '../format/entries.ts'
import { booleanOf } from './config-text.ts'
import { identityVariables, readingEnvironment } from './environment.ts'
import { lastValue, readSettings } from './git-config.ts'
import { runGit } from './process.ts'
import type { Repository } from './repository.ts'

/** Variables of the user's environment with their identity or the location of their settings. */
const userVariables = [...identityVariables, 'HOME', 'USERPROFILE', 'XDG_CONFIG_HOME', 'EMAIL'] as const

export type Role = 'author' | 'committer'

export interface IdentityRequest {
  /** Null if there is none yet. */
  readonly repository: Repository | null
  readonly role: Role
  /** The user's environment; missing variables come from the process's. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** True if git may be started here. */
  readonly mayRunGit: boolean
}

/**
 * Returns the name and address that git would write into a commit; null if it knows none. Throws `wiki-bad-repository` if git
 * refuses its settings.
 */
export function gitIdentity({ repository, role, environment, mayRunGit }: IdentityRequest): Author | null {
  const given = givenIn(environment)
  const whole = wholeIn(given, role)
  if (whole !== null) return whole
  if (mayRunGit) {
    const question = ['var', `GIT_${role.toUpperCase()}_IDENT`]
    // The current folder may be deleted, in which git does not start.
    const place = repository === null ? {} : { gitDirectory: repository.gitDirectory, cwd: repository.gitDirectory }
    const { status, stdout, stderr } = runGit(question, { ...place, environment: given })
    if (status === 0) return partsOf(stdout.toString())
    const reason = refusedSetting.exec(stderr?.toString() ?? '')?.[1]
    if (reason !== undefined) throw refusedSettings(repository, reason)
    if (status !== null) return null
  }
  return identityFromFiles({ repository, role }, { ...readingEnvironment(), ...given })
}

/**
 * Git's sentence about a setting or a settings file. It has others that begin alike, on an account or a folder that is missing; they
 * say only that it knows no identity.
 */
const refusedSetting = /^fatal: ((?:bad|unknown|unexpected|expected|unable to (?:access|parse)) .*)/im

function refusedSettings(repository: Repository | null, reason: string): WikiError {
  return new WikiError('wiki-bad-repository', {
    params: [repository?.gitDirectory ?? 'this folder', `git refuses its settings: ${reason}`],
    hint: 'Find the setting with: git config --list --show-origin',
  })
}

/** The identity of an environment that names both parts: it needs no settings, and no start of git. */
function wholeIn(given: Readonly<Record<string, string | undefined>>, role: Role): Author | null {
  const [name, address] = ['NAME', 'EMAIL'].map(part => withoutCrud(given[`GIT_${role.toUpperCase()}_${part}`] ?? ''))
  return name && address ? { name, address } : null
}

/** An empty name or address counts as unset; git would refuse it. */
function givenIn(environment: IdentityRequest['environment']): Record<string, string | undefined> {
  const named = userVariables.filter(name => environment[name] !== undefined)
  return Object.fromEntries(
    named.map(name => [name, /^GIT_CONFIG/.test(name) ? environment[name] : environment[name] || undefined]),
  )
}

function partsOf(line: string): Author | null {
  const [, name, address] = /^([^<>]*) <([^<>]*)> /.exec(line) ?? []
  return name && address ? { name, address } : null
}

/** Settings of an identity. */
const identityKey = /^(?:user|author|committer)\.(?:name|email)$/

/**
 * Returns the same without git, which would also guess from the names of the account and the machine. EMAIL counts only if no
 * address is configured, and not with `user.useConfigOnly`. Source: git's ident.c, `fmt_ident`.
 */
function identityFromFiles(
  { repository, role }: Pick<IdentityRequest, 'repository' | 'role'>,
  environment: Readonly<Record<string, string | undefined>>,
): Author | null {
  const settings = readSettings({ repository, environment })
  const identities = settings.filter(({ key }) => identityKey.test(key))
  if (identities.some(({ value }) => value === null)) return null
  const partOf = (part: 'name' | 'email') =>
    environment[`GIT_${role.toUpperCase()}_${part.toUpperCase()}`] ||
    lastValue(identities, `${role}.${part}`) ||
    lastValue(identities, `user.${part}`)
  const isAddressSet = identities.some(({ key }) => key.endsWith('.email'))
  const isGuessing = !isAddressSet && !booleanOf(lastValue(settings, 'user.useconfigonly'))
  const name = withoutCrud(partOf('name') ?? '')
  const address = withoutCrud(partOf('email') ?? ((isGuessing && environment.EMAIL) || ''))
  return name && address ? { name, address } : null
}

/** Returns a name or address without the characters that git removes from its ends and from inside. */
function withoutCrud(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && isCrud(text[start]!)) start++
  while (end > start && isCrud(text[end - 1]!)) end--
  return text.slice(start, end).replace(/[\n<>]/g, '')
}

function isCrud(character: string): boolean {
  return character <= ' ' || ',:;<>"\\\''.includes(character)
}
