/** The contact of a wiki in descriptions of its API. */

/** Writes an address as OpenAPI has it: by mail or on the web. */
export function contactObject(contact: string): { readonly email: string } | { readonly url: string } {
  return /^https?:/i.test(contact) ? { url: contact } : { email: contact }
}
