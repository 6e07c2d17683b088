/** The file and its properties, above the text of a file page. */

import { setTimeout } from 'node:timers/promises'
import { namespaceIds } from '../../core/namespaces.ts'
import { possibleTitle } from '../../core/title.ts'
import { incomingLinks } from '../../operations/page-links.ts'
import { readFile } from '../../operations/read-file.ts'
import { thumbnailRoute } from '../../operations/resources/routes.ts'
import { apiBase, pageAddress, specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import { versionsPart } from '../parts/file-versions.ts'
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
export async function filePart(request: WebRequest, key: string): Promise<Markup> {
  const { wiki, words } = request
  const { file } = await readFile(wiki, { title: key, base: apiBase() })
  const { original, preferred, latest } = file
  if (original === undefined) return notice(words.say('fileUnknown'))
  const size = original.size === null ? null : sizeText(original.size, words)
  const pixels = original.width === null ? null : words.say('pixels', original.width, original.height)
  const rows = [
    [words.say('fileType'), original.mediatype.toLowerCase()],
    [words.say('fileSize'), size],
    [words.say('dimensions'), pixels],
    [words.say('duration'), original.duration ? words.say('seconds', original.duration) : null],
    [words.say('uploaded'), html`${words.time(latest.timestamp)}, ${userLink(latest.user, words)}`],
  ] as const
  return html`<div class="file">
<div class="file-view">${viewOf(file.title, preferred, original)}</div>
<p class="ways"><a href="${original.url}">${words.say('originalFile')}</a>${otherSizes(words, key, original)}</p>
<table class="facts"><tbody>${rows.map(([name, value]) => (value === null ? null : html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`))}</tbody></table>
${await versionsPart(request, key, isPicture(original))}
${await usedOn(request, key)}
</div>`
}

/** Offered widths of an image in pixels, and the maximum number of listed pages. */
const widths = [320, 640, 1280, 2560]
const maxPages = 100

function otherSizes(words: WebRequest['words'], key: string, { width, mediatype }: Format): Markup | null {
  if (width === null || !isPicture({ mediatype })) return null
  const smaller = widths.filter(each => each < width)
  if (smaller.length === 0) return null
  const name = key.slice(key.indexOf(':') + 1)
  const links = smaller.map(
    each => html` <a href="${thumbnailRoute(apiBase(), name, each)}">${words.number(each)} px</a>`,
  )
  return html`<span>${words.say('otherSizes')}${links}</span>`
}

/** Milliseconds to wait for a link index that is being built. After that a link leads to the list. */
const patience = 2000

/** Lists the pages that use a file. */
async function usedOn({ wiki, words, onIncomplete }: WebRequest, key: string): Promise<Markup> {
  const list = specialAddress(`WhatLinksHere/${key}`, { kind: 'file' })
  const asked = incomingLinks(wiki, { title: key, kind: 'file', limit: maxPages })
  const found = await Promise.race([asked, setTimeout(patience, null, { ref: false })])
  if (found === null) {
    onIncomplete()
    return html`<p><a href="${list}">${words.say('usedOn')}</a></p>`
  }
  const { members, total } = found
  const rows = members.map(page => html`<li><a href="${pageAddress(page.key)}"><bdi>${page.title}</bdi></a></li>`)
  const all = total > maxPages ? html`<p><a href="${list}">${words.say('partOfList', maxPages, total)}</a></p>` : null
  return html`<h2>${words.say('usedOn')}</h2>${rows.length === 0 ? html`<p>${words.say('notUsed')}</p>` : html`<ul class="columns">${rows}</ul>`}${all}`
}

function isPicture({ mediatype }: Pick<Format, 'mediatype'>): boolean {
  return mediatype === 'BITMAP' || mediatype === 'DRAWING'
}

type Format = Awaited<ReturnType<typeof readFile>>['file']['preferred']

function viewOf(title: string, preferred: Format, original: Format): Markup | null {
  if (original.mediatype === 'AUDIO') return html`<audio controls preload="none" src="${original.url}"></audio>`
  if (original.mediatype === 'VIDEO') return html`<video controls preload="metadata" src="${original.url}"></video>`
  if (preferred.width === null || preferred.height === null) return null
  return html`<a href="${original.url}"><img src="${preferred.url}" width="${preferred.width}" height="${preferred.height}" alt="${title}"></a>`
}
