/** Script of every page: title suggestions, link previews, single-key shortcuts and the reader's settings. */

import { offerChoices } from './reading/choices.ts'
import { followContents } from './reading/contents.ts'
import { forgetDone } from './reading/done.ts'
import { listenForKeys } from './reading/keys.ts'
import { closeMenus, nameReader } from './reading/menus.ts'
import { keepOwnPlace } from './reading/own-place.ts'
import { previewLinks } from './reading/previews.ts'
import { suggestPages } from './reading/search-box.ts'
import { showLocalTimes } from './reading/times.ts'

const parts: readonly (() => void)[] = [
  () => void keepOwnPlace(),
  suggestPages,
  offerChoices,
  closeMenus,
  nameReader,
  forgetDone,
  listenForKeys,
  showLocalTimes,
  followContents,
  previewLinks,
]

for (const start of parts)
  try {
    start()
  } catch (error) {
    // A fault of one part stops none of the others.
    reportError(error)
  }
