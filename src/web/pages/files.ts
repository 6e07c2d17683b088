/** The wiki's media files. */

import type { FileListItem } from '../../core/file.ts'
import { listFiles } from '../../operations/list-files.ts'
import { boundedInteger } from '../../operations/resources/params.ts'
import { fileRoute, thumbnailRoute } from '../../operations/resources/routes.ts'
import { apiBase, pageAddress, specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { sizeText } from '../parts/sizes.ts'
import type { WebReply, WebRequest } from '../request.ts'

const pageLength = 60
const offsets = { min: 0, max: 1_000_000 }

/** Lists files with thumbnails. */
export async function filesPage(request: WebRequest): Promise<WebReply> {
  const { wiki, words, query } = request
  const offset = boundedInteger('offset', query('offset') ?? '0', offsets)
  const { files, total } = await listFiles(wiki, { limit: pageLength, offset })
  const prefix = wiki.store.titles.namespaces.get(6)?.name ?? 'File'
  const next =
    offset + pageLength < total
      ? html`<a rel="next" href="${specialAddress('ListFiles', { offset: offset + pageLength })}">${words.say('nextTitles')}</a>`
      : null
  const before =
    offset > 0
      ? html`<a rel="prev" href="${specialAddress('ListFiles', { offset: Math.max(0, offset - pageLength) || undefined })}">${words.say('previousTitles')}</a>`
      : null
  const list = html`<ul class="files">${files.map(file => fileCard(file, prefix, request))}</ul>`
  const body = html`<p class="meta">${words.say('fileCount', total)}</p>${total === 0 ? html`<p>${words.say('noFiles')}</p>` : list}<nav class="pager" aria-label="${words.say('pages')}">${before}${next}</nav>`
  return { view: { title: words.text('files'), unlisted: true, body } }
}

const pictures: ReadonlySet<string> = new Set(['BITMAP', 'DRAWING'])

function fileCard({ title, mediatype, size, latest }: FileListItem, prefix: string, { words }: WebRequest): Markup {
  const name = title.replaceAll(' ', '_')
  const picture = pictures.has(mediatype)
    ? html`<img src="${thumbnailRoute(apiBase(), name, 240)}" alt="" loading="lazy">`
    : html`<span class="no-picture">${fileRoute(apiBase(), name).split('.').at(-1)?.toUpperCase()}</span>`
  return html`<li><a href="${pageAddress(`${prefix}:${name}`)}"><span class="frame">${picture}</span><bdi>${title}</bdi></a><span class="meta">${sizeText(size, words)} · ${words.time(latest.timestamp)}</span></li>`
}
