/** Scopes of an access token: the rights that it grants. */

/** Names of the scopes. `read` permits no change; `admin` includes all scopes, also future ones. */
export const scopeNames = ['read', 'edit', 'upload', 'delete', 'admin'] as const

export type Scope = (typeof scopeNames)[number]

/** Scopes of a token that lists none: the rights of every token before scopes existed. */
export const usualScopes: readonly Scope[] = ['edit', 'upload', 'delete']

/** Returns true if a token with these scopes may perform an action that requires the given one. */
export function covers(scopes: readonly Scope[], needed: Scope): boolean {
  return scopes.includes('admin') || scopes.includes(needed)
}

/** Rights of a session: those of its token, but `admin`, which takes a proof each time, see docs/authentication.md#what-the-owner-proves. */
export function sessionScopes(scopes: readonly Scope[]): readonly Scope[] {
  return scopes.includes('admin') ? usualScopes : scopes
}

/** Returns true for a list of distinct scope names. */
export function isScopeList(value: unknown): value is readonly Scope[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every(name => scopeNames.includes(name)) &&
    new Set(value).size === value.length
  )
}
