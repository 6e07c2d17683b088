/** The contact of a wiki, in the description of its API. */

/** Returns an e-mail or web address as OpenAPI's contact object: that of the wiki itself, which clients expect, if it names no other. */
export function contactObject(contact: string, root: string): { readonly email: string } | { readonly url: string } {
  if (contact === '') return { url: `${root}/` }
  return /^https?:/i.test(contact) ? { url: contact } : { email: contact }
}
