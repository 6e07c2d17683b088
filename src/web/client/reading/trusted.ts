/** HTML of this server as a document of its own. It is the one place where text becomes elements. */

interface Policy {
  readonly createHTML: (text: string) => string
}

declare global {
  interface Window {
    readonly trustedTypes?: { readonly createPolicy: (name: string, rules: Policy) => Policy }
  }
}

const policy = window.trustedTypes?.createPolicy('wiki', { createHTML: text => text }) ?? {
  createHTML: (text: string) => text,
}

/** Returns the page at an address of this server; null where there is none, or nobody answers. */
export function pageAt(address: string): Promise<Document | null> {
  return fetch(address)
    .then(answer => (answer.ok ? pageOf(answer) : null))
    .catch(() => null)
}

/** Returns the page that an answer of this server holds. Scripts of it never run. Errors: TypeError for an answer from elsewhere. */
export async function pageOf(answer: Response): Promise<Document> {
  if (new URL(answer.url).origin !== location.origin) throw new TypeError('not a page of this wiki')
  return new DOMParser().parseFromString(policy.createHTML(await answer.text()), 'text/html')
}
