/** Closes menus on Escape and on a click outside, and names the reader in one. */

import { pageAt } from './trusted.ts'

/** Adds the listeners that close the menus of the page. */
export function closeMenus(): void {
  const open = (): HTMLDetailsElement[] => [
    ...document.querySelectorAll<HTMLDetailsElement>('details[data-ui-menu][open]'),
  ]
  document.addEventListener('click', ({ target }) => {
    for (const menu of open()) if (!(target instanceof Node && menu.contains(target))) menu.open = false
  })
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    for (const menu of open()) {
      menu.open = false
      menu.querySelector('summary')?.focus()
    }
  })
}

/**
 * Replaces "Sign in" by the reader's name when the menu is first opened. The page itself is the same for everybody, and reading needs no
 * session, so the server is not asked before.
 */
export function nameReader(): void {
  const link = document.querySelector<HTMLAnchorElement>('[data-ui-session]')
  const menu = link?.closest('details')
  menu?.addEventListener('toggle', () => void showName(link!), { once: true })
}

/** The page for signing in is about the caller. The API answers 401 for nobody, which browsers report as an error. */
async function showName(link: HTMLAnchorElement): Promise<void> {
  const named = (await pageAt(link.href))?.querySelector('[data-ui-session]')
  if (named) link.textContent = named.textContent
}
