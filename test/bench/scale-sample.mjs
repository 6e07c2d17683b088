/** The pages and revisions of a generated wiki that are requested. */
import { openWiki } from '../../dist/lib/index.js'
import { seenKey } from './scale-index.mjs'

/** Reads a wiki's pages once; the most edited pages are requested most. */
export async function sampleOf(folder) {
  const wiki = await openWiki({ directory: folder })
  await wiki.store.refresh()
  const { store } = wiki
  const pages = [...store.pages()].filter(
    ({ redirect, namespace, key }) => redirect === null && namespace === 0 && key !== seenKey,
  )
  pages.sort((a, b) => b.edits - a.edits)
  const sample = pages.map(({ key, path, latest, edits, first }) => {
    return { key, path, latest, first, edits, before: store.revision(latest).previous ?? latest }
  })
  await wiki.close()
  return { pages: sample, hot: sample[0], next: zipf(sample), revisions: store.lastRevisionId }
}

/** Returns pages, one after the other, always the same: the frequency of a page is about one divided by its rank. */
export function zipf(pages) {
  let state = 4711
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return pages[Math.floor(pages.length ** (state / 4_294_967_296)) - 1]
  }
}
