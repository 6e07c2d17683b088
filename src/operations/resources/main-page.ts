/** The page that a wiki begins with. */

import type { Store } from '../../store/store.ts'

/** Pages that other kinds of wikis and repositories begin with, where the setting names none that exists. */
const usualNames = ['Home', 'README', 'Index']

/** Returns the title of the main page: that of the setting, or else the one that wikis of this kind have. */
export function mainPageTitle(store: Store): string {
  const { mainPage } = store.config
  const names = [mainPage, ...usualNames]
  return names.find(name => store.findPage(name.replaceAll(' ', '_')) !== undefined) ?? mainPage
}
