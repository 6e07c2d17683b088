import { describe, expect, test } from 'vitest'
import { parseRedirect, redirectWords } from '../../src/core/redirect.ts'
import { parseTitle, titleRules } from '../../src/core/title.ts'
import { htmlToWikitext } from '../../src/html2wt/index.ts'
import { memoryWiki, saveWikitext, wikitextToHtml } from '../../src/wikitext/index.ts'

const title = 'Seil'
const file = {
  name: 'Tau.jpg',
  mediatype: 'BITMAP',
  mime: 'image/jpeg',
  size: 1,
  width: 400,
  height: 300,
  duration: null,
}

function wikiIn(language: string) {
  const files = [
    {
      ...file,
      mediatype: 'BITMAP' as const,
      url: 'https://files.example/Tau.jpg',
      thumbnail: () => 'https://files.example/tau.jpg',
    },
  ]
  return memoryWiki({ files, pages: { Alt: '#Weiterleitung [[Neu]]', Neu: 'neu' }, config: { language } })
}

async function shown(text: string, language: string): Promise<string> {
  const settings = { sections: false, elementIds: false }
  return (await wikitextToHtml(text, { title, wiki: wikiIn(language), bodyOnly: true, settings })).html
}

const back = (html: string, language: string): string => htmlToWikitext(html, { title, wiki: wikiIn(language) })

describe('redirects in the words of a language', () => {
  test.each([
    ['#WEITERLEITUNG [[Neu]]', 'de', 'Neu'],
    ['#weiterleitung: [[:Kategorie:Neu#x]]', 'de-at', 'Kategorie:Neu#x'],
    ['#REDIRECT [[Neu]]', 'de', 'Neu'],
    ['＃転送 [[新]]', 'ja', '新'],
    ['#перенапр[[Новое]]', 'ru', 'Новое'],
    ['#REDIRECTION [[Neuf]]', 'ln', 'Neuf'],
    ['#OMDIRIGERING [[Ny]]', 'nb', 'Ny'],
    ['#WEITERLEITUNG [[Neu]]', 'en', null],
    ['#WEITERLEITUNG [[Neu]]', '*', 'Neu'],
    ['#WEITERLEITUNG Neu', 'de', null],
  ])('%s in %s leads to %s', (text, language, target) => {
    expect(parseRedirect(text, language)).toBe(target)
  })

  test('the page is one, and its source comes back', async () => {
    const text = '#WEITERLEITUNG [[Neu]]'
    const wiki = wikiIn('de')
    const { html, redirect } = await wikitextToHtml(text, { title, wiki, flavor: 'edit' })
    expect(redirect).toBe('Neu')
    expect(html).toContain('<link rel="mw:PageProp/redirect" href="./Neu"')
    expect(htmlToWikitext(html, { title, wiki })).toBe(text)
    expect(await shown(text, 'en')).toContain('<li>WEITERLEITUNG ')
  })

  test('templates follow them', async () => {
    expect(await shown('{{:Alt}}', 'de')).toContain('neu')
    expect(await shown('{{:Alt}}', 'en')).not.toContain('neu')
  })

  test('a new redirect has the word that the language prefers; the word alone is not a redirect', () => {
    expect(redirectWords('is')).toEqual(['#TILVÍSUN', '#REDIRECT'])
    expect(back('<link rel="mw:PageProp/redirect" href="./Neu">', 'de')).toBe('#WEITERLEITUNG [[Neu]]')
    expect(back('<p>#Weiterleitung <a rel="mw:WikiLink" href="./Neu">Neu</a></p>', 'de')).toMatch(
      /^<nowiki>#Weiterleitung<\/nowiki> /,
    )
  })
})

describe('behaviour switches in the words of a language', () => {
  test.each([
    ['__KEIN_INHALTSVERZEICHNIS__', 'de', 'notoc'],
    ['__keininhaltsverzeichnis__', 'de', 'notoc'],
    ['__VERSTECKTE_KATEGORIE__', 'de', 'hiddencat'],
    ['__NOTOC__', 'de', 'notoc'],
    ['__HIDDENCAT__', 'ja', 'hiddencat'],
    ['＿＿目次強制＿＿', 'ja', 'forcetoc'],
    ['__ОГЛ__', 'ru', 'toc'],
  ])('%s in %s is %s', async (text, language, name) => {
    expect(await shown(text, language)).toContain(`<meta property="mw:PageProp/${name}"`)
  })

  test.each([
    ['__versteckte_kategorie__', 'de'],
    ['__KEIN_INHALTSVERZEICHNIS__', 'en'],
    ['＿＿目次強制＿＿', 'zh'],
    ['__目次強制＿＿', 'ja'],
  ])('%s in %s is text', async (text, language) => {
    expect(await shown(text, language)).toBe(`<p>${text}</p>`)
  })

  test('a new one has the word that the language prefers; the word alone is not one', () => {
    expect(back('<meta property="mw:PageProp/notoc">', 'de')).toBe('__KEIN_INHALTSVERZEICHNIS__')
    expect(back('<meta property="mw:PageProp/archivedtalk">', 'de')).toBe('__ARCHIVEDTALK__')
    expect(back('<p>a ＿＿目次＿＿ b</p>', 'ja')).toBe('a <nowiki>＿＿目次＿＿</nowiki> b')
    expect(back('<p>a __INHALTSVERZEICHNIS__ __TOC__</p>', 'de')).toBe(
      'a <nowiki>__INHALTSVERZEICHNIS__</nowiki> <nowiki>__TOC__</nowiki>',
    )
  })
})

describe('options of files in the words of a language', () => {
  test.each([
    ['[[File:Tau.jpg|mini|links|hochkant=1.3|verweis=Neu|Ein Tau]]', 'de'],
    ['[[File:Tau.jpg|サムネイル|左|縄]]', 'ja'],
    ['[[File:Tau.jpg|תמונה]]', 'he'],
  ])('%s in %s comes back', async (text, language) => {
    const wiki = wikiIn(language)
    const { html } = await wikitextToHtml(text, { title, wiki, flavor: 'edit' })
    expect(htmlToWikitext(html, { title, wiki })).toBe(text)
  })

  test('a new file has the words that the language prefers', () => {
    const html = (attributes: string) =>
      `<figure ${attributes} typeof="mw:File/Thumb"><a href="./File:Tau.jpg"><img resource="./File:Tau.jpg" width="200" height="150" lang="fr" alt="Tau"></a><figcaption>Ein Tau</figcaption></figure>`
    expect(back(html('class="mw-halign-left"'), 'de')).toBe(
      '[[File:Tau.jpg|alternativtext=Tau|sprache=fr|mini|links|200x200px|Ein Tau]]',
    )
    expect(back(html('class="mw-halign-right mw-valign-text-top"'), 'en')).toBe(
      '[[File:Tau.jpg|alt=Tau|lang=fr|thumb|right|text-top|200x200px|Ein Tau]]',
    )
  })
})

describe('magic words and parser functions in the words of a language', () => {
  test.each([
    ['{{SEITENNAME}}', 'de', 'Seil'],
    ['{{GROSS:tau}} {{gross:tau}}', 'de-ch', 'TAU TAU'],
    ['{{#wechsle:b|a=1|b=2}}', 'de', '2'],
    ['{{PAGENAME}} {{uc:tau}}', 'de', 'Seil TAU'],
    ['{{名空:10}} {{ページ名}}', 'ja', 'Template Seil'],
    ['{{#言語:ja}} {{＃言語：ja}}', 'ja', '日本語 日本語'],
    ['{{VELKÁ:ěščř}} {{velká:ěščř}}', 'cs', 'ĚŠČŘ ĚŠČŘ'],
  ])('%s in %s is %s', async (text, language, result) => {
    const html = await shown(text, language)
    expect(html.replace(/<[^>]*>/g, '').trim()).toBe(result)
  })

  test('the case of letters counts where it does in English, and other languages do not', async () => {
    expect(await shown('{{seitenname}}', 'de')).toContain('Template:Seitenname')
    expect(await shown('{{SEITENNAME}}', 'fr')).toContain('Template:SEITENNAME')
  })

  test('a full-width colon is distinguished and comes back', async () => {
    const text = '{{＃言語：ja}} {{#言語:ja}} {{PAGENAME：x}}'
    const wiki = wikiIn('ja')
    const { html } = await wikitextToHtml(text, { title, wiki, flavor: 'edit' })
    expect(html).toContain('{"wt":"＃言語:ja","function":"language"}')
    expect(htmlToWikitext(html, { title, wiki })).toBe(text)
  })
})

describe('modifiers of templates in the words of a language', () => {
  test.each([
    ['{{ers:Mast}} {{SUBST:Mast}}', 'de', 'Mast! Mast!'],
    ['{{sicher_ers:Mast}}', 'de', 'Mast!'],
    ['{{展開：Mast}}', 'ja', 'Mast!'],
    ['{{ers:Mast}}', 'fr', '{{ers:Mast}}'],
    ['{{Mast}}', 'de', '{{Mast}}'],
  ])('%s is saved in %s as %s', async (text, language, saved) => {
    const wiki = memoryWiki({ pages: { 'Template:Mast': 'Mast!' }, config: { language } })
    const user = { name: 'Ada', isAnonymous: false }
    const page = parseTitle(title, titleRules(wiki.config))
    expect(await saveWikitext(text, { title: page, wiki, user, now: new Date(0) })).toBe(saved)
  })
})
