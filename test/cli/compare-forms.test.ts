import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { formatMarkdown } from '../../src/cli/render/comparison-comment.ts'
import { formatHtml, formatSideBySide, HtmlPage } from '../../src/cli/render/comparison-forms.ts'
import { plain } from '../../src/cli/terminal/colour.ts'
import type { Comparison } from '../../src/core/comparison.ts'
import { compareTexts } from '../../src/diff/compare-texts.ts'
import { git, needsGit, temporaryDirectory } from '../_setup.ts'
import { wiki } from './harness.ts'

function comparisonOf(from: string, to: string): Comparison {
  const side = { id: 0, slot_role: 'main' as const, sections: [] }
  return { from: side, to: side, diff: compareTexts(from, to) }
}

describe('two columns', () => {
  test('show each side its own words, cut to half the width', () => {
    const text = formatSideBySide(comparisonOf(`a ${'x'.repeat(80)}\n`, `b ${'x'.repeat(80)}\n日本\n`), plain, 41)
    expect(text).toBe(`a ${'x'.repeat(16)}… | b ${'x'.repeat(16)}…\n${' '.repeat(20)}> 日本\n`)
  })

  test('are abandoned in a narrow terminal, with a message', async () => {
    const directory = await temporaryDirectory()
    await wiki(['init', directory])
    writeFileSync(join(directory, 'Main_Page.wiki'), 'new\n')
    const run = (columns: number) =>
      wiki(['compare', '--page', 'Main Page', '--side-by-side', '--no-pager'], {
        cwd: directory,
        tty: ['stdout'],
        columns,
      })
    expect((await run(80)).stderr).toContain('80 columns')
    expect((await run(120)).stderr).toBe('')
  })
})

describe('Markdown', () => {
  test('marks words, and escapes markup in the text and the heading', () => {
    const text = formatMarkdown(comparisonOf('a </pre> red\n', 'a </pre> blue\n'), '[x](y) @z')
    expect(text).toBe(
      '### <code>&#91;x&#93;&#40;y&#41; &#64;z</code>\n\n<pre>\n~ a &lt;/pre&gt; <del>red</del><ins>blue</ins>\n</pre>\n',
    )
  })

  test('omits unchanged parts of a long line', () => {
    const [before, after] = ['😀'.repeat(500), 'y '.repeat(5000)]
    const text = formatMarkdown(comparisonOf(`${before} red ${after}\n`, `${before} blue ${after}\n`), 'Long')
    expect(text.length).toBeLessThan(600)
    expect(text).toMatch(/😀 <del>red<\/del><ins>blue<\/ins> y y/u)
    expect(text).not.toMatch(/\p{Surrogate}/u)
  })

  test('fits a comment whatever the texts', () => {
    const random = (length: number, at: number) => String.fromCodePoint(33 + ((at * 7919) % 90)).repeat(length)
    for (const [lines, length] of [
      [3000, 100],
      [1, 200_000],
      [100_000, 1],
      [300, 900],
    ] as const) {
      const text = Array.from({ length: lines }, (_, at) => random(length, at)).join('\n')
      expect(formatMarkdown(comparisonOf('', text), '<&>'.repeat(100)).length).toBeLessThanOrEqual(65_536)
    }
  })
})

describe('HTML', () => {
  test('shows the text as text', () => {
    const page = formatHtml({ heading: '<b>', comparison: comparisonOf('a <i>x\n', 'a <script>x\x01\n') })
    expect(page).toContain('<h2>&lt;b&gt;</h2>')
    expect(page).not.toMatch(/<script|<i>|\x01/)
    expect(page).toContain("default-src 'none'")
  })
})

test('git shows comparisons through the diff driver', { tags: 'long' }, async context => {
  needsGit(context)
  const directory = await temporaryDirectory()
  await wiki(['init', directory, '--diff-driver'])
  const bin = join(directory, '.git/bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'wiki'), `#!/bin/sh\nexec "${process.execPath}" "${resolve('bin/wiki.cjs')}" "$@"\n`)
  chmodSync(join(bin, 'wiki'), 0o755)
  const path = process.env.PATH
  process.env.PATH = `${bin}:${path}`
  onTestFinished(() => {
    process.env.PATH = path
  })
  writeFileSync(join(directory, 'Main_Page.wiki'), 'This is the main page. Edit it, or not.\n')
  expect(git(directory, 'diff')).toContain('+++ Main_Page.wiki\n')
  expect(git(directory, 'diff')).toContain('{+')
  writeFileSync(join(directory, 'New.wiki'), 'new\n')
  git(directory, 'add', 'New.wiki')
  expect(git(directory, 'diff', '--cached')).toContain('--- nothing\n+++ New.wiki')
})

test('pictures that do not fit a page are not read', async () => {
  const read: string[] = []
  let html = ''
  const print = async (text: string): Promise<void> => {
    html += text
  }
  const page = new HtmlPage(print, { heading: 'Pictures', sentences: [], problems: [] })
  for (const [heading, bytes] of [
    ['First', 30_000_000],
    ['Second', 10_000_000],
    ['Third', 1000],
  ] as const) {
    const pictures = async () => {
      read.push(heading)
      return { from: null, to: `data:image/png;base64,${heading}` }
    }
    await page.addFile({ heading, note: 'added', size: { from: null, to: bytes }, pictures })
  }
  await page.end()
  expect(read).toEqual(['First', 'Third'])
  expect(html).toMatch(/<title>Pictures<[\s\S]*base64,First[\s\S]*Not shown here[\s\S]*base64,Third[\s\S]*<\/html>\n$/)
})
