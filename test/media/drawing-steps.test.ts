import { describe, expect, test } from 'vitest'
import { isDrawable } from '../../src/media/drawing-steps.ts'
import { makeThumbnail, pictureFormats } from '../../src/media/thumbnail.ts'

const svg = (inside: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${inside}</svg>`)

/** Levels that each show the one below ten times, by one kind of reference. */
const levels = (count: number, show: (below: string) => string): string =>
  Array.from({ length: count }, (_, level) =>
    level === 0
      ? '<g id="a0"><rect width="1" height="1"/></g>'
      : `<g id="a${level}">${show(`a${level - 1}`).repeat(10)}</g>`,
  ).join('')

describe('a drawing', () => {
  test.each([
    ['of few parts', svg('<rect width="1" height="1"/>')],
    ['of many parts', svg('<path d="M0 0L1 1"/>'.repeat(50_000))],
    ['that shows parts that show parts', svg(levels(4, id => `<use href="#${id}"/>`))],
    ['that shows itself', svg('<g id="a"><use href="#a"/><use href="#b"/></g><g id="b"><use href="#a"/></g>')],
    ['with namespaces as entities', Buffer.from('<!DOCTYPE svg [<!ENTITY ns "http://x">]><svg xmlns:a="&ns;"/>')],
    ['that is broken', svg('<g <<< id="a <use ')],
  ])('%s is drawn', async (_, bytes) => expect(await isDrawable(bytes)).toBe(true))

  test.each([
    ['of parts within parts', svg(levels(9, id => `<use href="#${id}"/>`))],
    ['of parts by their older name', svg(levels(9, id => `<use xlink:href='#${id}'/>`))],
    ['of patterns of patterns', svg(levels(9, id => `<rect fill="url(#${id})"/>`))],
    ['of masks of masks', svg(levels(9, id => `<g style="mask: url('#${id}')"/>`))],
    ['of filters by a style sheet', svg(`<style>g{filter:url(#a5)}</style>${levels(6, id => `<use href="#${id}"/>`)}`)],
    [
      'with its parts behind what shows them',
      svg(
        levels(9, id => `<use href="#${id}"/>`)
          .split('</g>')
          .reverse()
          .join('</g>'),
      ),
    ],
    ['in UTF-16', Buffer.from(`\uFEFF${svg(levels(9, id => `<use href="#${id}"/>`))}`, 'utf16le')],
    ['of very much text', svg(`<text>${'x'.repeat(3_000_000)}</text>`)],
    ['that nests deep', svg('<g>'.repeat(1000))],
    ['of entities of entities', Buffer.from('<!DOCTYPE svg [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><svg>&b;</svg>')],
    [
      'of a long entity',
      Buffer.from(`<!DOCTYPE svg [<!ENTITY a "${'a'.repeat(10_000)}">]><svg>${'&a;'.repeat(1000)}</svg>`),
    ],
    ['that holds a drawing of its own', svg('<image href="data:image/svg+xml;base64,PHN2Zy8+"/>')],
  ])('%s is not', async (_, bytes) => expect(await isDrawable(bytes)).toBe(false))

  test('is not sent to the decoder if it is not drawn', async () => {
    const asked: string[] = []
    const decoder = {
      run: async (task: string) => {
        asked.push(task)
        return { failed: 'it took too long' }
      },
      close: () => {},
    }
    const bytes = svg(levels(9, id => `<use href="#${id}"/>`))
    async function* content() {
      yield bytes
    }
    const request = { format: pictureFormats.svg!, content, to: { width: 120, height: 120 }, animated: false }
    expect(await makeThumbnail(request, decoder)).toEqual({ bytes: null, settled: true })
    expect(asked).toEqual([])
  })

  test('of any size is scanned in one pass', { tags: 'long' }, async () => {
    const hostile = [
      '<',
      '<a "',
      "<a '",
      '<!',
      '<!--',
      '<![CDATA[',
      '<?',
      '&',
      '<!ENTITY ',
      'href="#',
      'url(#',
      ' id="',
    ]
    for (const sign of hostile) expect(typeof (await isDrawable(svg(sign.repeat(400_000))))).toBe('boolean')
  })
})
