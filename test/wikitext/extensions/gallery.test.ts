import { expect, test } from 'vitest'
import { gallery } from '../../../src/wikitext/extensions/gallery.ts'
import { renderPage } from './_page.ts'

test('a gallery has a caption, a box per file, and the requested size', async () => {
  const html = await renderPage(
    '<gallery caption="Tides" widths="70" onclick="x">\nEbb.jpg|Low\n#none\nFlow.jpg\n</gallery>',
    [gallery],
  )
  expect(html).toContain("<ul class='gallery mw-gallery-traditional' typeof='mw:Extension/gallery'")
  expect(html).toContain(`data-mw='{"name":"gallery","attrs":{"widths":"70","onclick":"x"},"body":{}}'`)
  expect(html).toContain("<li class='gallerycaption'>Tides</li>")
  expect(html.match(/gallerybox/g)).toHaveLength(2)
  expect(html).toContain("<img alt='70x120px'></img></a></span></div><div class='gallerytext'>Low</div></li>")
})

test('a gallery without lines is an empty list', async () => {
  expect(await renderPage('<gallery />', [gallery])).toBe(
    "<ul class='gallery mw-gallery-traditional' typeof='mw:Extension/gallery' " +
      `data-mw='{"name":"gallery","attrs":{}}'>\n</ul>`,
  )
})
