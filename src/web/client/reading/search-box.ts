/**
 * Titles below the search box while somebody types. Enter without a choice searches, as without script.
 * Source: ARIA Authoring Practices Guide, Combobox Pattern, list autocomplete with manual selection.
 */

/** Milliseconds without a key before titles are asked for, and how many are shown. */
const pause = 80
const limit = 8

interface FoundTitle {
  readonly key: string
  readonly title: string
  readonly matched_title: string | null
}

/** Has a search box suggest pages. */
export function suggestPages(input: HTMLInputElement): void {
  const list = document.createElement('ul')
  Object.assign(list, { id: 'titles', role: 'listbox', hidden: true, ariaLabel: input.ariaLabel })
  input.after(list)
  for (const [name, value] of Object.entries({
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-controls': list.id,
    'aria-expanded': 'false',
  }))
    input.setAttribute(name, value)
  let timer = 0
  let stop = new AbortController()

  const show = (found: readonly FoundTitle[]): void => {
    list.replaceChildren(...found.map(optionOf))
    list.hidden = found.length === 0
    input.ariaExpanded = String(!list.hidden)
    choose(input, list, -1)
  }
  const ask = async (): Promise<void> => {
    stop.abort()
    stop = new AbortController()
    const typed = input.value.trim()
    // A request that was given up, or a server that is away, leaves what is shown.
    const found = typed === '' ? [] : await titles(typed, stop.signal).catch(() => null)
    if (found !== null) show(found)
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = window.setTimeout(() => void ask(), pause)
  })
  input.addEventListener('keydown', event => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const { length } = list.children
    if (step !== undefined && !list.hidden) {
      event.preventDefault()
      choose(input, list, ((chosen(list) + step + 1 + length + 1) % (length + 1)) - 1)
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      show([])
    } else if (event.key === 'Enter' && chosen(list) >= 0) {
      event.preventDefault()
      list.children[chosen(list)]?.querySelector('a')?.click()
    }
  })
  input.addEventListener('blur', () => show([]))
  // A link in the list is to be followed before the box loses the focus.
  list.addEventListener('pointerdown', event => event.preventDefault())
}

async function titles(typed: string, signal: AbortSignal): Promise<readonly FoundTitle[]> {
  const answer = await fetch(`/v1/search/title?${new URLSearchParams({ q: typed, limit: String(limit) })}`, { signal })
  const { pages }: { pages: readonly FoundTitle[] } = await answer.json()
  return answer.ok ? pages : []
}

function optionOf({ key, title, matched_title }: FoundTitle, index: number): HTMLElement {
  const option = document.createElement('li')
  Object.assign(option, { id: `title-${index}`, role: 'option' })
  const link = document.createElement('a')
  link.href = `/wiki/${encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%3A', ':')}`
  link.tabIndex = -1
  link.textContent = title
  option.append(link)
  if (matched_title !== null && matched_title !== title) option.append(` (${matched_title})`)
  return option
}

function chosen(list: HTMLElement): number {
  return [...list.children].findIndex(option => option.ariaSelected === 'true')
}

function choose(input: HTMLInputElement, list: HTMLElement, index: number): void {
  for (const [at, option] of [...list.children].entries()) option.ariaSelected = String(at === index)
  const option = list.children[index]
  if (option === undefined) input.removeAttribute('aria-activedescendant')
  else input.setAttribute('aria-activedescendant', option.id)
}
