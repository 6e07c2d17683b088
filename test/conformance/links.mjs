/**
 * Renders every page of repositories and checks its links.
 *
 *     node links.mjs [--update | --other] [--list] <clone or bundle>...
 *
 * A link or picture that means a file of the repository, by the rules of its dialect, has to lead there. Its meaning is
 * determined here without the product, from the paths of the repository alone. Exit status 1 if one leads elsewhere that
 * `links.json` does not have as open; `--update` rewrites it, `--other` does without it, for other repositories (ratchet.mjs);
 * `--list` prints each link that leads elsewhere.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { renderPage } from '../../dist/lib/operations/render-page.js'
import { openWiki } from '../../dist/lib/operations/wiki.js'
import { placesOf, wantedLinks, whichLead } from './links-compare.mjs'
import { Cases, judgeCases, readCommandLine } from './ratchet.mjs'

const { sources, list, update, other } = readCommandLine('<clone or bundle>...', {
  list: { type: 'boolean', default: false },
})
const cases = new Cases()
for (const source of sources) await lookAt(source, basename(source).replace(/\.bundle$/, ''))
judgeCases('links.json', cases, { update, other })

/** Counts the links of a repository. */
async function lookAt(source, name) {
  cases.expect(name)
  const folder = mkdtempSync(join(tmpdir(), 'gitwiki-links-'))
  try {
    execFileSync('git', ['clone', '-q', source, folder], { stdio: 'ignore' })
    const wiki = await openWiki({ directory: folder })
    await wiki.store.refresh()
    const { store } = wiki
    const places = placesOf([...store.pages(), ...store.files()].map(({ key, path }) => ({ key, path })))
    for (const { path, model, title } of store.pages()) {
      if (model !== 'markdown' && model !== 'wikitext') continue
      const wanted = wantedLinks({ text: readFileSync(join(folder, path), 'utf8'), path, model }, places)
      if (wanted.length === 0) continue
      const { html } = await renderPage(wiki, { title, redirect: false })
      for (const [at, leads] of whichLead(wanted, html).entries()) {
        const { link, means } = wanted[at]
        cases.add(name, `${path}: ${link.target}`, leads)
        if (list && !leads)
          console.log(`  ${path}: ${link.target} (${link.syntax}) means ${means.map(one => one.path).join(' or ')}`)
      }
    }
    await wiki.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
