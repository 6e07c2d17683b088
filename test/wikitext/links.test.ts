import { describe, expect, test } from 'vitest'
import type { FileMetadata } from '../../src/wikitext/index.ts'
import { memoryWiki, wikitextToHtml } from '../../src/wikitext/index.ts'

const tide: FileMetadata = {
  name: 'Tide.jpg',
  mediatype: 'BITMAP',
  mime: 'image/jpeg',
  size: 1000,
  width: 400,
  height: 300,
  duration: null,
  url: '/media/Tide.jpg',
  thumbnail: width => `/thumb/${width}/Tide.jpg`,
}

const wiki = memoryWiki({
  pages: {
    Tide: 'Low.',
    'Tide/Ebb': 'x',
    'Template:Say': '{{{1}}}',
    'Template:Options': 'right|Low tide',
    'File:Old.jpg': '#REDIRECT [[File:Tide.jpg]]',
    'MediaWiki:Bad image list': '* [[File:Mud.jpg]] except [[Mud]]',
  },
  files: [tide, { ...tide, name: 'Mud.jpg' }],
  config: {
    interwiki: { shore: 'http://shore.example/wiki/$1', here: 'http://wiki.example/wiki/$1' },
    languages: { is: 'http://is.example/wiki/$1' },
    namespaces: { 0: { name: '', aliases: [], subpages: true } },
  },
})

/** The page's body without the data that only tools read. */
async function html(text: string, title = 'Tide/Ebb/Spring'): Promise<string> {
  const settings = { sections: false, elementIds: false, localPrefixes: ['here'], followedDomains: ['friend.example'] }
  const rendered = await wikitextToHtml(text, { title, wiki, bodyOnly: true, server: 'http://wiki.example', settings })
  return rendered.html.replace(/ (?:data-mw(?:-i18n)?|about|typeof|rel)=(?:"[^"]*"|'[^']*')/g, '').trim()
}

describe('links between pages', () => {
  test.each<[text: string, link: string]>([
    ['[[Tide]]', '<a href="./Tide" title="Tide">Tide</a>'],
    ['[[tide|x]]y', '<a href="./Tide" title="Tide">xy</a>'],
    ['[[:Tide]]', '<a href="./Tide" title="Tide">Tide</a>'],
    ['[[Ti&#100;e]]', '<a href="./Tide" title="Tide">Tide</a>'],
    ['[[Tid%65]]', '<a href="./Tide" title="Tide">Tide</a>'],
    ['[[Tide#a b]]', '<a href="./Tide#a_b" title="Tide">Tide#a b</a>'],
    ['[[#a]]', '<a href="./Tide/Ebb/Spring#a" class="mw-selflink-fragment">#a</a>'],
    ['[[../]]', '<a href="./Tide/Ebb" title="Tide/Ebb">Tide/Ebb</a>'],
    ['[[../../]]', '<a href="./Tide" title="Tide">Tide</a>'],
    ['[[here:Tide]]', '<a href="./Tide" title="Tide">here:Tide</a>'],
    [
      '[[shore:Low tide#a/b]]',
      '<a href="http://shore.example/wiki/Low%20tide#a.2Fb" title="shore:Low tide" class="extiw">shore:Low tide#a/b</a>',
    ],
    ['[[shore::Tide]]', '<a href="http://shore.example/wiki/Tide" title="shore:Tide" class="extiw">shore:Tide</a>'],
    ['[[:is:Flóð]]', '<a href="http://is.example/wiki/Flóð" title="is:Flóð" class="extiw">is:Flóð</a>'],
    ['[[Tide|http://a.example RFC 1]]', '<a href="./Tide" title="Tide">http://a.example RFC 1</a>'],
    ['[[Tide{{!}}x]]', '<a href="./Tide" title="Tide">x</a>'],
    ['[[{{Say|Tide}}]]', '<a href="./Tide" title="Tide">Tide</a>'],
    ['[[Tide|<span title="[[a]]">x</span>]]', '<a href="./Tide" title="Tide"><span title="[[a]]">x</span></a>'],
    ['[[[[Tide]]]]', '[[<a href="./Tide" title="Tide">Tide</a>]]'],
  ])('%s', async (text, link) => {
    expect(await html(text)).toBe(`<p>${link}</p>`)
  })

  test.each([
    ['[[/Neap/]]', '/Neap/'],
    ['[[/Neap//]]', '/Neap//'],
    ['[[/Neap]]', '/Neap'],
    ['[[User:A/]]', 'User:A/'],
  ])('%s is shown as written if pages have no subpages', async (text, shown) => {
    expect(await html(text, 'Category:Tide/Ebb')).toContain(`>${shown}</a>`)
  })

  test.each([
    ['http://[2001:db8::1]/a', 'http://[2001:db8::1]/a', ''],
    ['(http://[2001:DB8::1]:80/a?b=[c])', 'http://[2001:DB8::1]:80/a?b=', '[c])'],
    ['ftp://[::ffff:192.0.2.1], x', 'ftp://[::ffff:192.0.2.1]', ', x'],
    ['https://[2001:db8::1]', 'https://[2001:db8::1]', ''],
  ])('%s has a numeric host', async (text, address, rest) => {
    expect(await html(text)).toContain(`<a href="${address}" class="external free">${address}</a>${rest}`)
  })

  test.each(['http://[x]', 'http://[2001:db8::1', 'http://[]/a'])('%s has no host', async text => {
    expect(await html(text)).toBe(`<p>${text}</p>`)
  })

  test.each([
    '[[]]',
    '[[|x]]',
    '[[Tide|]]',
    '[[<]]',
    '[[::Tide]]',
    '[[a&amp;amp;b]]',
    '[[[Tide]]]',
    '[[../../../x]]',
    '[[shore:../x]]',
  ])('%s is text', async text => {
    expect(await html(text)).not.toContain('<a ')
  })

  test('an address in double brackets is an external link in single ones', async () => {
    expect(await html('[[http://a.example x]]')).toBe('<p>[<a href="http://a.example" class="external text">x</a>]</p>')
  })

  test('trailing slashes are not part of a subpage', async () => {
    expect(await html('[[/Neap/]]')).toContain('>Neap</a>')
    expect(await html('[[/Neap]]')).toContain('>/Neap</a>')
  })

  test('templates in a target are reported', async () => {
    const { html: page } = await wikitextToHtml('[[{{Say|Tide}}]]', { title: 'A', wiki, bodyOnly: true })
    expect(page).toMatch(/typeof="mw:ExpandedAttrs"/)
    expect(page).toMatch(/attribs.*href.*mw:Transclusion/)
  })

  test('many brackets are parsed in bounded time', async () => {
    expect(await html('['.repeat(200_001))).toContain('[[[')
  })
})

describe('redirects', () => {
  test.each<[text: string, html: string]>([
    ['#REDIRECT [[Tide]]', '<link href="./Tide"/>'],
    [' \n#redirect : [[Tide#a|x]]', '<link href="./Tide#a"/>'],
    ['#REDIRECT [[:is:Flóð]]', '<link href="http://is.example/wiki/Flóð"/>'],
    ['#REDIRECT [[Category:Tides]]', '<link href="./Category:Tides"/>'],
  ])('%s', async (text, link) => {
    expect(await html(text)).toBe(link)
  })

  test.each(['x #REDIRECT [[Tide]]', '#REDIRECT Tide', '#REDIRECT [[<]]'])('%s is not one', async text => {
    expect(await html(text)).not.toContain('<link')
  })
})

describe('external links', () => {
  test('search engines follow trusted ones', async () => {
    const rels = async (text: string): Promise<string[]> => {
      const settings = { followedDomains: ['friend.example'], externalLinkTarget: '_blank' }
      const { html: page } = await wikitextToHtml(text, { title: 'A', wiki, bodyOnly: true, settings })
      return [...page.matchAll(/rel="(mw:ExtLink[^"]*)"/g)].map(([, rel]) => rel!)
    }
    expect(await rels('http://a.example [//www.friend.example x] [http://unfriend.example]')).toEqual([
      'mw:ExtLink nofollow',
      'mw:ExtLink',
      'mw:ExtLink nofollow',
    ])
  })
})

describe('files', () => {
  test.each<[what: string, text: string, piece: string]>([
    ['pipes of tables are theirs', '[[File:Tide.jpg|thumb|\n{|\n| left\n|}\n]]', 'left</td>'],
    [
      'pipes of addresses are theirs',
      '[[File:Tide.jpg|thumb|[http://a.example/|left|x y]]]',
      '<figure class="mw-default-size">',
    ],
    ['pipes of links are theirs', '[[File:Tide.jpg|thumb|[[Tide|left]]]]', '<figure class="mw-default-size">'],
    ['templates bring options', '[[File:Tide.jpg|{{Options}}]]', '<figure class="mw-default-size mw-halign-right">'],
    [
      'captions have links',
      '[[File:Tide.jpg|thumb|[[Tide]] http://a.example]]',
      '<a href="http://a.example" class="external free">',
    ],
    ['links lead elsewhere', '[[File:Tide.jpg|link=[[Tide]]]]', '<a href="./Tide" title="Tide"><img'],
    ['redirects are followed', '[[File:Old.jpg]]', 'resource="./File:Tide.jpg"'],
    ['bad files are links', '[[File:Mud.jpg]]', 'mw-broken-media'],
    [
      'galleries show files',
      '<gallery>\nTide.jpg|thumb|[[Tide|x]]\n</gallery>',
      '<div class="gallerytext"><a href="./Tide" title="Tide">x</a></div>',
    ],
  ])('%s', async (_, text, piece) => {
    expect(await html(text)).toContain(piece)
  })

  test('bad files are shown where permitted', async () => {
    expect(await html('[[File:Mud.jpg]]', 'Mud')).toContain('<img')
  })
})

describe('templates in links', () => {
  test.each<[text: string, piece: string]>([
    ['{{Say|[[Tide]]}}s', '>Tides</a>'],
    ['http://a.example/{{Say|b}}', 'href="http://a.example/b" class="external free">http://a.example/b</a>'],
    ['http://a.example/{{Say|b c}}', 'class="external free">http://a.example/</a>'],
    ['[http://a.example/{{Say|b}} x]', 'href="http://a.example/b" class="external text">x</a>'],
    ['[[File:Tide.jpg|link=http://a.example/{{Say|b}}]]', '<a href="http://a.example/b"'],
    ['[[Category:{{Say|Tides}}|{{Say|a}}]]', '<link href="./Category:Tides#a"/>'],
  ])('%s', async (text, piece) => {
    expect(await html(text)).toContain(piece)
  })
})

describe('files in files', () => {
  test.each(['[[File:No.png|', '[[File:No.png|alt=', "[[File:No.png|link=''a''|"])(
    '%s forty times deep makes a small page',
    async open => {
      const { html: page } = await wikitextToHtml(`${open.repeat(40)}x"${']]'.repeat(40)}`, { title: 'A', wiki })
      expect(page.length).toBeLessThan(20_000)
      expect(page).toContain('nested too deeply')
    },
  )
})

describe('images of other sites', () => {
  const render = async (text: string, showsExternalImages?: boolean): Promise<string> => {
    const settings = showsExternalImages === undefined ? {} : { showsExternalImages }
    return (await wikitextToHtml(text, { title: 'A', wiki, bodyOnly: true, settings })).html
  }

  test('are links', async () => {
    expect(await render('http://a.example/b.png [http://c.example http://a.example/b.png]')).not.toContain('<img')
  })

  test('are shown if a wiki permits it', async () => {
    const html = await render(
      'http://a.example/b.png [http://c.example http://a.example/b.png] http://a.example/b.png?c',
      true,
    )
    expect(html.match(/<img[^>]*>/g)).toEqual(
      Array(2).fill(expect.stringContaining('src="http://a.example/b.png" alt="b.png"')),
    )
  })
})

test('a link within a link ends the outer one', async () => {
  expect(await html('[http://a.example low [[Tide]] high]')).toBe(
    '<p><a href="http://a.example" class="external text">low </a><a href="./Tide" title="Tide">Tide</a><span> high</span></p>',
  )
  expect(await html('[http://a.example [[File:Tide.jpg|link=]]]')).toMatch(
    /^<p><a href="http:\/\/a.example"[^>]*><span[^>]*><span><img/,
  )
})

describe('links in links', () => {
  const shown = async (text: string): Promise<string> =>
    (await wikitextToHtml(text, { title: 'Sea', wiki, flavor: 'view', bodyOnly: true })).html
  test.each([
    ['[[Tide a[[Tide|b]]c]]', /\[\[Tide a<a [^>]*>bc<\/a>\]\]/],
    ['[[Category:Tide|[[Tide]]]]', /\[\[Category:Tide\|<a [^>]*>Tide<\/a>\]\]/],
    ['[[Tide{{!}}a[[Tide|b]]]]', /\[\[Tide.*\|.*a<a [^>]*>b<\/a>\]\]/],
  ])('the outer one is text: %s', async (text, html) => {
    expect(await shown(text)).toMatch(html)
  })

  test.each([
    ['[[Tide]]http://a.example', />Tide<\/a><a [^>]*>http:\/\/a\.example<\/a>/],
    ['[[Tide]]mailto:a', />Tide<\/a><a [^>]*>mailto:a<\/a>/],
    ['[[Tide]]http://', />Tidehttp<\/a>:\/\//],
  ])('an address after a link does not join it: %s', async (text, html) => {
    expect(await shown(text)).toMatch(html)
  })
})
