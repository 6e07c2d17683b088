import { describe, expect, test } from 'vitest'
import { defaultConfig } from '../../src/core/config.ts'
import { parseTitle, titleRules } from '../../src/core/title.ts'
import { type DocumentMetadata, writeDocument } from '../../src/wikitext/document.ts'
import { directionOf } from '../../src/wikitext/expansion/languages.ts'

const rules = titleRules(defaultConfig())
const metadata: DocumentMetadata = {
  title: parseTitle('Talk:Tides & "moons"?', rules),
  source: 'tide',
  language: 'en',
  page: { id: 7, revision: 42, timestamp: '2026-01-02T03:04:05Z' },
  previous: 41,
  isMainPage: false,
  server: 'http://127.0.0.1:8080',
}

describe('the document of a page', () => {
  test('names its page and revision', () => {
    const html = writeDocument('<p>tide</p>', metadata)
    expect(html).toMatch(
      /^<!DOCTYPE html>\n<html prefix="[^"]*" about="http:\/\/127.0.0.1:8080\/wiki\/Special:Redirect\/revision\/42">/,
    )
    expect(html).toContain('<meta property="mw:pageId" content="7"/><meta property="mw:pageNamespace" content="1"/>')
    expect(html).toContain('<link rel="dc:replaces" resource="mwr:revision/41"/>')
    expect(html).toContain('<meta property="mw:revisionSHA1" content="17c772d62d6f108c21dedfe0d2ae7f495a8598fa"/>')
    expect(html).toContain('<meta property="dc:modified" content="2026-01-02T03:04:05.000Z"/>')
    expect(html).toContain('<base href="http://127.0.0.1:8080/wiki/"/>')
    expect(html.endsWith('<p>tide</p></body></html>')).toBe(true)
  })

  test('escapes special characters of a title', () => {
    const html = writeDocument('', metadata)
    expect(html).toContain('<title>Talk:Tides &amp; "moons"?</title>')
    expect(html).toMatch(/href="http:\/\/127.0.0.1:8080\/wiki\/Talk:Tides_[^"<>]*%3F"/)
  })

  test('of a text without a revision omits the revision', () => {
    const { previous: _, ...rest } = metadata
    const html = writeDocument('', { ...rest, page: null })
    expect(html).not.toMatch(/dc:modified|dc:replaces|about=/)
    expect(html).toContain('<meta property="mw:pageId" content="0"/>')
  })

  test('names the main page', () => {
    expect(writeDocument('', { ...metadata, isMainPage: true })).toContain(
      '<meta property="isMainPage" content="true"/>',
    )
  })

  test('loads no external resources', () => {
    const html = writeDocument('', metadata)
    expect(html).not.toContain('stylesheet')
    expect(writeDocument('', { ...metadata, stylesheets: ['/style.css'] })).toContain(
      '<link rel="stylesheet" href="/style.css"/>',
    )
  })

  test.each([
    ['en', 'ltr'],
    ['he', 'rtl'],
    ['ar', 'rtl'],
  ])('in %s has the direction %s', (language, direction) => {
    expect(directionOf(language)).toBe(direction)
    const html = writeDocument('', { ...metadata, language })
    expect(html).toContain(
      `lang="${language}" class="mw-content-${direction} sitedir-${direction} ${direction} mw-body-content`,
    )
  })
})
