/** Content models: MediaWiki's names for them, and their file extensions. */

export type ContentModel = 'wikitext' | 'markdown' | 'json' | 'css' | 'javascript' | 'text'

interface ContentModelRule {
  /** Lower-case file extensions without the dot. New files get the first one. */
  readonly extensions: readonly [string, ...string[]]
  /** True if the extension is part of the title, as in `MediaWiki:Common.css`. */
  readonly extensionInTitle: boolean
}

/** The models and the names of their files. Wikitext comes first, so it wins if two files have the same title. */
export const contentModels: Readonly<Record<ContentModel, ContentModelRule>> = {
  wikitext: { extensions: ['wiki', 'wikitext', 'mediawiki', 'mw'], extensionInTitle: false },
  markdown: { extensions: ['md', 'markdown', 'mdx', 'mkd', 'mkdn', 'mdown'], extensionInTitle: false },
  json: { extensions: ['json'], extensionInTitle: true },
  css: { extensions: ['css'], extensionInTitle: true },
  javascript: { extensions: ['js'], extensionInTitle: true },
  text: {
    extensions: ['txt', 'rst', 'adoc', 'asciidoc', 'textile', 'org', 'creole', 'rdoc', 'pod'],
    extensionInTitle: true,
  },
}

/** Extension (lower case, no dot) to content model. */
export const modelsByExtension: ReadonlyMap<string, ContentModel> = new Map(
  Object.entries(contentModels).flatMap(([model, rule]) =>
    rule.extensions.map(extension => [extension, model as ContentModel] as const),
  ),
)

/** Returns the content model of a file by its extension in any case; undefined if it is not text of a page. */
export function modelOfPath(path: string): ContentModel | undefined {
  return modelsByExtension.get(path.slice(path.lastIndexOf('.') + 1).toLowerCase())
}

/** True for the name of a content model, exactly as written here. */
export function isContentModel(name: string): name is ContentModel {
  return Object.hasOwn(contentModels, name)
}
