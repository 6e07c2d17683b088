/** Data of the edit form for the scripts of the page, which know nothing else about the wiki. */

import { namespaceIds } from '../../core/namespaces.ts'
import { cookieName } from '../../http/access.ts'
import { unitOf } from '../../operations/conflict-pieces.ts'
import { pageAddress, specialAddress } from '../addresses.ts'
import type { WebRequest } from '../request.ts'
import type { WordKey } from '../words/words.ts'
import type { EditState } from './edit-state.ts'

/** Messages that the scripts use. */
const spoken = [
  'draftFound',
  'draftElsewhere',
  'draftOfSection',
  'draftChoices',
  'keepDraftButton',
  'chosenCount',
  'conflictKeys',
  'compareDraft',
  'notTaken',
  'movedAhead',
  'deletedAhead',
  'continueDraft',
  'discardDraft',
  'draftKept',
  'draftNotKept',
  'takenIn',
  'mergedIn',
  'mergeAhead',
  'conflictAhead',
  'seeChanges',
  'noServer',
  'cancel',
  'fileName',
  'fixProblem',
  'insert',
  'pasteAsMarkup',
  'pictureWords',
  'tableColumns',
  'tableRows',
  'tool-bold',
  'tool-heading',
  'tool-italic',
  'tool-link',
  'tool-note',
  'tool-picture',
  'tool-table',
  'tool-template',
  'tools',
  'upload',
  'uploadTitle',
  'plainBox',
  'plainOnly',
  'richBox',
  'preview',
  'closePreview',
] as const satisfies readonly WordKey[]

function nameOf({ store }: WebRequest['wiki'], namespace: number): string {
  return store.titles.namespaces.get(namespace)?.name.replaceAll('_', ' ') ?? ''
}

/** Returns the attribute `data-ui-edit` of a form. Its content has the type `EditFormData` of the scripts. */
export function editFormData({ wiki, words }: WebRequest, state: EditState, isFresh: boolean): string {
  const { key, title, section, model } = state
  return JSON.stringify({
    draft: `${cookieName(wiki)} ${section ?? ''} ${key}`,
    isFresh,
    key,
    title,
    pageId: wiki.store.findPage(key)?.id ?? 0,
    page: pageAddress(key),
    edit: pageAddress(key, { action: 'edit', section }),
    model,
    upload: specialAddress('Upload'),
    namespaces: { file: nameOf(wiki, namespaceIds.file), template: nameOf(wiki, namespaceIds.template) },
    merges: unitOf(wiki.store.config.merge, model),
    words: Object.fromEntries(spoken.map(word => [word, words.template(word)])),
  })
}
