/** The categories and interlanguage links of a page. */

import type { Rendered } from '../../operations/show-page.ts'
import { createPause } from '../../operations/workers/pause.ts'
import { pageAddress } from '../addresses.ts'
import { attributes, html, type Markup } from '../markup.ts'
import type { WebRequest } from '../request.ts'

/** Writes the categories of a page, of which there may be thousands; null if it has none. */
export async function categoriesOf({ wiki, words }: WebRequest, { references }: Rendered): Promise<Markup | null> {
  const { categories } = references
  if (categories.length === 0) return null
  const pause = createPause()
  const links: Markup[] = []
  const link = ({ key }: { readonly key: string }): Markup => {
    const name = key.slice(key.indexOf(':') + 1).replaceAll('_', ' ')
    const isMissing = wiki.store.findPage(key) === undefined
    return html`<li><a href="${pageAddress(key)}"${attributes({ class: isMissing ? 'new' : null })}><bdi>${name}</bdi></a></li>`
  }
  for (const category of categories) {
    links.push(link(category))
    await pause()
  }
  return html`<nav class="categories" aria-label="${words.say('categories')}"><span>${words.say('categories')}</span><ul>${links}</ul></nav>`
}

/** Writes the interlanguage links of a page; null if there are none. */
export function languagesOf({ wiki, words }: WebRequest, { references }: Rendered): Markup | null {
  const addresses = wiki.store.config.languages
  const links = references.languages.flatMap(({ code, title }) => {
    const address = addresses[code]?.replace('$1', () => encodeURIComponent(title.replaceAll(' ', '_')))
    if (address === undefined || !/^https?:/i.test(address)) return []
    return [
      html`<li><a href="${address}" lang="${code}" hreflang="${code}" title="${title}">${languageName(code)}</a></li>`,
    ]
  })
  if (links.length === 0) return null
  return html`<nav class="categories" aria-label="${words.say('languages')}"><span>${words.say('languages')}</span><ul>${links}</ul></nav>`
}

/** Returns the name of a language in that language. */
function languageName(code: string): string {
  try {
    return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}
