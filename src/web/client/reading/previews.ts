/**
 * Previews of links: the text of a note, or the lead of a page. A preview stays while the pointer is on it, and Escape
 * closes it. Source: WCAG 2.2, 1.4.13 Content on Hover or Focus.
 */

import { urlPrefix } from '../server/api.ts'
import { decoded } from './decoded.ts'
import { pageAt } from './trusted.ts'

/** Milliseconds for which the pointer must rest on a link before its preview opens, or be away before it closes. */
const pause = 350
const patience = 250
/** Maximum length of a page's lead, in UTF-16 units. */
const longest = 320

/** Leads of pages already requested, by URL. */
const previews = new Map<string, Promise<DocumentFragment | null>>()

/** Adds previews to the links of a text. */
export function previewLinks(): void {
  const box = document.createElement('div')
  Object.assign(box, { id: 'ui--preview', role: 'tooltip', hidden: true })
  box.dataset.uiBox = ''
  document.body.append(box)
  let timer = 0
  let shown: HTMLAnchorElement | null = null

  const hide = (): void => {
    clearTimeout(timer)
    shown?.removeAttribute('aria-describedby')
    shown = null
    box.hidden = true
  }
  const show = async (link: HTMLAnchorElement): Promise<void> => {
    const content = await contentOf(link)
    if (shown !== link || content === null) return
    box.replaceChildren(content)
    box.hidden = false
    link.setAttribute('aria-describedby', box.id)
    place(box, link)
  }
  const want = (link: HTMLAnchorElement): void => {
    clearTimeout(timer)
    if (shown === link) return
    hide()
    shown = link
    timer = window.setTimeout(() => void show(link), pause)
  }
  const leave = (): void => {
    clearTimeout(timer)
    timer = window.setTimeout(hide, patience)
  }
  const linkAt = ({ target }: Event): HTMLAnchorElement | null =>
    target instanceof Element ? target.closest<HTMLAnchorElement>('[data-ui-text] a[href]') : null
  document.addEventListener('pointerover', event => {
    if (event.pointerType === 'touch') return
    const link = linkAt(event)
    if (link !== null && isPreviewed(link)) want(link)
    else if (event.target instanceof Node && box.contains(event.target)) clearTimeout(timer)
    else if (shown !== null) leave()
  })
  document.addEventListener('focusin', event => {
    const link = linkAt(event)
    if (link?.matches(':focus-visible') && isPreviewed(link)) want(link)
    else if (!(event.target instanceof Node && box.contains(event.target))) hide()
  })
  document.addEventListener('keydown', event => {
    if (event.key === 'Escape' && !box.hidden) hide()
  })
}

/** Returns true for links to notes of this page and to other existing pages of the wiki. */
function isPreviewed(link: HTMLAnchorElement): boolean {
  if (link.querySelector('img') !== null) return false
  if (link.matches('[href^="#cite_note"]')) return true
  if (!link.matches(`[href^="${urlPrefix}/wiki/"]:not(.new, .edit-section)`) || link.pathname === location.pathname)
    return false
  const namespace = decoded(link.pathname).slice(`${urlPrefix}/wiki/`.length).split(':', 1)[0]
  return namespace !== 'Special' && namespace !== document.body.dataset.uiSpecial
}

function contentOf(link: HTMLAnchorElement): Promise<DocumentFragment | null> {
  if (link.hash.startsWith('#cite_note')) return Promise.resolve(noteOf(link.hash))
  const address = link.pathname
  const asked = previews.get(address) ?? beginningOf(address)
  previews.set(address, asked)
  return asked.then(content => (content === null ? null : (content.cloneNode(true) as DocumentFragment)))
}

/** Returns a copy of a note without its back links and without ids, which the page already contains. */
function noteOf(hash: string): DocumentFragment | null {
  const copy = document.getElementById(decoded(hash.slice(1).replace(/:~:.*/, '')))?.cloneNode(true)
  if (!(copy instanceof Element)) return null
  for (const back of copy.querySelectorAll('[rel~="mw:referencedBy"], .mw-cite-backlink, a[href^="#cite_ref"]'))
    back.remove()
  for (const named of copy.querySelectorAll('[id]')) named.removeAttribute('id')
  const content = document.createDocumentFragment()
  content.append(...copy.childNodes)
  return content
}

/** Returns the title, first words and first image of a page, from the server's extract. */
async function beginningOf(address: string): Promise<DocumentFragment | null> {
  const page = await pageAt(`${address}?action=lead`)
  const [title, text] = [page?.querySelector('h1'), page?.querySelector('[data-ui-text]')]
  if (!title || !text) return null
  const words = [...text.querySelectorAll('p')].map(one => (one.textContent ?? '').trim()).find(one => one !== '') ?? ''
  const picture = text.querySelector('figure img')
  const content = document.createDocumentFragment()
  if (picture !== null) content.append(smallPicture(picture))
  const heading = Object.assign(document.createElement('strong'), { textContent: title.textContent })
  const paragraph = document.createElement('p')
  paragraph.textContent = words.length > longest ? `${words.slice(0, words.lastIndexOf(' ', longest))} …` : words
  paragraph.dir = 'auto'
  content.append(heading, paragraph)
  return content
}

function smallPicture(picture: Element): HTMLImageElement {
  const image = document.createElement('img')
  image.src = picture.getAttribute('src') ?? ''
  image.alt = ''
  return image
}

/** Places the box below the link, or above it if there is no room, and inside the window. */
function place(box: HTMLElement, link: HTMLAnchorElement): void {
  const at = link.getClientRects()[0] ?? link.getBoundingClientRect()
  const { width, height } = box.getBoundingClientRect()
  const left = Math.min(Math.max(8, at.left), document.documentElement.clientWidth - width - 8)
  const below = at.bottom + 6 + height < innerHeight
  box.style.left = `${Math.max(8, left) + scrollX}px`
  box.style.top = `${(below ? at.bottom + 6 : Math.max(8, at.top - height - 6)) + scrollY}px`
}
