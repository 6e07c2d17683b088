/** Requests of tests: bodies as JSON, and the parts of an answer that tests compare. */

/** A write, with headers beside the content type. */
export function sending(method: string, body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** Header that shows a token. */
export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/** The cookie of an answer, as a browser sends it back. */
export function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
}

/** The attributes of an answer's cookie. */
export function cookieAttributes(response: Response): string[] {
  return (response.headers.get('set-cookie') ?? '').split('; ').slice(1).sort()
}
