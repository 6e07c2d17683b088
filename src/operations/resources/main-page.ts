/** The main page of a wiki. */

import type { Store } from '../../store/store.ts'

/** Usual start pages of other wikis and repositories, for wikis whose setting names no existing page. */
const usualNames = ['Home', 'README', 'Index']

/** Returns the title of the main page: that of the setting, or the usual one for this kind of wiki. */
export function mainPageTitle(store: Store): string {
  const { mainPage } = store.config
  const names = [mainPage, ...usualNames]
  return names.find(name => store.findPage(name.replaceAll(' ', '_')) !== undefined) ?? mainPage
}
