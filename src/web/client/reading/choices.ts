/** Settings of the reader, stored in this browser: the appearance, and whether single-key shortcuts are on. */

/** Storage key of the appearance. `theme.ts` reads it before the page is painted. */
const themeName = 'theme'
const keysName = 'keys'

/** Shows the settings in the menu, where they are hidden without script. */
export function offerChoices(): void {
  const theme = document.querySelector<HTMLSelectElement>('[data-ui-choice="theme"]')
  const keys = document.querySelector<HTMLInputElement>('[data-ui-choice="keys"]')
  if (theme === null || keys === null) return
  theme.value = read(themeName) ?? ''
  theme.addEventListener('change', () => {
    keep(themeName, theme.value)
    const root = document.documentElement
    if (theme.value === '') delete root.dataset.theme
    else root.dataset.theme = theme.value
  })
  keys.checked = hasKeys()
  keys.addEventListener('change', () => keep(keysName, keys.checked ? '' : 'off'))
  for (const choice of [theme, keys]) choice.closest('li')!.hidden = false
}

/**
 * Returns true unless the reader switched single-key shortcuts off. Source: WCAG 2.2, 2.1.4 Character Key Shortcuts.
 */
export function hasKeys(): boolean {
  return read(keysName) !== 'off'
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}

function keep(name: string, value: string): void {
  try {
    if (value === '') localStorage.removeItem(name)
    else localStorage.setItem(name, value)
  } catch {
    // Without storage, the choice applies to this page only.
  }
}
