/** The contact of a wiki, in the description of its API. */

/** Returns an e-mail or web address as OpenAPI's contact object. */
export function contactObject(contact: string): { readonly email: string } | { readonly url: string } {
  return /^https?:/i.test(contact) ? { url: contact } : { email: contact }
}
