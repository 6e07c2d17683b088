/** The engine as the runner of parser tests wants it: `node run.mjs --engine ./test/conformance/wikitext-engine.mjs`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { parserTestTags } from './parser-test-tags.mjs'
import { configOf, filesOf, localPrefixes } from './wikitext-setting.mjs'

/** The engine, and what the tags of the tests are made with. */
const entry = `
  export * from './index.ts'
  export { element, textNode, commentNode, fragment } from './tree/node.ts'
  export { standardExtensions } from './extensions/standard.ts'
`

/** Bundles src/wikitext from the TypeScript sources and loads it. Node 20 reads no TypeScript itself. */
async function loadEngine() {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const folder = mkdtempSync(join(root, 'node_modules', '.gitwiki-wikitext-'))
  const outfile = join(folder, 'wikitext.mjs')
  try {
    await build({
      stdin: { contents: entry, resolveDir: join(root, 'src/wikitext'), loader: 'ts' },
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
export default async () => {
  const engine = await loadEngine()
  const { memoryWiki, wikitextToHtml } = engine
  let articles = []
  return {
    name: 'gitwiki',
    flavour: 'integrated',
    async setup(given) {
      const isLegal = ({ title }) => {
        try {
          return memoryWiki({ pages: { [title]: '' }, config: configOf({}) }) !== null
        } catch {
          return false
        }
      }
      articles = given.filter(isLegal)
    },
    async wt2html(text, { title, options, config }) {
      const pages = Object.fromEntries(articles.map(article => [article.title, article.text]))
      const wiki = memoryWiki({
        pages,
        files: filesOf(config, options.language),
        config: configOf(options, config),
      })
      const { html } = await wikitextToHtml(text, {
        title: titleOf(title),
        wiki,
        bodyOnly: true,
        now: new Date(123_000),
        page: revisionOf(options),
        server: 'http://example.org',
        settings: {
          sections: options.parsoid?.wrapSections === true,
          elementIds: false,
          extensions: extensionsOf(engine, options, config),
          thumbnailWidth: Number(options.thumbsize ?? 180),
          externalLinkTarget: options.externallinktarget ?? config?.wgExternalLinkTarget ?? null,
          localPrefixes,
          magicLinks: ['RFC', 'PMID', 'ISBN'].filter(name => config?.wgEnableMagicLinks?.[name] !== false),
          followedDomains: config?.wgNoFollowDomainExceptions ?? ['no-nofollow.org'],
        },
      })
      return html
    },
  }
}

/** The revision that is shown: an earlier one, unless the case asks for the latest. */
const revisionOf = options => ({
  id: 0,
  revision: 1337,
  timestamp: '1970-01-01T00:02:03Z',
  user: options.lastsavedrevision === undefined ? '' : '127.0.0.1',
})

/** The tags that the tests suppose: without marks of sections, which the reference did not have. */
function extensionsOf(engine, options, config = {}) {
  const cite = {
    responsive: config.wgCiteResponsiveReferences ?? true,
    responsiveThreshold: config.wgCiteResponsiveReferencesThreshold ?? 10,
    subReferences: config.wgCiteSubReferencing ?? true,
  }
  const own = engine.standardExtensions({ cite }).filter(({ tags }) => !tags.includes('section'))
  const rawHtml = options.wgrawhtml !== undefined || config.wgRawHtml !== undefined
  return [...own, ...parserTestTags(engine, { rawHtml, styleTag: options.styletag !== undefined })]
}

const titleOf = title => (typeof title === 'string' ? title.replace(/^\[\[|\]\]$/g, '') : 'Parser test')
