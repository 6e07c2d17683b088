/** Tells requests for pages that browsers show from those for the API. */

/** Starts of the paths that pages and what belongs to them have. Source: MediaWiki's `$wgArticlePath` and `index.php`. */
const pageFolders = ['/wiki/', '/-/', '/index.php/', '/w/index.php/'] as const
const pagePaths: ReadonlySet<string> = new Set(['/wiki', '/events', '/index.php', '/w/index.php'])

/** Returns true if a request with this path is answered with a page. The root is a page for browsers alone. */
export function isPagePath(path: string, headers: Headers): boolean {
  if (path === '/') return wantsPage(headers)
  return pagePaths.has(path) || pageFolders.some(folder => path.startsWith(folder))
}

/** Beginnings of the paths of programs: an error there is for programs, whoever asks. */
const programPaths = /^\/(?:v1|content|rest\.php|w\/rest\.php|w\/api\.php|api\.php|specs|files)(?:\/|$)/

/** Returns true if a path at which there is nothing is answered with a page: a person has written an address. */
export function isLostPath(path: string, headers: Headers): boolean {
  return !programPaths.test(path) && wantsPage(headers)
}

/** Returns true if a client names HTML before JSON in its Accept header, as browsers do and programs do not. */
export function wantsPage(headers: Headers): boolean {
  const types = (headers.get('accept') ?? '').slice(0, 1000).toLowerCase()
  const [html, json] = [types.indexOf('text/html'), types.indexOf('application/json')]
  return html !== -1 && (json === -1 || html < json)
}
