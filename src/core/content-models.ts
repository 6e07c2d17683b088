/** Content models: the names MediaWiki gives them, and the file extensions that mean them. */

export type ContentModel = 'wikitext' | 'markdown' | 'json' | 'css' | 'javascript' | 'text'

interface ContentModelRule {
  /** File extensions without the dot, lower case; the first one is written. */
  readonly extensions: readonly [string, ...string[]]
  /** True if the extension is a part of the title, as MediaWiki has it for `MediaWiki:Common.css`. */
  readonly extensionInTitle: boolean
}

/** The models, and how files of them are named. Wikitext comes first: it wins where two files share a title. */
export const contentModels: Readonly<Record<ContentModel, ContentModelRule>> = {
  wikitext: { extensions: ['wiki', 'wikitext', 'mediawiki', 'mw'], extensionInTitle: false },
  markdown: { extensions: ['md', 'markdown'], extensionInTitle: false },
  json: { extensions: ['json'], extensionInTitle: true },
  css: { extensions: ['css'], extensionInTitle: true },
  javascript: { extensions: ['js'], extensionInTitle: true },
  text: { extensions: ['txt', 'rst', 'adoc', 'asciidoc', 'textile', 'org'], extensionInTitle: true },
}

/** Extension (lower case, no dot) to content model. */
export const modelsByExtension: ReadonlyMap<string, ContentModel> = new Map(
  Object.entries(contentModels).flatMap(([model, rule]) =>
    rule.extensions.map(extension => [extension, model as ContentModel] as const),
  ),
)

/** True for the name of a content model, exactly as written here. */
export function isContentModel(name: string): name is ContentModel {
  return Object.hasOwn(contentModels, name)
}
