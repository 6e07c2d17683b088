/** Choices of the reader that this browser keeps: the appearance, and whether single keys do something. */

/** Name under which the appearance is kept; `theme.ts` reads it before the page is painted. */
const themeName = 'theme'
const keysName = 'keys'

/** Shows the choices in the menu, which are unused without script. */
export function offerChoices(): void {
  const theme = document.querySelector<HTMLSelectElement>('[data-choice="theme"]')
  const keys = document.querySelector<HTMLInputElement>('[data-choice="keys"]')
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

/** Returns true unless the reader switched single keys off. Source: WCAG 2.2, 2.1.4 Character Key Shortcuts. */
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
    // The choice holds for this page alone.
  }
}
