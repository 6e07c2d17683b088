/** Distinguishes requests for browser pages from API requests. */

/** Prefixes of the paths of pages and their assets. Source: MediaWiki's `$wgArticlePath` and `index.php`. */
export const pageFolders = ['/wiki/', '/-/', '/index.php/', '/w/index.php/'] as const
/** Paths of single pages. */
export const pagePaths: ReadonlySet<string> = new Set([
  '/wiki',
  '/events',
  '/index.php',
  '/w/index.php',
  '/robots.txt',
  '/favicon.ico',
])

/** Returns true if the response to this path is a page. The root is a page only for browsers. */
export function isPagePath(path: string, headers: Headers): boolean {
  if (path === '/') return wantsPage(headers)
  return pagePaths.has(path) || pageFolders.some(folder => path.startsWith(folder))
}

/** Prefixes of the paths of programs. Errors below them are for programs, whoever sends the request. */
const programPaths = /^\/(?:v1|content|rest\.php|w\/rest\.php|w\/api\.php|api\.php|specs|files)(?:\/|$)/

/** Returns true if an unknown path gets an error page, because a person has typed it. */
export function isLostPath(path: string, headers: Headers): boolean {
  return !programPaths.test(path) && wantsPage(headers)
}

/** Returns true if the Accept header prefers HTML to JSON, by weight and then by order, as browsers do and programs do not. */
export function wantsPage(headers: Headers): boolean {
  const ranges = (headers.get('accept') ?? '').slice(0, 1000).toLowerCase().split(',')
  const [html, json] = ['text/html', 'application/json'].map(type => preferenceOf(ranges, type)) as [
    Preference,
    Preference,
  ]
  if (html.weight === 0) return false
  return html.weight > json.weight || (html.weight === json.weight && html.place < json.place)
}

interface Preference {
  /** 0 if the type is not named. */
  readonly weight: number
  readonly place: number
}

function preferenceOf(ranges: readonly string[], type: string): Preference {
  const place = ranges.findIndex(range => range.split(';', 1)[0]!.trim() === type)
  const weight = /;\s*q=([01](?:\.\d{0,3})?)\s*(?:;|$)/.exec(ranges[place] ?? '')?.[1] ?? 1
  return { weight: place < 0 ? 0 : Number(weight), place }
}
