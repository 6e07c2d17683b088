/** Dumps for the tests, as MediaWiki writes them, from a few values. */

export interface DumpedRevision {
  readonly id?: number
  readonly time?: string
  /** A user `name#id`, an address, or null if it is hidden. */
  readonly by?: string | null
  readonly comment?: string | null
  readonly minor?: boolean
  readonly model?: string | null
  readonly text?: string | null
}

export interface DumpedPage {
  readonly title: string
  readonly ns?: number
  readonly id?: number
  readonly revisions: readonly DumpedRevision[]
}

export interface DumpedSite {
  readonly name?: string
  readonly language?: string
  readonly letters?: 'first-letter' | 'case-sensitive'
  readonly base?: string
  readonly namespaces?: Readonly<Record<number, string>>
}

const standard = { '-1': 'Special', 0: '', 1: 'Talk', 2: 'User', 3: 'User talk', 6: 'File', 10: 'Template' }

/** Returns the XML of a dump. */
export function dumpOf(pages: readonly DumpedPage[], site: DumpedSite = {}): string {
  let next = 1
  const body = pages.map((page, at) => {
    const revisions = page.revisions.map(revision => revisionXml({ id: next++, ...revision }))
    const head = `<title>${escapeXml(page.title)}</title><ns>${page.ns ?? 0}</ns><id>${page.id ?? at + 1}</id>`
    return `  <page>\n    ${head}\n${revisions.join('\n')}\n  </page>`
  })
  const language = site.language ?? 'en'
  return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="${language}">\n${siteXml(site)}\n${body.join('\n')}\n</mediawiki>\n`
}

function siteXml({ name = 'Harbour', letters = 'first-letter', base = '', namespaces = {} }: DumpedSite): string {
  const rows = Object.entries({ ...standard, ...namespaces }).map(
    ([key, text]) => `<namespace key="${key}" case="${letters}">${escapeXml(text)}</namespace>`,
  )
  const head = `<sitename>${escapeXml(name)}</sitename><dbname>harbour</dbname><base>${escapeXml(base)}</base>`
  return `  <siteinfo>${head}<case>${letters}</case><namespaces>${rows.join('')}</namespaces></siteinfo>`
}

function revisionXml(revision: DumpedRevision): string {
  const {
    id,
    time = '2020-01-01T00:00:00Z',
    by = 'Ada#1',
    comment = '',
    minor,
    model = 'wikitext',
    text = '',
  } = revision
  return [
    `    <revision><id>${id}</id><timestamp>${time}</timestamp>`,
    contributorXml(by),
    minor ? '<minor />' : '',
    comment === null
      ? '<comment deleted="deleted" />'
      : comment === ''
        ? ''
        : `<comment>${escapeXml(comment)}</comment>`,
    model === null ? '' : `<model>${model}</model><format>text/x-wiki</format>`,
    text === null ? '<text bytes="9" deleted="deleted" />' : `<text xml:space="preserve">${escapeXml(text)}</text>`,
    '</revision>',
  ].join('')
}

function contributorXml(by: string | null): string {
  if (by === null) return '<contributor deleted="deleted" />'
  const [name, id] = by.split('#')
  if (id === undefined) return `<contributor><ip>${by}</ip></contributor>`
  return `<contributor><username>${escapeXml(name as string)}</username><id>${id}</id></contributor>`
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\r', '&#13;')
}

/** Bytes of a dump, as from a pipe. */
export async function* piped(...chunks: readonly (string | Uint8Array)[]): AsyncIterable<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk)
}
