/** The path below which a proxy shows the server, such as `/team`. */

import { WikiError } from '../core/errors.ts'
import { pageFolders, pagePaths } from '../http/page-paths.ts'
import { routeTables } from './routes.ts'

/** Segments of the server's own paths. A base path with one of them could not be told from these. */
const ownSegments: ReadonlySet<string> = new Set(
  [...pageFolders, ...pagePaths, ...routeTables.flatMap(({ mounts }) => mounts), '/specs', '/api.php', '/style.css']
    .flatMap(path => path.split('/'))
    .filter(segment => segment !== ''),
)

/** Checks a base path; returns it with a slash at the start and none at the end, "" for the root. Errors: wiki-usage. */
export function checkBasePath(text: string): string {
  const segments = text.split('/').filter(segment => segment !== '')
  const isUsable = segments.every(segment => /^[a-z\d][\w.~-]*$/i.test(segment) && !ownSegments.has(segment))
  if (isUsable) return segments.map(segment => `/${segment}`).join('')
  throw new WikiError('wiki-usage', {
    params: [`"${text}" is not a path for a wiki`],
    hint: 'Use letters and digits, as in /team, and none of the names of the server itself: wiki, files, v1, w',
  })
}

/** Returns the URL of a request below the base path, whether or not the proxy has removed that. */
export function belowBasePath(url: string, basePath: string): string {
  if (!url.startsWith('/') || basePath === '') return url
  const rest = url.startsWith(basePath) ? url.slice(basePath.length) : null
  if (rest === null || !/^(?:[/?]|$)/.test(rest)) return basePath + url
  return rest.startsWith('/') ? url : `${basePath}/${rest}`
}
