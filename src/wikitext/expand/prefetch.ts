/** Requests in one batch everything that a page certainly needs, which saves passes. */

import { namespaceIds } from '../../core/namespaces.ts'
import { findNamespace, type Title } from '../../core/title.ts'
import type { SourceCache } from '../expansion/source-cache.ts'
import { readTitle } from '../links/target.ts'
import { badFilesPage } from '../media/file-lookup.ts'
import type { Site } from '../site.ts'

/** Maximum nesting of templates that is prefetched; deeper ones are requested when they occur. */
const maxLevels = 10
/** Maximum names taken from one text. */
const maxNames = 5000

const templateNamespace = 10
const transclusion = /\{\{\s*([^{}|<>[\]#\s](?:[^{}|<>[\]#\n]{0,248}[^{}|<>[\]#\s])?)\s*(?=[|}])/g
const fileLink = /\[\[\s*([^[\]{}|<>#\s:][^[\]{}|<>#\n:]{0,39}):([^[\]{}|<>#\n]{1,250})(?=[|\]])/g

/** Requests the templates that texts name, the templates that these name, and so on, and the files. */
export async function prefetch(text: string, site: Site, sourceCache: SourceCache): Promise<void> {
  const seen = new Set<string>()
  let texts = [text]
  for (let level = 0; level < maxLevels && texts.length > 0; level++) {
    const templates = texts.flatMap(one => templatesIn(one, site)).filter(title => isNew(title, seen))
    for (const title of templates) sourceCache.page(title)
    const files = texts.flatMap(one => filesIn(one, site))
    const badFiles = files.length > 0 ? readTitle(`MediaWiki:${badFilesPage}`, site) : null
    if (badFiles !== null) sourceCache.page(badFiles)
    for (const title of files) {
      sourceCache.file(title.name)
      sourceCache.page(title)
    }
    if (sourceCache.isIncomplete()) await sourceCache.fetch()
    texts = templates.flatMap(title => sourceCache.page(title)?.text ?? [])
  }
}

function isNew({ key }: Title, seen: Set<string>): boolean {
  const isFresh = !seen.has(key)
  seen.add(key)
  return isFresh
}

function templatesIn(text: string, site: Site): Title[] {
  const names = new Set<string>()
  for (const [, name] of text.matchAll(transclusion)) {
    names.add(name!)
    if (names.size >= maxNames) break
  }
  return [...names].flatMap(name => readTitle(name, site, templateNamespace) ?? [])
}

function filesIn(text: string, site: Site): Title[] {
  const names = new Set<string>()
  for (const [, prefix, name] of text.matchAll(fileLink)) {
    const namespace = findNamespace(prefix!, site.rules)
    if (namespace === namespaceIds.file || namespace === namespaceIds.media) names.add(name!)
    if (names.size >= maxNames) break
  }
  return [...names].flatMap(name => readTitle(name, site, namespaceIds.file) ?? [])
}
