import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textWidth } from '../../src/cli/render/text.ts'
import { gitWiki, wiki } from './harness.ts'

const source = `== Tide ==
The '''tide''' comes ''twice'' a [[Day|day]], see [https://example.org/t the table]<ref>A note.</ref> and <code>x = 1</code>.

* one
* two
*# nested

{| class="wikitable"
! Port !! Height
|-
| 横浜港 || 1
|-
| A very long name of a port that does not fit || 2
|}

 code  kept

<blockquote>quoted</blockquote>
{{Note|x}}
`

const pages = {
  'Tides.wiki': source,
  'Template/Note.wiki': 'Note on {{{1}}}.\n',
  'Other.md': '# A *title*\n\n1. one\n2. two\n\n- [ ] open\n\n[far](https://example.org)\n',
  'Old.wiki': '#REDIRECT [[Tides]]\n',
}

async function tideWiki(): Promise<string> {
  return gitWiki([{ files: { ...pages, 'wiki.json': '{}' }, message: 'Begun' }])
}

test('wiki show prints the page as readers see it', async () => {
  const cwd = await tideWiki()
  const { stdout } = await wiki(['show', 'Tides'], { cwd, columns: 60 })
  expect(stdout).toBe(`Tides
═════

Tide
────

The tide comes twice a day[1], see the table[2][^1] and x =
1.

• one
• two
  1. nested

Port                                         │ Height
─────────────────────────────────────────────┼───────
横浜港                                       │ 1
A very long name of a port that does not fit │ 2

    code  kept

│ quoted

Note on x.

[^1] A note.

[1] ./Day
[2] https://example.org/t
`)
})

test('wiki show prints Markdown, follows a redirect, and numbers a link once', async () => {
  const cwd = await tideWiki()
  const { stdout } = await wiki(['show', 'Other'], { cwd })
  expect(stdout).toContain('A title\n═══════\n\n1. one\n2. two\n\n• [ ] open\n\nfar[1]\n\n[1] https://example.org\n')
  expect((await wiki(['show', 'Old'], { cwd })).stdout).toMatch(/^Tides\n/)
  expect((await wiki(['show', 'Old', '--no-redirect'], { cwd })).stdout).toMatch(/^Old\n/)
})

test.each([24, 40, 80, 200])('no line except code and addresses is wider than %i columns', async columns => {
  const cwd = await tideWiki()
  const { stdout } = await wiki(['show', 'Tides'], { cwd, columns, tty: ['stdout'] })
  const lines = stdout.replace(/\u001b\[\d*m/g, '').split('\n')
  // Addresses are not divided, and neither is code.
  for (const line of lines.filter(text => !/^\[\d/.test(text)))
    expect(textWidth(line)).toBeLessThanOrEqual(Math.min(columns, 100))
  expect(stdout).toContain('\u001b[1mtide\u001b[22m')
})

test('a page in the work tree is shown before it is recorded', async () => {
  const cwd = await tideWiki()
  writeFileSync(join(cwd, 'Tides.wiki'), "Being ''written'' {{Note|y}}\n")
  writeFileSync(join(cwd, 'New.wiki'), 'Not [[Tides|recorded]].\n')
  const out = async (...words: string[]) => (await wiki(words, { cwd })).stdout
  expect(await out('show', 'Tides', '--work')).toContain('Being written Note on y.')
  expect(await out('page', 'get', 'Tides', '--html', '--work')).toContain('Being <i')
  expect(await out('page', 'get', 'Tides', '--work')).toBe("Being ''written'' {{Note|y}}\n")
  expect(await out('page', 'get', 'Tides')).toBe(source)
  expect(await out('show', 'New', '--work')).toContain('Not recorded[1].')
  expect(JSON.parse(await out('page', 'get', 'New', '--with-html', '--work'))).toMatchObject({
    title: 'New',
    path: 'New.wiki',
    content_model: 'wikitext',
    html: expect.stringContaining('recorded'),
  })
  expect(await wiki(['show', 'None', '--work'], { cwd })).toMatchObject({ status: 2 })
  mkdirSync(join(cwd, 'notes'))
  writeFileSync(join(cwd, 'notes/Low tide.markdown'), 'Mud.\n')
  for (const name of ['Notes/Low tide', 'notes/Low_tide', 'notes/Low tide.markdown'])
    expect(await out('show', name, '--work')).toContain('Mud.')
  for (const words of [
    ['page', 'get', 'Tides', '--work', '--meta'],
    ['show', 'Tides', '--work', '--at', '@latest'],
  ])
    expect(await wiki(words, { cwd })).toMatchObject({ status: 2, stdout: '' })
})

test('no content of a page controls the terminal', async () => {
  const evil = '\u001b[2J\u009b1m\u202e'
  const text = `== ${evil} ==\n[[${evil}|a]] ${evil}\n\n ${evil}\n{|\n|${evil}\n|}\n[https://e.org/${evil} b]\n`
  const cwd = await gitWiki([{ files: { 'Evil.wiki': text }, message: 'x' }])
  const { stdout } = await wiki(['show', 'Evil'], { cwd, tty: ['stdout'] })
  expect(stdout.replace(/\u001b\[\d+m/g, '')).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/)
})
