/** Writes a MediaWiki XML export, version 0.11, as pieces of text. Source: mediawiki.org/xml/export-0.11.xsd. */

import { createHash } from 'node:crypto'
import { unsayable } from '../core/line-ends.ts'
import type { DumpContributor, DumpPage, DumpRevision, DumpSite } from './dump.ts'

const version = '0.11'
const namespace = `http://www.mediawiki.org/xml/export-${version}/`

/** The beginning of a dump, with its site. */
export function dumpHead(site: DumpSite): string {
  const letters = (isCaseSensitive: boolean) => (isCaseSensitive ? 'case-sensitive' : 'first-letter')
  const namespaces = site.namespaces.map(({ id, name, isCaseSensitive }) => {
    const open = `      <namespace key="${id}" case="${letters(isCaseSensitive)}"`
    return name === '' ? `${open} />` : `${open}>${escapeXml(name)}</namespace>`
  })
  return [
    `<mediawiki xmlns="${namespace}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${namespace} http://www.mediawiki.org/xml/export-${version}.xsd" version="${version}" xml:lang="${escapeXml(site.language)}">`,
    '  <siteinfo>',
    `    <sitename>${escapeXml(site.name)}</sitename>`,
    `    <dbname>${escapeXml(site.database)}</dbname>`,
    `    <base>${escapeXml(site.base)}</base>`,
    '    <generator>gitwiki</generator>',
    `    <case>${letters(site.isCaseSensitive)}</case>`,
    '    <namespaces>',
    ...namespaces,
    '    </namespaces>',
    '  </siteinfo>',
    '',
  ].join('\n')
}

/** The end of a dump. */
export const dumpEnd = '</mediawiki>\n'

/** The beginning of a page. */
export function pageHead({ title, namespace, id, redirect }: DumpPage): string {
  return [
    '  <page>',
    `    <title>${escapeXml(title)}</title>`,
    ...(namespace === null ? [] : [`    <ns>${namespace}</ns>`]),
    ...(id === null ? [] : [`    <id>${id}</id>`]),
    ...(redirect === null ? [] : [`    <redirect title="${escapeXml(redirect)}" />`]),
    '',
  ].join('\n')
}

/** The end of a page. */
export const pageEnd = '  </page>\n'

/** A revision of the page begun last. */
export function revisionXml(revision: DumpRevision): string {
  const { id, parent, time, minor, comment, model, format, text } = revision
  return [
    '    <revision>',
    ...(id === null ? [] : [`      <id>${id}</id>`]),
    ...(parent === null ? [] : [`      <parentid>${parent}</parentid>`]),
    `      <timestamp>${new Date(time * 1000).toISOString().slice(0, -5)}Z</timestamp>`,
    ...contributorXml(revision.contributor),
    ...(minor ? ['      <minor />'] : []),
    ...commentXml(comment),
    ...(id === null ? [] : [`      <origin>${id}</origin>`]),
    ...(model === null ? [] : [`      <model>${escapeXml(model)}</model>`]),
    ...(format === null ? [] : [`      <format>${escapeXml(format)}</format>`]),
    ...textXml(text),
    '    </revision>',
    '',
  ].join('\n')
}

function contributorXml(contributor: DumpContributor): string[] {
  if (contributor.kind === 'hidden') return ['      <contributor deleted="deleted" />']
  const inside =
    contributor.kind === 'address'
      ? [`        <ip>${escapeXml(contributor.address)}</ip>`]
      : [
          `        <username>${escapeXml(contributor.name)}</username>`,
          ...(contributor.id === null ? [] : [`        <id>${contributor.id}</id>`]),
        ]
  return ['      <contributor>', ...inside, '      </contributor>']
}

function commentXml(comment: string | null): string[] {
  if (comment === null) return ['      <comment deleted="deleted" />']
  return comment === '' ? [] : [`      <comment>${escapeXml(comment)}</comment>`]
}

function textXml(text: string | null): string[] {
  if (text === null) return ['      <text bytes="0" deleted="deleted" />']
  // A file in git may have characters that XML has not. The sum is that of the text in the dump, which importers compare.
  const bytes = Buffer.from(text.replace(unsayable, '\ufffd'))
  const sum = createHash('sha1').update(bytes).digest('hex')
  const sha1 = BigInt(`0x${sum}`).toString(36).padStart(31, '0')
  const open = `      <text bytes="${bytes.length}" sha1="${sha1}" xml:space="preserve"`
  return [text === '' ? `${open} />` : `${open}>${escapeXml(text)}</text>`, `      <sha1>${sha1}</sha1>`]
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}
function escapeXml(text: string): string {
  return text.replace(/[&<>"\r]/g, character => entities[character] as string).replace(unsayable, '\ufffd')
}
