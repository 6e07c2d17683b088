/**
 * Suggests titles below the search box during typing. Enter without a selection runs a search, as without script.
 * Source: ARIA Authoring Practices Guide, Combobox Pattern, list autocomplete with manual selection.
 */

import type { Schemas } from '../../../client/client.ts'
import { api, urlPrefix } from '../server/api.ts'

/** Milliseconds without a keystroke before titles are requested, and the maximum number of titles. */
const pause = 80
const limit = 8

type FoundTitle = Schemas['SearchResults']['pages'][number]

/** Adds title suggestions to the search box. */
export function suggestPages(): void {
  const input = document.querySelector<HTMLInputElement>('[data-ui-search]')
  if (input === null) return
  const list = document.createElement('ul')
  Object.assign(list, { id: 'ui--titles', role: 'listbox', hidden: true, ariaLabel: input.ariaLabel })
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

  const show = (found: readonly FoundTitle[], typed = ''): void => {
    list.replaceChildren(...found.map(optionOf))
    if (typed !== '') list.append(searchOption(input, typed, found.length))
    list.hidden = list.children.length === 0
    input.ariaExpanded = String(!list.hidden)
    choose(input, list, -1)
  }
  const ask = async (): Promise<void> => {
    stop.abort()
    stop = new AbortController()
    const typed = input.value.trim()
    // If the request is aborted or the server is down, the list stays unchanged.
    const found = typed === '' ? [] : await titles(typed, stop.signal).catch(() => null)
    if (found !== null) show(found, typed)
  }
  input.addEventListener('input', () => {
    // Until the response arrives the titles may match fewer letters, but the search option always uses the current
    // text.
    const all = list.querySelector('.all')
    all?.replaceWith(searchOption(input, input.value.trim(), list.children.length - 1))
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
  input.addEventListener('blur', () => {
    clearTimeout(timer)
    stop.abort()
    show([])
  })
  // Keeps the focus in the box until the click on a link is handled.
  list.addEventListener('pointerdown', event => event.preventDefault())
}

async function titles(typed: string, signal: AbortSignal): Promise<readonly FoundTitle[]> {
  const { body } = await api.get('/search/title', { query: { q: typed, limit, match: 'words' }, signal })
  return body.pages
}

function optionOf({ key, title, matched_title, thumbnail }: FoundTitle, index: number): HTMLElement {
  const address = `${urlPrefix}/wiki/${encodeURIComponent(key).replaceAll('%2F', '/').replaceAll('%3A', ':')}`
  const [option, link] = newOption(address, title, index)
  if (matched_title !== null && matched_title !== title) link.append(` (${matched_title})`)
  if (thumbnail !== null) link.prepend(Object.assign(document.createElement('img'), { src: thumbnail.url, alt: '' }))
  return option
}

/** The last option runs a full-text search, like Enter without a selection. */
function searchOption(input: HTMLInputElement, typed: string, index: number): HTMLElement {
  const address = `${input.form?.action ?? ''}?${new URLSearchParams({ search: typed })}`
  const [option] = newOption(
    address,
    (input.dataset.uiAll ?? '$1').replace('$1', () => typed),
    index,
  )
  option.className = 'all'
  return option
}

function newOption(address: string, text: string, index: number): [option: HTMLElement, link: HTMLAnchorElement] {
  const option = document.createElement('li')
  Object.assign(option, { id: `ui--title-${index}`, role: 'option' })
  const link = Object.assign(document.createElement('a'), { href: address, tabIndex: -1, textContent: text })
  option.append(link)
  return [option, link]
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
