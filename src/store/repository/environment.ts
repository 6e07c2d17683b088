/**
 * The environment of every git process. Git's own variables redirect a process to another index, object store or program, and a
 * hook or an alias that starts this program leaves them set. A child inherits only those of the table. Source: git(1),
 * "Environment Variables"; docs/git.md lists every decision.
 */

/** Git's variables with the user's identity, or the location of their settings. */
export const identityVariables = [
  'GIT_AUTHOR_NAME',
  'GIT_AUTHOR_EMAIL',
  'GIT_COMMITTER_NAME',
  'GIT_COMMITTER_EMAIL',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
] as const

/** Git's variables that a child inherits: those of the user, the search for a repository, and the git to use. */
export const inheritedVariables = [
  ...identityVariables,
  'GIT_CEILING_DIRECTORIES',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_EXEC_PATH',
] as const

const inherited: ReadonlySet<string> = new Set(inheritedVariables)

/**
 * `GIT_NO_LAZY_FETCH` exists since 2.45 (and 2.39.4). `GIT_ALLOW_PROTOCOL` is older and stronger than `protocol.*.allow` of the
 * configuration: no transport has this name, so git of any version refuses each one before it starts a program.
 */
const neverFetch = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' }

/**
 * Returns the values of a setting from GIT_CONFIG_COUNT in the user's environment. Only settings about trust are read so.
 * Source: git-config(1), GIT_CONFIG_COUNT.
 */
export function commandSettings(key: string): string[] {
  const count = Math.min(Number(process.env.GIT_CONFIG_COUNT) || 0, 1000)
  const numbers = Array.from({ length: count }, (_, number) => number)
  return numbers.flatMap(number => {
    const isAsked = process.env[`GIT_CONFIG_KEY_${number}`]?.toLowerCase() === key
    return isAsked ? [process.env[`GIT_CONFIG_VALUE_${number}`] ?? ''] : []
  })
}

/** Returns the folders in which programs are searched for, as the user's environment names them. */
export function programPath(): string | undefined {
  return process.env.PATH
}

/**
 * Returns the index that git has made for the commit that it is checking: `git commit -a` and `git commit <path>` give their hooks
 * another than the repository's own. Undefined outside a hook. Source: git(1), GIT_INDEX_FILE.
 */
export function hookIndex(): string | undefined {
  return process.env.GIT_INDEX_FILE || undefined
}

/** Variable of the programs that hooks start: the git directory whose commit is being checked. */
export const checkedVariable = 'WIKI_CHECKED_REPOSITORY'

/** Returns true in a program that a hook has started while it checks a commit of the repository. */
export function isInsideCheck(gitDirectory: string): boolean {
  return process.env[checkedVariable] === gitDirectory
}

/** Returns our environment without the variables of git that are not in the table. */
export function gitEnvironment(): NodeJS.ProcessEnv {
  // Variable names are case-insensitive on Windows.
  const variables = Object.entries(process.env).filter(([name]) => {
    const upper = name.toUpperCase()
    return !upper.startsWith('GIT_') || inherited.has(upper)
  })
  return Object.fromEntries(variables)
}

/** Variables that name the user's settings of git. */
const settingsVariables = [
  'HOME',
  'USERPROFILE',
  'XDG_CONFIG_HOME',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
] as const

/** Returns those of our variables by which git finds the user's settings: listing all of them takes a millisecond. */
export function settingsEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(settingsVariables.map(name => [name, process.env[name]]))
}

/**
 * Returns an environment in which git only reads local data, and prints English. In a partial clone git fetches a missing object,
 * and fetching runs the program that the remote's URL, or the configuration, names. A reader must never do so. Source: git(1)
 * `GIT_ALLOW_PROTOCOL`, `GIT_NO_LAZY_FETCH`, `GIT_TERMINAL_PROMPT`.
 */
export function readingEnvironment(): NodeJS.ProcessEnv {
  return { ...gitEnvironment(), LC_ALL: 'C', ...neverFetch }
}
