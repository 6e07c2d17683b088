import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryDirectory } from '../_setup.ts'
import { wiki } from './harness.ts'

async function newWiki(): Promise<string> {
  const cwd = await temporaryDirectory()
  await wiki(['init'], { cwd })
  return cwd
}

describe('convert', () => {
  test('converts HTML to wikitext, and wikitext to HTML', async () => {
    const cwd = await newWiki()
    const html = '<ul><li>one</li><li><em>two</em></li></ul>'
    expect(await wiki(['convert', 'html', 'wikitext'], { cwd, stdin: html })).toMatchObject({
      status: 0,
      stdout: "* one\n* ''two''",
    })
    const { stdout } = await wiki(['transform', 'wikitext', 'html'], { cwd, stdin: "''x''" })
    expect(stdout).toContain('data-parsoid')
  })

  test('keeps unchanged parts of the original byte for byte, and changes the others', async () => {
    const cwd = await newWiki()
    const source = '==a==\n\n\n*b\n* c  \n'
    writeFileSync(join(cwd, 'a.wiki'), source)
    await wiki(['convert', 'wikitext', 'html', 'a.wiki', '-o', 'a.html'], { cwd })
    const back = ['convert', 'html', 'wikitext', 'a.html', '--original', 'a.wiki']
    expect((await wiki(back, { cwd })).stdout).toBe(source)
    writeFileSync(join(cwd, 'a.html'), readFileSync(join(cwd, 'a.html'), 'utf8').replace('>b<', '>B<'))
    expect((await wiki(back, { cwd })).stdout).toBe(source.replace('b', 'B'))
  })

  test('needs no repository, and leaves nothing behind', async () => {
    const cwd = await temporaryDirectory()
    vi.stubEnv('TMPDIR', cwd)
    onTestFinished(() => void vi.unstubAllEnvs())
    const converted = await wiki(['convert', 'html', 'wikitext'], { cwd, stdin: '<p>a <i>b</i></p>' })
    expect(converted).toMatchObject({ status: 0, stdout: "a ''b''" })
    writeFileSync(join(cwd, 'a.wiki'), '<b>x')
    const linted = await wiki(['lint', 'a.wiki', '-'], { cwd, stdin: 'x' })
    expect(linted).toMatchObject({ status: 1, stdout: expect.stringContaining('missing-end-tag') })
    expect(readdirSync(cwd)).toEqual(['a.wiki'])
    for (const words of [['lint', 'A'], ['lint'], ['-C', cwd, 'convert', 'html', 'wikitext']])
      expect((await wiki(words, { cwd })).stderr).toContain('No git repository')
  })

  test('reads Markdown', async () => {
    const cwd = await newWiki()
    const { stdout } = await wiki(['convert', 'markdown', 'wikitext'], { cwd, stdin: '# Ropes\n\n- *hemp*\n- `sisal`' })
    expect(stdout).toMatch(/^= ?Ropes ?=\n\n\* ''hemp''\n\* <code>sisal<\/code>$/)
  })

  test('reads notes, code and properties of Markdown as MediaWiki writes them', async () => {
    const cwd = await newWiki()
    const stdin =
      '---\nauthor: Ola\n---\n# Żółw\n\nGad[^1]\n\n```python\nprint("ż")\n```\n\n```\na\n```\n\n[^1]: *Ma* pancerz\n'
    const { stdout } = await wiki(['convert', 'markdown', 'wikitext'], { cwd, stdin })
    expect(stdout).toBe(
      `{| class="front-matter"
! scope="row" |author
|Ola
|}

= Żółw =
Gad<ref>''Ma'' pancerz</ref>
<syntaxhighlight lang="python">
print("ż")
</syntaxhighlight>

<pre>a</pre>
<references />`,
    )
    const again = await wiki(['convert', 'wikitext', 'markdown'], { cwd, stdin: stdout })
    expect(again.stdout).toContain('Gad[^1]\n\n```python\nprint("ż")\n```\n\n```\na\n```\n\n[^1]: *Ma* pancerz\n')
  })

  test('keeps notes of Markdown on the way through HTML', async () => {
    const cwd = await newWiki()
    const stdin = 'Gad[^1] i[^2] oraz[^1]\n\n[^1]: *Ma* pancerz\n\n[^2]: Dwa\n'
    const { stdout } = await wiki(['convert', 'markdown', 'html'], { cwd, stdin })
    expect((await wiki(['convert', 'html', 'markdown'], { cwd, stdin: stdout })).stdout).toBe(stdin)
  })

  test('writes the visible content of a page as Markdown, from a file and from stdin', { tags: 'long' }, async () => {
    const cwd = await newWiki()
    await wiki(['page', 'create', 'Template:Tide', '-f', '-'], { cwd, stdin: '{{{1}}} m' })
    writeFileSync(join(cwd, 'a.wiki'), "== [[Ropes]] ==\n* {{Tide|4}}\n* [[Ropes#A|here]]<ref>''note''</ref>")
    const file = await wiki(['convert', 'wikitext', 'markdown', 'a.wiki', '--title', 'Ropes'], { cwd })
    expect(file.stdout).toBe('## Ropes\n\n- 4 m\n- [here](#A)[^1]\n\n[^1]: *note*\n')
    const html = await wiki(['convert', 'html', 'markdown'], { cwd, stdin: '<h1>a</h1><script>b</script>' })
    expect(html.stdout).toBe('# a\n')
  })

  test('accepts an original for wikitext only', async () => {
    const cwd = await newWiki()
    const { status } = await wiki(['convert', 'wikitext', 'html', '--original', 'a.wiki'], { cwd, stdin: '' })
    expect(status).toBe(2)
  })

  test('lists the supported conversions if one is not supported', async () => {
    const cwd = await newWiki()
    const { status, stderr } = await wiki(['convert', 'html', 'docx'], { cwd, stdin: '' })
    expect([status, stderr]).toEqual([2, expect.stringContaining('Nothing converts html to docx')])
  })
})

describe('page edit --html', () => {
  test('saves only the changed part', { tags: 'long' }, async () => {
    const cwd = await newWiki()
    const source = '==a==\n\n\n*b\n* c'
    await wiki(['page', 'create', 'Ropes', '-f', '-'], { cwd, stdin: source })
    const { stdout } = await wiki(['page', 'get', 'Ropes', '--html'], { cwd })
    const edited = await wiki(['page', 'edit', 'Ropes', '--html', '-f', '-'], {
      cwd,
      stdin: stdout.replace('>b<', '>B<'),
    })
    expect(edited.status).toBe(0)
    expect((await wiki(['page', 'get', 'Ropes'], { cwd })).stdout.trimEnd()).toBe(source.replace('b', 'B'))
  })
})
