/** Parses HTML of this server as a separate document. Only this module turns text into elements. */

interface Policy {
  readonly createHTML: (text: string) => string
}

declare global {
  interface Window {
    readonly trustedTypes?: { readonly createPolicy?: (name: string, rules: Policy) => Policy }
  }
}

// An element with the id "trustedTypes" has that name where the browser has no Trusted Types. Source: HTML Standard, 7.2.2.3.
const policy = window.trustedTypes?.createPolicy?.('wiki', { createHTML: text => text }) ?? {
  createHTML: (text: string) => text,
}

/** Fetches the page at a URL of this server; null if there is none, or no response. */
export function pageAt(address: string): Promise<Document | null> {
  return fetch(address)
    .then(response => (response.ok ? pageOf(response) : null))
    .catch(() => null)
}

/**
 * Parses the page in a response of this server. Its scripts never run. Errors: TypeError for a response from another
 * origin.
 */
export async function pageOf(response: Response): Promise<Document> {
  if (new URL(response.url).origin !== location.origin) throw new TypeError('not a page of this wiki')
  return new DOMParser().parseFromString(policy.createHTML(await response.text()), 'text/html')
}
