/** Helpers for requests: bodies as JSON, and the parts of a response that tests compare. */

/** A write, with further headers beside the content type. */
export function sending(method: string, body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** Header that carries a token. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/** The cookie of a response, in the form that a browser sends. */
export function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}

/** The attributes of a response's cookie. */
export function cookieAttributes(response: Response): string[] {
  return (response.headers.get('set-cookie') ?? '').split('; ').slice(1).sort()
}
