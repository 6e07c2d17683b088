// @module-tag long
/** Page and check agree about each link: the check reports exactly the links that are red on the page. */

import { beforeEach, describe, expect, test } from 'vitest'
import type { LinkSetting } from '../../src/core/wiki-config.ts'
import { checkChange } from '../../src/operations/check-change.ts'
import { readOtherFile } from '../../src/operations/read-other-file.ts'
import { renderPage } from '../../src/operations/render-page.ts'
import { needsGit } from '../_setup.ts'
import { commitFiles, newWiki } from './_wiki.ts'

beforeEach(context => needsGit(context))

const files = [
  ...['Seen.md', 'docs/Deep page.md', 'docs/README.md', 'Old.wiki', 'Guide.rst', 'docs/a.png'],
  ...['LICENSE', 'src/run.py', 'docs/conf.toml', '.env', '.gitignore', 'docs/.secret/x.md', '.vscode/settings.json'],
  ...['.github/CONTRIBUTING.md', '.github/workflows/ci.yml', '.github/.env', 'docs/.github/x.yml', '.gitlab/a.txt'],
]

const folders = ['src', 'docs/', '.github', '.github/workflows', '.vscode', 'docs/.secret', '.', '..', './']
const missing = ['Nowhere', 'nowhere.md', '.github/none.md', 'src/none.py', 'LICENSE.md', '?x=1', 'docs/CONTRIBUTING']
const targets = [...files, ...folders, ...missing, 'wiki.json', 'CONTRIBUTING', 'ci.yml']
const relations = ['', '/', '../']
const settings: readonly LinkSetting[] = ['auto', 'paths', 'notes', 'gollum', 'mediawiki']

const forms = {
  md: [
    (target: string) => `[t](${target.replaceAll(' ', '%20')})`,
    (target: string) => `<a href="${target}">t</a>`,
    (target: string) => `[[${target}]]`,
  ],
  wiki: [(target: string) => `[[${target}]]`, (target: string) => `[[${target}|t]]`],
}

describe.each(settings)('links: %s', setting => {
  test.each(['md', 'wiki'] as const)('in .%s', { tags: 'long' }, async extension => {
    const links = relations.flatMap(relation =>
      targets.flatMap(target => forms[extension].map(form => form(relation + target))),
    )
    const { wiki } = await newWiki({}, { links: setting })
    const text = links.map((link, at) => `Mark${at}:\n\n${link}\n\n`).join('')
    const contents = files.map(path => [path, `A file of ${path}.\n`] as const)
    await commitFiles(wiki, { ...Object.fromEntries(contents), [`docs/LinkingPage.${extension}`]: text })
    await wiki.store.refresh({ force: true })
    const { html } = await renderPage(wiki, { title: 'Docs/LinkingPage', bodyOnly: true })
    const parts = html.split(/Mark\d+:/).slice(1)
    // A target that cannot be a title has no address in Markdown, and is not a link in wikitext.
    const isRed = (part = '') =>
      /redlink=1|class="mw-file-description"(?!.*resource=)/s.test(part) ||
      (extension === 'md' && !part.includes('href="'))
    const red = links.filter((_, at) => isRed(parts[at]))
    const { problems } = await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })
    const lines = problems.flatMap(({ kind, path, place }) =>
      /^(?:broken-link|red-link|missing-file)$/.test(kind) && path.startsWith('docs/LinkingPage')
        ? [place?.line ?? 0]
        : [],
    )
    const reported = new Set(lines.map(line => text.split('\n')[line - 1]))
    expect(links.filter(link => reported.has(link) !== red.includes(link))).toEqual([])
    // A link to a file that is not shown would be an error.
    for (const [, path = ''] of html.matchAll(/Special:RepositoryFile\/([^"#]*)/g))
      await readOtherFile(wiki, decodeURIComponent(path))
  })
})
