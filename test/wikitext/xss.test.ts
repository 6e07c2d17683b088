import { beforeAll, describe, expect, test } from 'vitest'
import { isFull, oneIn } from '../_rounds.ts'
import { attackedContent, attackedPage, positions } from './_attacked.ts'
import { complaintsAbout } from './_safety.ts'
import { markdownVectors, xssVectors } from './xss-vectors.ts'

/** Slow: each form of a text is a page that is parsed as by a browser. In `npm test` each text takes only one of the forms. */
function formsInTurn(forms: readonly string[], turn: number): readonly string[] {
  return isFull ? forms : [forms[turn % forms.length] as string]
}

test('the list has the documented length', () => {
  const texts = xssVectors.flatMap(group => group.texts)
  expect(new Set(texts).size).toBe(texts.length)
  expect(texts.length).toBeGreaterThanOrEqual(300)
})

describe('no page contains active content or external requests', () => {
  /** A page's head has its own links, whatever the text. */
  let usual = new Set<string>()
  beforeAll(async () => {
    usual = new Set(complaintsAbout(await attackedPage('x')))
  })

  async function complaints(text: string, flavor: 'view' | 'edit'): Promise<string[]> {
    return complaintsAbout(await attackedPage(text, flavor)).filter(complaint => !usual.has(complaint))
  }

  test.each(xssVectors.map(({ what, texts }) => [what, texts] as const))('%s', { tags: 'rounds' }, async (_, texts) => {
    const failures: [text: string, complaints: string[]][] = []
    for (const [at, text] of oneIn(2, texts).entries()) {
      for (const placed of formsInTurn(positions(text), at)) failures.push([placed, await complaints(placed, 'view')])
      failures.push([text, await complaints(text, 'edit')])
    }
    expect(failures.filter(([, found]) => found.length > 0)).toEqual([])
  })
})

test.each(['markdown', 'json', 'css', 'javascript', 'text'] as const)(
  'no page of %s does either',
  { tags: ['rounds', 'long'] },
  async model => {
    const usual = new Set(complaintsAbout(await attackedContent('1', model)))
    const failures: [text: string, complaints: string[]][] = []
    const texts = [...markdownVectors, ...xssVectors.flatMap(group => group.texts)]
    for (const [at, text] of texts.entries()) {
      const forms = [text, JSON.stringify({ [text]: text }), `\`\`\`\n${text}\n\`\`\``]
      for (const placed of formsInTurn(forms, at)) {
        const found = complaintsAbout(await attackedContent(placed, model)).filter(complaint => !usual.has(complaint))
        if (found.length > 0) failures.push([placed, found])
      }
    }
    expect(failures).toEqual([])
  },
)

describe('the check of a page', () => {
  test.each([
    '<script>x</script>',
    '<p onclick="x">',
    '<a href="javascript:x">',
    '<a href="data:text/html,x">',
    '<img src="//evil.example/x.png">',
    '<img srcset="//evil.example/x.png 2x">',
    '<p style="a:url(x)">',
    '<meta http-equiv="refresh">',
    '<link rel="stylesheet" href="./x">',
    '<svg></svg>',
    '<template><p onclick="x"></p></template>',
  ])('reports %s', html => {
    expect(complaintsAbout(html)).not.toEqual([])
  })

  test('accepts the output of engines', () => {
    const html =
      '<section data-mw-section-id="0"><p id="a"><a rel="mw:WikiLink" href="./Tide" title="Tide">x</a></p></section>'
    expect(complaintsAbout(html)).toEqual([])
  })
})
