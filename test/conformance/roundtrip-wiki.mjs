/** Round trips of the pages of a real git wiki within it, where links are paths and the product renders its own revisions. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transformToWikitext } from '../../dist/lib/operations/convert-html.js'
import { renderPage } from '../../dist/lib/operations/render-page.js'
import { openWiki } from '../../dist/lib/operations/wiki.js'

/**
 * Sends the HTML for editors of each page of a bundle back, unedited and without naming the revision. Reports
 * `(name, isEqual, {title, before, after})` for the whole document, and for the document without the revision that it names.
 */
export async function sendBack(bundle, report) {
  const folder = mkdtempSync(join(tmpdir(), 'gitwiki-roundtrip-'))
  execFileSync('git', ['clone', '-q', bundle, folder])
  const wiki = await openWiki({ directory: folder })
  try {
    await wiki.store.refresh()
    for (const { title, model, latest } of wiki.store.pages()) {
      if (model !== 'wikitext') continue
      const before = await wiki.store.text(wiki.store.revision(latest))
      const { html } = await renderPage(wiki, { title, redirect: false, flavor: 'edit' })
      for (const [name, sent] of [
        ['the whole document', html],
        ['the content alone', html.replace(/ about="[^"]*\/revision\/\d+"/, '')],
      ]) {
        const after = await transformToWikitext(wiki, { html: sent, title })
        report(name, after === before, { title, before, after })
      }
    }
  } finally {
    await wiki.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
