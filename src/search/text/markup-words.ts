/** Words of wikitext markup that differ between wikis: names of namespaces, and options of pictures. */

export interface MarkupWords {
  /** Names of the namespaces of files, lower case, with spaces. */
  readonly files: ReadonlySet<string>
  /** Names of the namespace of categories. */
  readonly categories: ReadonlySet<string>
  /** Whole options of pictures, and those before a value, with their equals sign. */
  readonly options: ReadonlySet<string>
}

const files = ['file', 'image', 'media']

/** The words of every wiki. */
export const englishWords: MarkupWords = {
  files: new Set(files),
  categories: new Set(['category']),
  options: new Set(),
}

/** Adds the words of a wiki to the English ones. Names may have underscores. */
export function markupWords(own: { readonly [Kind in keyof MarkupWords]: Iterable<string> }): MarkupWords {
  const joined = (kind: keyof MarkupWords): ReadonlySet<string> =>
    new Set([...englishWords[kind], ...[...own[kind]].map(folded)])
  return { files: joined('files'), categories: joined('categories'), options: joined('options') }
}

function folded(name: string): string {
  return name.trim().replace(/[_ ]+/g, ' ').toLowerCase()
}

/** Length of the prefix before a title, with its colon, if it is one of these names; 0 if not. A colon may precede it. */
export function prefixLength(target: string, names: ReadonlySet<string>): number {
  const colon = target.indexOf(':', 1)
  return colon !== -1 && names.has(folded(target.slice(0, colon))) ? colon + 1 : 0
}

/** True for an option of a picture in the words of the wiki. */
export function isOption(text: string, { options }: MarkupWords): boolean {
  const option = folded(text)
  return options.has(option) || options.has(option.slice(0, option.indexOf('=') + 1))
}
