/**
 * The engine, with the interface of the runner of parser tests.
 *
 *     node run.mjs --engine ./test/conformance/wikitext-engine.mjs
 */
import { bundleWikitext } from './bundle-wikitext.mjs'
import { parserTestFunctions } from './parser-test-functions.mjs'
import { parserTestTags } from './parser-test-tags.mjs'
import { configOf, filesOf, localPrefixes } from './wikitext-setting.mjs'

export default async () => {
  const engine = await bundleWikitext()
  const { htmlToWikitext, memoryWiki, wikitextToHtml } = engine
  const wikiOf = (options = {}, config) => memoryWiki({ config: configOf(options, config) })
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
    async html2wt(html, { title, options, config }) {
      return htmlToWikitext(html, {
        title: titleOf(title),
        wiki: wikiOf(options, config),
        settings: siteSettings(config),
      })
    },
    async selser(source, originalHtml, html, { title, options, config }) {
      const original = { source, html: originalHtml }
      return htmlToWikitext(html, {
        title: titleOf(title),
        wiki: wikiOf(options, config),
        settings: siteSettings(config),
        original,
      })
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
        flavor: 'edit',
        now: new Date(123_000),
        page: revisionOf(options),
        server: 'http://example.org',
        settings: {
          sections: options.parsoid?.wrapSections === true,
          elementIds: false,
          messages: false,
          functions: parserTestFunctions,
          timeZone: options.wgLocaltimezone ?? options.wglocaltimezone ?? 'UTC',
          describesFunctions: config?.wgParsoidExperimentalParserFunctionOutput === true,
          extensions: extensionsOf(engine, options, config),
          annotations: ['dummyanno', 'ann2'],
          thumbnailWidth: Number(options.thumbsize ?? 180),
          externalLinkTarget: options.externallinktarget ?? config?.wgExternalLinkTarget ?? null,
          showsExternalImages: Number(options.wgallowexternalimages ?? 1) !== 0,
          ...siteSettings(config),
          followedDomains: config?.wgNoFollowDomainExceptions ?? ['no-nofollow.org'],
        },
      })
      return html
    },
  }
}

const siteSettings = config => ({
  localPrefixes,
  magicLinks: ['RFC', 'PMID', 'ISBN'].filter(name => config?.wgEnableMagicLinks?.[name] !== false),
})

/** The displayed revision: an earlier one, unless the case requires the latest. */
const revisionOf = options => ({
  id: 0,
  revision: 1337,
  timestamp: '1970-01-01T00:02:03Z',
  user: options.lastsavedrevision === undefined ? '' : '127.0.0.1',
})

/** The tags that the tests expect, without the marks of sections, which the reference did not have. */
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
