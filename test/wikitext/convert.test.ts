import { describe, expect, test } from 'vitest'
import { memoryWiki, type RenderOptions, wikitextToHtml } from '../../src/wikitext/index.ts'
import { firstOf, oneIn } from '../_rounds.ts'

const wiki = memoryWiki({
  pages: {
    Harbour: 'A harbour.',
    'Template:Tide': 'High at {{{1|noon}}}',
    'Template:Say': '{{{1}}}',
    'Template:Row': '|-\n| {{{1}}}',
    'Template:Open': '{|',
    'Template:Cell': 'class="low" | {{{1}}}',
    'Template:List': '* one\n* two',
    'Template:Colour': 'red',
    'Template:Chapter': '== {{{1}}} ==',
  },
  config: { interwiki: { sea: 'https://sea.example/$1' }, languages: { fr: 'https://fr.example/$1' } },
})

async function render(text: string, options: Partial<RenderOptions> = {}) {
  const settings = { sections: false, elementIds: false, ...options.settings }
  return wikitextToHtml(text, { title: 'Tides', wiki, bodyOnly: true, ...options, settings })
}

const html = async (text: string): Promise<string> => (await render(text)).html

describe('lines', () => {
  test.each([
    ['two line breaks part paragraphs', 'a\n\nb', '<p>a</p>\n\n<p>b</p>'],
    ['one line break does not', 'a\nb', '<p>a\nb</p>'],
    ['a third one is an empty line', 'a\n\n\nb', '<p>a</p>\n\n<p><br/>\nb</p>'],
    ['formatting goes on in the next one', '<i>a\n\nb', '<p><i>a</i></p>\n\n<p><i>b</i></p>'],
    ['an empty nowiki begins none', '<nowiki/><div>a</div>', '<span typeof="mw:Nowiki"></span><div>a</div>'],
    ['a block ends a paragraph', 'a\n<div>b</div>\nc', '<p>a</p>\n<div>b</div>\n<p>c</p>'],
    ['an inline element with a block stays whole', '<span><div>b</div></span>', '<span><div>b</div></span>'],
    ['indented lines are preformatted', ' a\n b', '<pre>a\nb</pre>'],
    ['in a quotation they are text', '<blockquote>\n a\n</blockquote>', '<blockquote>\n<p> a</p>\n</blockquote>'],
    ['in upper case, too', '<BLOCKQUOTE>\n a\n\n b</BLOCKQUOTE>', '<blockquote>\n<p> a</p><p>\n\n b</p></blockquote>'],
    [
      'after it they are preformatted',
      '<blockquote>a</blockquote>\n b',
      '<blockquote><p>a</p></blockquote>\n<pre>b</pre>',
    ],
    [
      'the last tag of a line decides',
      '<blockquote>a</blockquote><blockquote>\n b</blockquote>',
      '<blockquote><p>a</p></blockquote><blockquote><p>\n b</p></blockquote>',
    ],
    ['four dashes are a rule', '----\na', '<hr/>\n<p>a</p>'],
    ['a comment alone on its line leaves no empty line', 'a\n<!-- x -->\nb', '<p>a\n<!-- x -->\nb</p>'],
  ])('%s', async (_, text, expected) => {
    expect(await html(text)).toBe(expected)
  })
})

describe('what ends and surrounds the content of cells and addresses', () => {
  const cells = (row: string): string => `<table>\n<tbody><tr>${row}</tr>\n</tbody></table>`
  test.each([
    ['spaces before a comment at the end', '{|\n| a <!-- b -->\n|}', cells('<td>a<!-- b --></td>')],
    ['spaces on both sides of it', '{|\n| a <!-- b --> \n|}', cells('<td>a<!-- b --></td>')],
    ['the indent of a comment', '{|\n|a\n <!-- b -->\n|}', cells('<td>a\n <!-- b --></td>')],
    ['a comment after a caption', '{|\n|+ a\n<!-- b -->\n|c\n|}', '<caption>a</caption>\n<!-- b -->\n'],
    ['a variant shows that there are no attributes', '{|\n| -{a}- | b\n|}', cells('<td>-{a}- | b</td>')],
    ['italics end an address', "[https://x.example/a''b c'']", 'href="https://x.example/a" class="external text"'],
    ['one apostrophe does not', "[https://x.example/a'b c]", `href="https://x.example/a'b"`],
  ])('%s', async (_, text, expected) => {
    expect(await html(text)).toContain(expected)
  })
})

describe('cells end before links to addresses', () => {
  test.each([
    ['| [https://x.example a||b]', ['[https://x.example a', 'b]']],
    ['| [https://x.example/?a||b]', ['[https://x.example/?a', 'b]']],
    ['! [https://x.example a!!b]', ['[https://x.example a', 'b]']],
    ['! https://x.example/a!!b', ['https://x.example/a', 'b']],
    ['| [https://x.example a!!b]', ['a!!b']],
    ['| [https://x.example [[a||b]]]', ['|b']],
    ['| [https://x.example {{Say|a{{!}}{{!}}b}}]', ['a||b']],
  ])('%s', async (line, cells) => {
    const found = (await html(`{|\n${line}\n|}`)).matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/g)
    expect([...found].map(([, cell]) => cell!.replace(/<[^>]*>/g, ''))).toEqual(cells)
  })

  test('elsewhere the signs are text', async () => {
    expect((await html('[https://x.example a||b!!c]')).replace(/<[^>]*>/g, '')).toBe('a||b!!c')
  })
})

describe('white space', () => {
  test.each([
    ['around a named argument', '{{Say|1= \t\n a \n}}', '>a<'],
    ['of other kinds is content', '{{Say|1=\u00a0a\u3000}}', '>\u00a0a\u3000<'],
    ['of other kinds in an argument of a function', '{{#if:\u00a0|yes|no}}', '>yes<'],
    ['of other kinds in a name', '<div title\u00a0="a" class="b\u00a0c">d</div>', '<div class="b\u00a0c">d</div>'],
  ])('%s', async (_, text, expected) => {
    expect(await html(text)).toContain(expected)
  })
})

describe('apostrophes', () => {
  test.each([
    ["''a''", '<i>a</i>'],
    ["'''a'''", '<b>a</b>'],
    ["'''''a'''''", '<i><b>a</b></i>'],
    ["'''''a'' b'''", '<b><i>a</i> b</b>'],
    ["'''''a''' b''", '<i><b>a</b> b</i>'],
    ["''a '''b'' c'''", '<i>a <b>b</b></i><b> c</b>'],
    ["the '''captain''s log", "the '<i>captain</i>s log"],
    ["''''a'''", "'<b>a</b>"],
  ])('%s', async (text, expected) => {
    expect(await html(text)).toBe(`<p>${expected}</p>`)
  })

  test('end with their line', async () => {
    expect(await html("''a\nb")).toBe('<p><i>a</i>\nb</p>')
  })
})

describe('lists', () => {
  test.each([
    ['* a\n* b', '<ul><li>a</li>\n<li>b</li></ul>'],
    ['* a\n** b\n# c', '<ul><li>a\n<ul><li>b</li></ul></li></ul>\n<ol><li>c</li></ol>'],
    ['; t : d\n: e', '<dl><dt>t</dt><dd>d</dd>\n<dd>e</dd></dl>'],
    ['; <b>t : u</b> : d', '<dl><dt><b>t : u</b></dt><dd>d</dd></dl>'],
    ['* a\n\n* b', '<ul><li>a</li></ul>\n\n<ul><li>b</li></ul>'],
  ])('%s', async (text, expected) => {
    expect((await html(text)).replaceAll('<span typeof="mw:DisplaySpace">\u00a0</span>', ' ')).toBe(expected)
  })
})

describe('tables', () => {
  const table = (rows: string): string => `<table>\n<tbody>${rows}\n</tbody></table>`

  test.each([
    ['{|\n| a || b\n|}', table('<tr><td>a</td><td>b</td></tr>')],
    ['{|\n! a !! b || c\n|}', table('<tr><th>a</th><th>b</th><th>c</th></tr>')],
    ['{|\n| class="x" | a\n|}', table('<tr><td class="x">a</td></tr>')],
    ['{|\n| [[Harbour|a]]\n|}', table('<tr><td><a rel="mw:WikiLink" href="./Harbour" title="Harbour">a</a></td></tr>')],
    ['{|\n|-\n|a\n\nb\n|}', table('<tr>\n<td>a\n\n<p>b</p></td></tr>')],
    ['{{{!}}\n{{!}}-\n{{!}} class="x" {{!}} a {{!}}| b\n{{!}}}', table('<tr>\n<td class="x">a</td><td>b</td></tr>')],
  ])('%s', async (text, expected) => {
    expect(await html(text)).toBe(expected)
  })

  test('text that they move out of a caption is a paragraph of it', async () => {
    const page = await html("[[File:Boat.png|thumb|a\n{|\nb ''c''\n|d\n|}]]")
    expect(page).toMatch(/<figcaption>a\s*<p>\s*b <i>c<\/i>\s*<\/p>\s*<table>/)
  })

  test('they begin after comments in the caption of a file', async () => {
    const page = await html('[[File:Boat.png|thumb|\n <!--x-->\n{|\n|a\n<!--y-->|}]]')
    expect(page).toMatch(/<figcaption>\s*<!--x-->\s*<table>/)
  })

  test.each([
    ['{|\n[[Category:A]]\n|a\n|}', '<link rel="mw:PageProp/Category" href="./Category:A"/><table>'],
    ['{|\n|-\n__NOTOC__\n|a\n|}', '<meta property="mw:PageProp/notoc"/><table>'],
    ['{|\n|a\n[[Category:A]]\n|}', '<table>\n<tbody><tr><td>a\n<link rel="mw:PageProp/Category"'],
  ])('properties of the page between cells too, as browsers move them: %j', async (text, start) => {
    expect((await html(text)).startsWith(start)).toBe(true)
  })

  test('content of the page that moves before the table of a template belongs to both', async () => {
    expect(await html('{{Open}}\n[[Category:A]]\n|a\n|}')).toMatch(
      /^<span[^>]*typeof="mw:Transclusion"[^>]*><link [^>]*><\/span><table about="#mwt1">/,
    )
  })

  test('text that they cannot contain is moved before them', async () => {
    expect(await html('{|\nadrift\n| a\n|}')).toMatch(/^<p>\s*adrift\s*<\/p><table>/)
  })

  test('table markup outside of them is text', async () => {
    expect(await html('| a\n|-\n! b')).toBe('<p>| a\n|-\n! b</p>')
  })

  test('attributes of a cell may come from a template, with its text', async () => {
    const out = await html('{|\n| {{Cell|5}}\n|}')
    expect(out).toContain('<td class="low" about="#mwt1" typeof="mw:Transclusion"')
    expect(out).toContain('"parts":["| ",{"template"')
  })

  test('a row from a template is marked, with its further content', async () => {
    expect(await html('{|\n{{Row|a}}\n|}')).toContain('<tbody about="#mwt1" typeof="mw:Transclusion"')
  })

  test('a table opened by a template and closed by the page is reported as one', async () => {
    const out = await html('{{Open}}\n| a\n|}')
    expect(out).toMatch(/^<table about="#mwt1" typeof="mw:Transclusion"/)
    expect(out).toContain('"\\n| a\\n|}"]}')
  })
})

describe('templates', () => {
  test('text is put into a span that describes them', async () => {
    expect(await html('{{Tide|dusk}}')).toBe(
      '<p><span about="#mwt1" typeof="mw:Transclusion" data-mw=\'{"parts":[{"template":{"target":{"wt":"Tide",' +
        '"href":"./Template:Tide"},"params":{"1":{"wt":"dusk"}},"i":0}}]}\'>High at dusk</span></p>',
    )
  })

  test('parameters keep their order, whatever their names', async () => {
    expect(await html('{{Tide|b=2|10=x|1=y|__proto__=z}}')).toContain(
      '"params":{"b":{"wt":"2"},"10":{"wt":"x"},"1":{"wt":"y"},"__proto__":{"wt":"z"}}',
    )
  })

  test('a list from a template begins on a new line', async () => {
    expect(await html('a {{List}}')).toContain('<li>one</li>\n<li>two</li></ul>')
  })

  test('attribute values are reported as made by templates', async () => {
    const out = await html('<span style="color: {{Colour}}">a</span>')
    expect(out).toContain('style="color: red"')
    expect(out).toContain('typeof="mw:ExpandedAttrs"')
    expect(out).toContain('"attribs":[[{"txt":"style"},{"html":"color: ')
  })

  test('a link cannot begin in a template and end outside', async () => {
    expect(await html('[[Harbour|{{Tide|1=]]}}')).not.toContain('<a ')
  })
})

describe('sections', () => {
  const sections = async (text: string): Promise<string[]> => {
    const { html: out } = await render(text, { settings: { sections: true } })
    return [...out.matchAll(/data-mw-section-id="(-?\d+)"/g)].map(found => found[1]!)
  }

  test.each([
    ['text', ['0']],
    ['a\n== b ==\nc\n=== d ===\ne\n== f ==', ['0', '1', '2', '3']],
    ['{{Chapter|a}}\n== b ==', ['0', '-1', '1']],
    ['<div>\n== a ==\n</div>', ['-1', '-2', '-1']],
  ])('%j has the sections %j', async (text, expected) => {
    expect(await sections(text)).toEqual(expected)
  })

  test('headings have unique ids', async () => {
    const { toc } = await render('== a ==\n== A ==\n== a ==\n<span id="b"></span>\n== b ==')
    expect(toc.map(({ id }) => id)).toEqual(['a', 'A_2', 'a_3', 'b_2'])
  })

  test.each([
    ['four headings', '=a=\n=b=\n=c=\n=d=', true],
    ['three headings', '=a=\n=b=\n=c=', false],
    ['one heading that forces it', '__FORCETOC__\n=a=', true],
    ['four headings that are not to have one', '__NOTOC__\n=a=\n=b=\n=c=\n=d=', false],
  ])('a page with %s has a place for the table of contents', async (_, text, expected) => {
    const { html: out } = await render(text, { settings: { sections: true } })
    expect(out.includes('mw:PageProp/toc')).toBe(expected)
  })
})

describe('ranges', () => {
  test('are bytes of the source, with the widths of tags', async () => {
    const { html: out } = await render("é a\n\n'''b''' [[Harbour]]", { flavor: 'edit' })
    const ranges = [...out.matchAll(/"dsr":\[([^\]]*)\]/g)].map(found => found[1])
    expect(ranges).toEqual(['0,4,0,0', '6,25,0,0', '6,13,3,3', '14,25,2,2'])
  })
})

test('a page reports its references', async () => {
  const text = '[[Harbour#x]] [[Category:Sea|s]] [[fr:Mer]] {{Tide}} [[File:Buoy.png]] [https://a.example b]'
  const { references } = await render(text)
  expect(references).toEqual({
    links: ['Harbour'],
    categories: [{ key: 'Category:Sea', sort: 's' }],
    templates: ['Template:Tide'],
    files: ['Buoy.png'],
    languages: [{ code: 'fr', title: 'Mer' }],
    external: ['https://a.example'],
    interwiki: [],
    sections: ['Harbour#x'],
  })
})

test('elements have the ids that editors use', async () => {
  const { html: out } = await render('a', { settings: { elementIds: true } })
  expect(out).toBe('<p id="mwAQ">a</p>')
})

test('two wikis in one process are independent', async () => {
  const other = memoryWiki({ pages: { 'Template:Tide': 'Low' } })
  const [one, two] = await Promise.all([render('{{Tide}}'), render('{{Tide}}', { wiki: other })])
  expect(one.html).toContain('High at noon')
  expect(two.html).toContain('Low')
})

describe('hostile texts are converted in bounded time', { tags: 'long' }, () => {
  const size = 20_000
  const repeat = (text: string): string => text.repeat(Math.ceil(size / text.length))

  test.each(
    oneIn(4, [
      '[[',
      '[[a|',
      '[http://a ',
      '{{',
      '{{{',
      '{{a|',
      "'''''",
      '<div>',
      '<b><i>',
      '<p><b>',
      '<b>a</i></p>',
      '<table><tr><td>',
      '{|\n|x\n',
      '*',
      ';a:b\n',
      '<!--',
      '<ref>',
      '<nowiki>',
      '<div a="',
      '-{',
      '\n',
      ' a\n',
      '[[File:a.png|thumb|',
      '=',
    ]),
  )('%j', { tags: 'rounds' }, async piece => {
    await expect(html(repeat(piece))).resolves.toBeTypeOf('string')
    await expect(html(`{|\n|${repeat(piece)}`)).resolves.toBeTypeOf('string')
  })

  test('unclosed formatting', { tags: 'long' }, async () => {
    const text = Array.from({ length: 3000 }, (_, index) => `<font color="c${index}">a\n\n`).join('')
    expect((await html(text)).length).toBeLessThan(40_000_000)
  })
})

describe('texts of random characters', () => {
  const signs =
    "[[ ]] | {{ }} {{{ ''' '' {| |} |- || ! * : ; = \n <div> </div> <b> </p> <table> <td> <ref> </ref> <nowiki> <!-- --> " +
    '<noinclude> [[Category:Sea]] {{Row|a}} {{Open}} {{Cell}} {{List}} {{!}} [https://a.example &amp; -{ }- <poem> word'
  const pieces = [...signs.split(' '), ' ', '\n\n']

  /** A generator of numbers below `bound`, the same in every run. Source: Lehmer, MINSTD. */
  function numbers(seed: number): (bound: number) => number {
    let state = seed
    return bound => {
      state = (state * 48_271) % 2_147_483_647
      return state % bound
    }
  }

  test.each(firstOf([1, 2, 3, 4], 2))('are read without an error (%i)', { tags: ['rounds', 'long'] }, async seed => {
    const next = numbers(seed)
    for (let run = 0; run < 100; run++) {
      const text = Array.from({ length: 1 + next(40) }, () => pieces[next(pieces.length)]).join('')
      await expect(html(text), text).resolves.toBeTypeOf('string')
    }
  })
})
