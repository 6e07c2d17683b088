/** A version of a media file: its bytes, or a picture of it, and the form that goes back to it. */

import { disposition, harmless, typeOf } from '../../http/media-headers.ts'
import { openFileVersion, revertFile, versionThumbnail } from '../../operations/file-versions.ts'
import { findFile } from '../../operations/resources/find-file.ts'
import { boundedInteger } from '../../operations/resources/params.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import { html } from '../markup.ts'
import { withDone } from '../parts/done-notice.ts'
import type { WebReply, WebRequest } from '../request.ts'
import { handlersOf, sentBy } from './page-actions.ts'

const widths = { min: 1, max: 5000 }

/** Sends a version; a picture of it where the address names a width. Errors: as `openFileVersion`. */
export async function fileVersion({ wiki, title, query }: WebRequest): Promise<WebReply> {
  const asked = { title, commit: query('version') ?? '' }
  const width = query('width')
  const picture =
    width === undefined ? null : await versionThumbnail(wiki, asked, boundedInteger('width', width, widths))
  if (picture !== null) {
    const headers = { ...harmless, 'content-type': picture.mime }
    return { response: { status: 200, headers, body: Uint8Array.from(picture.bytes) } }
  }
  const opened = await openFileVersion(wiki, asked)
  const headers = { ...harmless, ...disposition(opened), 'content-type': typeOf(opened) }
  const body = { length: opened.file.size, open: opened.content }
  return { response: { status: 200, headers, body }, tag: opened.metadata.sha1 }
}

/** Goes back to a version: its bytes become the latest ones. */
export const revertAction = handlersOf({
  heading: 'revertTitle',
  needs: 'upload',
  form: ({ wiki, title, query, words }) => {
    const file = findFile(wiki.store, title)
    const version = query('version') ?? ''
    const picture = specialAddress(`FileVersion/${file.key}`, { version, width: 320 })
    return {
      title: file.title,
      action: specialAddress(`RevertFile/${file.key}`, { version }),
      back: pageAddress(file.key),
      button: 'revertFile',
      fields: html`<p><img src="${picture}" alt="${words.text('fileVersion')}"></p><p>${words.say('revertHint')}</p>`,
    }
  },
  about: async ({ wiki, title, query }) => {
    // A form for what there is not would fail when it is sent.
    await openFileVersion(wiki, { title, commit: query('version') ?? '' })
    return null
  },
  act: async ({ wiki, title, query }, form, sender) => {
    const { key } = findFile(wiki.store, title)
    await revertFile(wiki, { title, commit: query('version') ?? '', ...sentBy(sender, form) })
    return { address: withDone(pageAddress(key), 'reverted') }
  },
})
