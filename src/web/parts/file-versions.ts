/** The versions of a media file, as its page lists them. */

import { fileVersions } from '../../operations/file-versions.ts'
import { thumbnailRoute } from '../../operations/resources/routes.ts'
import { apiBase, specialAddress } from '../addresses.ts'
import { html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'
import { canWrite } from '../rights.ts'
import { summaryOf, userLink } from './people.ts'
import { sizeText } from './sizes.ts'

/** Versions that are listed, and pixels of their pictures. */
const maxVersions = 50
const pictureWidth = 120

type Version = Awaited<ReturnType<typeof fileVersions>>[number]

/** Writes the versions of the file with this key; null if none is known. `isPicture` says whether browsers can show it. */
export async function versionsPart(request: WebRequest, key: string, isPicture: boolean): Promise<Markup | null> {
  const { wiki, words } = request
  const versions = await fileVersions(wiki, { title: key, limit: maxVersions })
  if (versions.length === 0) return null
  const rows = versions.map(version => versionRow(request, version, key, isPicture))
  return html`<h2>${words.say('fileVersions')}</h2>
<div class="scroll" tabindex="0" role="region" aria-label="${words.say('fileVersions')}"><table class="tokens"><thead><tr>${isPicture ? html`<th scope="col">${words.say('fileVersion')}</th>` : null}<th scope="col">${words.say('uploaded')}</th><th scope="col">${words.say('fileSize')}</th><th scope="col">${words.say('reason')}</th><th scope="col"><span class="hidden">${words.say('revertFile')}</span></th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function versionRow(
  request: WebRequest,
  { commit, timestamp, user, comment, size, isLatest }: Version,
  key: string,
  isPicture: boolean,
): Markup {
  const { words } = request
  const address = specialAddress(`FileVersion/${key}`, { version: commit })
  const small = isLatest
    ? thumbnailRoute(apiBase(), key.slice(key.indexOf(':') + 1), pictureWidth)
    : specialAddress(`FileVersion/${key}`, { version: commit, width: pictureWidth })
  const picture = size === null ? null : html`<img src="${small}" alt="" loading="lazy" width="${pictureWidth}">`
  const when = size === null ? words.time(timestamp) : html`<a href="${address}">${words.time(timestamp)}</a>`
  const revert =
    isLatest || size === null || !canWrite(request, key)
      ? null
      : html`<a href="${specialAddress(`RevertFile/${key}`, { version: commit })}">${words.say('revertFile')}</a>`
  return html`<tr>${isPicture ? html`<td>${picture}</td>` : null}<td>${when} ${userLink(user, words)}</td><td>${size === null ? '–' : sizeText(size, words)}</td><td>${summaryOf(comment, key, words)}</td><td>${isLatest ? html`<span class="tag">${words.say('latest')}</span>` : revert}</td></tr>`
}
