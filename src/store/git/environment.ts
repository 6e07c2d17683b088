/**
 * The environment of every git process that reads. In a partial clone git fetches an object that is missing, and fetching
 * runs the program that the remote's address, or the configuration, names. A reader must never do so.
 *
 * Source: git(1) `GIT_ALLOW_PROTOCOL`, `GIT_NO_LAZY_FETCH`, `GIT_TERMINAL_PROMPT`.
 */

/**
 * `GIT_NO_LAZY_FETCH` exists since 2.45 (and 2.39.4). `GIT_ALLOW_PROTOCOL` is older and stronger than `protocol.*.allow` of
 * the configuration: no transport has this name, so git of any version refuses each one before it starts a program.
 */
const neverFetch = { GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' }

/** Returns the environment in which git only reads what is there. */
export function readingEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, ...neverFetch }
}
