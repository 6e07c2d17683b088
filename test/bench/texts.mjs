/** Shared by the benchmarks of conversions: texts, CPU time, and a MediaWiki that converts the same texts. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cpuOf } from './load.mjs'
import { processesNamed } from './servers.mjs'

/** Paths of the given files, and of all texts in the given folders. */
export function textFiles(paths) {
  return paths.flatMap(path =>
    statSync(path).isDirectory()
      ? readdirSync(path)
          .filter(name => /\.(?:txt|wiki|mediawiki)$/.test(name))
          .map(name => join(path, name))
      : [path],
  )
}

/** Milliseconds of CPU that this process has used. */
export const ownCpu = () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000

/** Milliseconds of CPU that all php-fpm processes have used. */
export const fpmCpu = () => cpuOf(processesNamed(/^php-fpm/))

/** Finds a transform of a MediaWiki, such as `html/to/wikitext`; returns a function that sends it a body, under a title. */
export async function mediaWikiTransform(url, path, sample) {
  // 1.39 has the route under another name.
  const routes = ['v1', 'coredev/v0'].map(root => `${url}/rest.php/${root}/transform/${path}/`)
  const ask = (route, title, body) =>
    fetch(route + encodeURIComponent(title), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const answers = await Promise.all(routes.map(route => ask(route, 'X', sample)))
  const route = routes[answers.findIndex(answer => answer.ok)]
  if (route === undefined) throw new Error(`no transform at ${url}: ${answers.map(({ status }) => status)}`)
  return async (title, body) => {
    const response = await ask(route, title, body)
    await response.text()
    if (!response.ok) console.error(`${title}: ${response.status}`)
  }
}
