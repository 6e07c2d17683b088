/** Titles, paths and texts of the random wikis of the differential test, chosen so that pages meet each other often. */

/** Random numbers from 0 up to 1, as from Math.random, and choices with them. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = (seed * 2654435761) | 0
  }

  number(): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    const mixed = Math.imul(this.#state ^ (this.#state >>> 13), 0x297a2d39)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 up to, and without, a bound. */
  below(bound: number): number {
    return Math.floor(this.number() * bound)
  }

  is(probability: number): boolean {
    return this.number() < probability
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  /** Some of the items, in their order. */
  some<Item>(items: readonly Item[], probability: number): Item[] {
    return items.filter(() => this.is(probability))
  }
}

/** Titles that pages may have. */
export const titles = [
  'A',
  'B',
  'Tide times',
  'Home',
  'Main Page',
  'Docs/Rope',
  'Talk:A',
  'User:Ada',
  'Template:T',
  'Template:Redirect',
  'Category:C',
  'Category:D',
  'File:P.png',
  'Help:H',
  'Été',
  'Data.json',
] as const

/** Names of files without their extension; some differ in case, in spaces, or lie in folders. */
const names = [
  'A',
  'a',
  'B',
  'Tide_times',
  'Tide times',
  'Home',
  'Main_Page',
  'Docs/Rope',
  'docs/Rope',
  'Talk/A',
  'User/Ada',
  'Template/T',
  'Template/Redirect',
  'Category/C',
  'Category/D',
  'File/P.png',
  'Help/H',
  'Été',
  '_Sidebar',
  'wiki/A',
] as const

const extensions = ['wiki', 'wiki', 'wiki', 'md', 'md', 'mediawiki', 'txt'] as const

/** Files without a text. */
export const mediaPaths = ['File/P.png', 'File/Q.svg', 'img/P.png', 'Data.json', 'notes.py', 'docs/map.pdf'] as const

/** Words of texts, and of searches. */
export const words = [
  'crane',
  'harbour',
  'tide',
  'rope',
  'knots',
  'knot',
  'pâté',
  'BIP-0341',
  '東京',
  'anchor',
] as const

const codes = ['de', 'fr', 'w'] as const

/** The path of a page. */
export function pagePath(chance: Chance): string {
  return `${chance.pick(names)}.${chance.pick(extensions)}`
}

/** A text in the syntax of a path. */
export function pageText(chance: Chance, path: string): string {
  if (path.endsWith('.json')) return `{"tide": ${chance.below(100)}}\n`
  const isMarkdown = path.endsWith('.md')
  if (!isMarkdown && chance.is(0.12))
    return `#${chance.pick(['REDIRECT', 'redirect', 'WEITERLEITUNG'])} [[${titleOf(chance)}]]\n`
  const count = 1 + chance.below(5)
  const parts = Array.from({ length: count }, () => (isMarkdown ? markdown(chance) : wikitext(chance)))
  const text = `${isMarkdown && chance.is(0.3) ? frontMatter(chance) : ''}${parts.join(chance.is(0.5) ? '\n\n' : ' ')}\n`
  return chance.is(0.05) ? text.replaceAll('\n', '\r\n') : text
}

/** The start of a text in Git LFS: a pointer to a content. */
export function lfsPointer(hash: string, size: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${hash}\nsize ${size}\n`
}

function titleOf(chance: Chance): string {
  return chance.pick(titles)
}

function sentence(chance: Chance): string {
  return `The ${chance.pick(words)} and the ${chance.pick(words)} ${chance.below(1000)}.`
}

function wikitext(chance: Chance): string {
  const title = titleOf(chance)
  return chance.pick([
    () => sentence(chance),
    () => sentence(chance),
    () => `[[${title}]]`,
    () => `[[${title}|${chance.pick(words)}]]`,
    () => `[[:${title}]]`,
    () => `[[${chance.pick(['Category:C', 'Category:D', 'Kategorie:C', 'Sort:C', 'category:d'])}]]`,
    () => `{{${chance.pick(['T', 'Redirect', 'A', ':B', 'Template:T'])}|${chance.pick(words)}}}`,
    () => `[[File:${chance.pick(['P.png', 'Q.svg'])}|thumb|${chance.pick(words)}]]`,
    () => `== ${chance.pick(words)} ==`,
    () => `[[${chance.pick(codes)}:${title}]]`,
    () => `{{${chance.pick(['REVISIONTIMESTAMP', 'PAGEID', 'PAGESIZE', 'REVISIONID', 'REVISIONUSER'])}:${title}}}`,
    () => `{{#ifexist:${title}|yes|no}} {{NUMBEROFARTICLES}} {{NUMBEROFPAGES}} {{PAGESINCATEGORY:C}}`,
    () => `{{REVISIONID}} {{REVISIONTIMESTAMP}} {{PAGEID}} {{SITENAME}}`,
    () => `<!-- ${chance.pick(words)} --> '''${chance.pick(words)}'''`,
    () => `[[img/P.png]] [[Rope]] [[docs/Rope]]`,
  ])()
}

function markdown(chance: Chance): string {
  const title = titleOf(chance)
  return chance.pick([
    () => sentence(chance),
    () => sentence(chance),
    () => `[[${title}]]`,
    () => `[[${chance.pick(words)}|${title}]]`,
    () => `[${chance.pick(words)}](${encodeURI(pagePath(chance))})`,
    () => `[${chance.pick(words)}](../${encodeURI(title)}.md)`,
    () => `# ${chance.pick(words)}`,
    () => `[[Category:${chance.pick(['C', 'D'])}]]`,
    () => `![${chance.pick(words)}](${chance.pick(['File/P.png', '../img/P.png', 'Q.svg'])})`,
    () => `[[Other name]] [[Rope]] ![[B]]`,
    () => `{{T}}`,
  ])()
}

function frontMatter(chance: Chance): string {
  const fields = [
    `title: ${chance.pick(['Own name', 'B', 'Tide tables'])}`,
    `aliases: [${chance.pick(['Other name', 'A', 'Rope'])}]`,
    'tags: [C, D]',
    'image: File/P.png',
    `description: ${sentence(chance)}`,
  ]
  return `---\n${chance.some(fields, 0.5).join('\n')}\n---\n`
}

/** Settings of wiki.json: one key and value each. */
export const settings: readonly (readonly [key: string, values: readonly unknown[]])[] = [
  ['name', ['Harbour', 'Sea', undefined]],
  ['language', ['en', 'de', 'is', 'ja', undefined]],
  ['mainPage', ['Home', 'A', undefined]],
  ['license', [{ url: 'https://example.org/l', title: 'L' }, undefined]],
  ['contact', ['wiki@example.org', undefined]],
  ['root', ['docs', 'wiki', undefined, undefined]],
  [
    'namespaces',
    [
      { 14: { name: 'Sort', aliases: ['S'] } },
      { 100: { name: 'Harbour', aliases: ['H'] } },
      { 10: { name: 'Vorlage' }, 14: { name: 'Kategorie', aliases: [] } },
      undefined,
    ],
  ],
  ['capitalization', ['case-sensitive', 'first-letter', undefined]],
  ['searchedNamespaces', [[0, 1, 10, 14], [0], undefined]],
  ['stemming', [false, true, undefined]],
  ['interwiki', [{ w: 'https://w.example/$1' }, { docs: 'https://d.example/$1' }, undefined]],
  ['languages', [{ de: 'https://de.example/$1' }, { fr: 'https://fr.example/$1' }, undefined]],
  ['bots', [['ada@example.org'], ['Bob Example'], undefined]],
  ['layout', ['sharded', 'folders', undefined]],
  ['links', ['mediawiki', 'paths', 'gollum', 'notes', 'auto', undefined]],
  ['checks', [{ levels: { 'red-link': 'off' } }, undefined]],
]
