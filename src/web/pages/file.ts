/** The part of a page of the namespace File above its text: the file, and what is known of it. */

import { namespaceIds } from '../../core/namespaces.ts'
import { possibleTitle } from '../../core/title.ts'
import { readFile } from '../../operations/read-file.ts'
import { html, type Markup } from '../markup.ts'
import { notice } from '../parts/notice.ts'
import { userLink } from '../parts/people.ts'
import { sizeText } from '../parts/sizes.ts'
import type { WebRequest } from '../request.ts'

/** Returns true if a key names a media file of the wiki, whether or not it has a description. */
export function isFile({ wiki }: WebRequest, key: string): boolean {
  const title = possibleTitle(key, wiki.store.titles)
  return title?.namespace === namespaceIds.file && wiki.store.findFile(title.key) !== undefined
}

/** Writes the file of a page. */
export async function filePart({ wiki, words }: WebRequest, key: string): Promise<Markup> {
  const { file } = await readFile(wiki, { title: key, base: '/v1' })
  const { original, preferred, latest } = file
  if (original === undefined) return notice(words.say('fileUnknown'))
  const size = original.size === null ? null : sizeText(original.size, words)
  const pixels = original.width === null ? null : words.say('pixels', original.width, original.height)
  const facts = [
    [words.say('fileType'), original.mediatype.toLowerCase()],
    [words.say('fileSize'), size],
    [words.say('dimensions'), pixels],
    [words.say('duration'), original.duration ? words.say('seconds', original.duration) : null],
    [words.say('uploaded'), html`${words.time(latest.timestamp)}, ${userLink(latest.user, words)}`],
  ] as const
  return html`<div class="file">
<div class="file-view">${viewOf(file.title, preferred, original)}</div>
<p><a href="${original.url}">${words.say('originalFile')}</a></p>
<table class="facts"><tbody>${facts.map(([name, value]) => (value === null ? null : html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`))}</tbody></table>
</div>`
}

type Format = Awaited<ReturnType<typeof readFile>>['file']['preferred']

function viewOf(title: string, preferred: Format, original: Format): Markup | null {
  if (original.mediatype === 'AUDIO') return html`<audio controls preload="none" src="${original.url}"></audio>`
  if (original.mediatype === 'VIDEO') return html`<video controls preload="metadata" src="${original.url}"></video>`
  if (preferred.width === null || preferred.height === null) return null
  return html`<a href="${original.url}"><img src="${preferred.url}" width="${preferred.width}" height="${preferred.height}" alt="${title}"></a>`
}
