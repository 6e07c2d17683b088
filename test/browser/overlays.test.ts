/**
 * Texts with a thousand styles, in the page's box, beside it and in notes: the page around them looks and works as around a plain
 * text. Slow, because each style is drawn; it has found styles that cover the header and the footer, and ones that scroll the page.
 */

import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rounds } from '../_rounds.ts'
import { numbersFrom } from '../operations/_made-history.ts'
import { commitFiles, newWiki } from '../operations/_wiki.ts'
import { hasBrowser, startBrowser, whereBrowser } from './_chromium.ts'
import { attemptsOf, ownClasses } from './_overlays.ts'
import { served } from './_pages.ts'

/** Styles on a page, and pages. */
const together = 20
const pages = rounds(2, 50, 150)

/** Of windows: a screen's most often, and a phone's. */
const widths = [1280, 1280, 360] as const

const plain = 'Water comes and goes.'

const covering = 'position:fixed;inset:0;width:200vw;height:200vh;z-index:2147483647;background:red'
/** Covers from each place that shows a text: its own page, the parts beside all pages of a folder, a note, a category. */
const cover = `<div style="${covering}">Sign in</div><div style="position:absolute;top:-400px;left:-900px;width:4000px;height:9000px;background:red">x</div>`
/** Layouts that articles have. */
const layouts = `{| class="wikitable"
! style="position:sticky;top:0" | Head
${'|-\n| row\n'.repeat(100)}|}
<div class="corner" style="position:relative;width:200px;height:100px"><b style="position:absolute;right:0;bottom:0">corner</b></div>
<div class="beside" style="float:right;width:120px">beside</div>
<div class="wide" style="width:3000px">wide</div>
<div class="list" style="columns:3">${'* one\n'.repeat(9)}</div>`
const note = `<ref><span style="${covering}">Sign in</span> ${'words '.repeat(2000)}</ref>`
const elements = ['div', 'ul', 'table']
const forged = ['no-class', ...ownClasses].flatMap(name =>
  elements.map(
    tag =>
      `<${tag} class="${name}">${tag === 'table' ? '<tr><td>x</td></tr>' : tag === 'ul' ? '<li>x</li>' : 'x'}</${tag}>`,
  ),
)

/** Lists faults of the parts of the page around a text: each lies under the pointer at its own place. */
const faultsInPage = `(() => {
  const faults = []
  const text = '[data-ui-box], [data-ui-text]'
  const controls = 'form.edit :is(textarea, button), header.top :is(a, input, button, summary), main > h1, .tabs > a, .tabs summary, footer.bottom .last-edit a'
  for (const control of document.querySelectorAll(controls)) {
    if (control.matches('ul a, ul input') || control.closest('ul')) continue
    control.scrollIntoView({ block: 'nearest' })
    const { left, top, width, height } = control.getBoundingClientRect()
    if (width === 0) continue
    for (const [x, y] of [[0.5, 0.5], [0.1, 0.2], [0.9, 0.8]]) {
      const found = document.elementFromPoint(left + width * x, top + height * y)
      // The buttons of a form stick to the window, above its other fields.
      const isItself = found?.contains(control) || control.contains(found) || control.form?.contains(found)
      if (found?.closest(text) != null || !isItself)
        faults.push('covered: ' + control.textContent.trim() + ' by ' + (found?.outerHTML ?? 'nothing').slice(0, 300))
    }
  }
  scrollTo(0, 0)
  if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the window: ' + document.documentElement.scrollWidth)
  if (document.querySelector('.content :is(form, button, dialog, iframe, textarea, input:not([disabled]))') !== null) faults.push('a field')
  return faults
})()`

describe.skipIf(!hasBrowser)(`overlays (${whereBrowser})`, () => {
  let context: BrowserContext
  let site: Awaited<ReturnType<typeof served>>
  let page: Page
  const requests: string[] = []
  /** Pictures of the parts around a plain text, by the width of the window. */
  const expected = new Map<number, Picture>()
  let oldest: number

  beforeAll(async () => {
    context = await startBrowser()
    const { wiki } = await newWiki()
    await commitFiles(wiki, {
      'Plain.wiki': plain,
      'Category%3ACover.wiki': cover,
      'F/Beside.wiki': plain,
      ...Object.fromEntries(['_Sidebar', '_Header', '_Footer'].map(name => [`F/${name}.wiki`, cover])),
      'Cover.wiki': cover,
      'Layouts.wiki': layouts,
      'Columns.wiki': `<div style="columns:2">${'<div class="mw-references-columns">'.repeat(30)}${'<div style="COLUMNS:2">'.repeat(30)}x`,
      'Cover_in_Markdown.md': cover,
      'Note.wiki': `${plain}${note}\n<references/>`,
      'Forged.wiki': forged.join('\n\n'),
      ...Object.fromEntries(Array.from({ length: pages }, (_, seed) => [fileOf(seed), textOf(seed)])),
    })
    await wiki.store.refresh()
    site = await served(wiki, { allowAnonymous: true })
    oldest = wiki.store.findPage('Cover')!.latest
    page = await context.newPage()
    page.on('request', request => requests.push(request.url().replace(site.origin, '')))
    for (const width of widths) expected.set(width, (await draw('Plain', width)).picture)
  })
  afterAll(async () => {
    await context?.close()
    await site?.close()
  })

  interface Picture {
    readonly header: string
    readonly footer: string
  }

  /** Opens a page; returns what is drawn above and below its text, and the faults. */
  async function draw(title: string, width: number = widths[0]): Promise<{ picture: Picture; faults: string[] }> {
    requests.length = 0
    await page.setViewportSize({ width, height: 700 })
    await page.goto(`${site.origin}/wiki/${title}`, { waitUntil: 'load' })
    const faults: string[] = []
    const state = (await page.evaluate('[scrollY, document.activeElement.tagName]')) as [number, string]
    if (state[0] !== 0 || state[1] !== 'BODY') faults.push(`scrolled or focused: ${state.join(' ')}`)
    const header = await shotOf('header.top')
    // Text is drawn at whole pixels: a part below a text of another height would be rounded in another way.
    await page.evaluate(`(() => {
      const footer = document.querySelector('footer.bottom')
      const { top } = footer.getBoundingClientRect()
      footer.style.marginTop = Math.ceil(top) - top + 'px'
      scrollTo(0, document.documentElement.scrollHeight)
    })()`)
    const footer = await shotOf('footer.bottom')
    faults.push(...((await page.evaluate(faultsInPage)) as string[]))
    const foreign = requests.filter(path => path !== `/wiki/${title}` && !/^\/-\/|^\/favicon/.test(path))
    faults.push(...foreign.map(path => `requested ${path}`))
    return { picture: { header, footer }, faults }
  }

  async function shotOf(selector: string): Promise<string> {
    const { x, y, width, height } = (await page.locator(selector).boundingBox())!
    const picture = page.screenshot({ clip: { x, y, width, height } })
    return picture.then(png => png.toString('base64')).catch(() => 'not in the window')
  }

  const fileOf = (seed: number): string => `S${seed}.${seed % 2 === 0 ? 'wiki' : 'md'}`
  const attempts = (seed: number) => attemptsOf(numbersFrom(seed + 1), together)
  const textOf = (seed: number): string =>
    `${plain}\n\n${attempts(seed)
      .map(({ html }) => html)
      .join('\n\n')}\n\n${plain}\n`

  test('no style of a text changes the page around it', { tags: ['rounds', 'long'] }, async () => {
    const found: unknown[] = []
    for (let seed = 0; seed < pages; seed++) {
      const width = widths[seed % widths.length]!
      const { picture, faults } = await draw(`S${seed}`, width)
      if (picture.header !== expected.get(width)!.header) faults.push('another header')
      if (picture.footer !== expected.get(width)!.footer) faults.push('another footer')
      if (faults.length > 0) found.push({ seed, faults })
    }
    expect(found).toEqual([])
  })

  test('a cover from each place', async () => {
    for (const title of ['Cover', 'Cover_in_Markdown', 'Category:Cover', 'F/Beside', `Cover?oldid=${oldest}`]) {
      const { picture, faults } = await draw(title)
      expect([title, faults, picture.header === expected.get(widths[0])!.header]).toEqual([title, [], true])
    }
  })

  test('a preview covers nothing of the form', { tags: ['long'] }, async () => {
    await page.goto(`${site.origin}/wiki/Cover?action=edit`)
    await page.locator('button[value="preview"]').first().click()
    await page.locator(':is(.preview, .live-preview) .content').first().waitFor({ state: 'attached' })
    expect(await page.evaluate(faultsInPage)).toEqual([])
  })

  test('a note stays in its small box', { tags: ['long'] }, async () => {
    await page.goto(`${site.origin}/wiki/Note`)
    // In the text itself the note covers its own link.
    await page.locator('sup.reference a').first().dispatchEvent('pointerover')
    const box = page.locator('#ui--preview')
    await box.getByText('Sign in').first().waitFor()
    const { width, height } = (await box.boundingBox())!
    expect([width <= 24 * 17, height <= 350]).toEqual([true, true])
    expect(await page.evaluate(faultsInPage)).toEqual([])
  })

  test('layouts of articles stay', { tags: ['long'] }, async () => {
    await draw('Layouts')
    const found = await page.evaluate(`(() => {
      const box = selector => document.querySelector('.content ' + selector).getBoundingClientRect()
      const text = document.querySelector('.content').getBoundingClientRect()
      const [corner, inside, beside, wide] = ['.corner', '.corner b', '.beside', '.wide'].map(box)
      const columns = getComputedStyle(document.querySelector('.content .list')).columnCount
      scrollTo(0, box('table').top + 900)
      return [box('th').top, inside.right === corner.right, Math.round(text.right - beside.right), wide.right <= text.right, columns]
    })()`)
    expect(found).toEqual([0, true, 4, true, '3'])
  })

  test('columns inside columns are columns once', { tags: ['long'] }, async () => {
    await page.goto(`${site.origin}/wiki/Columns`)
    const count = await page.evaluate(
      "Array.from(document.querySelectorAll('.content div'), one => getComputedStyle(one).columnCount + getComputedStyle(one).columnWidth)",
    )
    expect(count).toEqual(['2auto', ...Array.from({ length: 60 }, () => 'autoauto')])
  })

  test('classes of the product give a text no look', { tags: ['long'] }, async () => {
    expect(ownClasses.length).toBeGreaterThan(80)
    await page.goto(`${site.origin}/wiki/Forged`)
    const styled = (await page.evaluate(`(() => {
      const lookOf = element => JSON.stringify(['', '::before', '::after'].map(part => {
        const style = getComputedStyle(element, part)
        return [...style].filter(name => !/size$|width|height|inset|origin|^(top|left|right|bottom)$/.test(name)).map(name => style.getPropertyValue(name))
      }))
      const all = [...document.querySelectorAll('.content [class]')]
      const plain = new Map(all.filter(element => element.className === 'no-class').map(element => [element.tagName, lookOf(element)]))
      const others = all.filter(element => plain.get(element.tagName) !== lookOf(element)).map(element => element.className)
      return { count: all.length, others }
    })()`)) as { count: number; others: string[] }
    expect(styled.count).toBeGreaterThan(ownClasses.length * 2)
    expect(styled.others.filter(name => name !== 'scroll')).toEqual([])
  })
})
