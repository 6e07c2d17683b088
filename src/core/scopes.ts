/** Scopes of a token: the rights that it was made with. */

/** Names of the scopes. `read` may change nothing; `admin` stands for all of them, also for those to come. */
export const scopeNames = ['read', 'edit', 'upload', 'delete', 'admin'] as const

export type Scope = (typeof scopeNames)[number]

/** Scopes of a token that names none: what everybody could do with a token before there were scopes. */
export const usualScopes: readonly Scope[] = ['edit', 'upload', 'delete']

/** Returns true if a token with these scopes may do what needs the given one. */
export function covers(scopes: readonly Scope[], needed: Scope): boolean {
  return scopes.includes('admin') || scopes.includes(needed)
}

/** True for a list of names of scopes, each once. */
export function isScopeList(value: unknown): value is readonly Scope[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(name => scopeNames.includes(name)) &&
    new Set(value).size === value.length
  )
}
