import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { AwaitedFiles } from '../../src/files/awaited-files.ts'
import { blamePage } from '../../src/operations/blame-page.ts'
import { checkChange } from '../../src/operations/check-change.ts'
import { checkWiki } from '../../src/operations/check-wiki.ts'
import { compareRevisions } from '../../src/operations/compare-revisions.ts'
import { exportDump, exportFiles } from '../../src/operations/export-dump.ts'
import { listFiles } from '../../src/operations/list-files.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { openFile } from '../../src/operations/open-file.ts'
import { pageHistory } from '../../src/operations/page-history.ts'
import { incomingLinks } from '../../src/operations/page-links.ts'
import { readFile } from '../../src/operations/read-file.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { renderPage } from '../../src/operations/render-page.ts'
import { replaceText } from '../../src/operations/replace-text.ts'
import { searchPages } from '../../src/operations/search-pages.ts'
import { wikiStatus } from '../../src/operations/status.ts'
import { updatePage } from '../../src/operations/update-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { createApp } from '../../src/rest/app.ts'
import { readPointer, textContent } from '../../src/store/git/lfs.ts'
import { git, needsGit } from '../_setup.ts'
import { newWiki } from './_wiki.ts'

beforeEach(context => needsGit(context))

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const oid = createHash('sha256').update(pixel).digest('hex')
const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${pixel.length}\n`

/** A wiki with one picture under Git LFS, as a clone without git-lfs has it, and the place where its content belongs. */
async function wikiOfPointer(): Promise<{ wiki: Wiki; place: string }> {
  const { wiki, directory } = await newWiki({ A: '[[File:Dot.png]]' })
  writeFileSync(join(directory, 'Dot.png'), pointer)
  git(directory, 'add', '-A')
  git(directory, 'commit', '-q', '-m', 'A picture')
  const place = join(directory, '.git/lfs/objects', oid.slice(0, 2), oid.slice(2, 4), oid)
  mkdirSync(dirname(place), { recursive: true })
  return { wiki, place }
}

async function bytesOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}

const base = 'http://localhost/v1'

describe('a pointer of Git LFS', () => {
  test('is read as the content it refers to', { tags: 'long' }, async () => {
    const { wiki, place } = await wikiOfPointer()
    writeFileSync(place, pixel)
    const { file } = await readFile(wiki, { title: 'Dot.png', base })
    expect(file.original).toMatchObject({ mediatype: 'BITMAP', size: pixel.length, width: 1, height: 1 })
    expect(await bytesOf((await openFile(wiki, 'Dot.png')).content())).toEqual(pixel)
    expect((await listFiles(wiki)).files).toMatchObject([{ size: pixel.length }])
    expect((await renderPage(wiki, { title: 'A' })).html).toContain('<img resource="./File:Dot.png"')
    expect((await checkWiki(wiki)).problems).toEqual([])
  })

  test.each([
    ['is missing', () => {}],
    ['is not whole', (place: string) => writeFileSync(place, pixel.subarray(1))],
    ['is damaged', (place: string) => writeFileSync(place, Buffer.from(pixel).fill(0, 40, 50))],
    ['is a folder', (place: string) => mkdirSync(place)],
  ])('whose content %s is reported, with the solution', async (_, make) => {
    const { wiki, place } = await wikiOfPointer()
    make(place)
    const { file } = await readFile(wiki, { title: 'Dot.png', base })
    expect(file.original).toMatchObject({ mediatype: 'BITMAP', size: pixel.length, width: null, height: null })
    await expect(openFile(wiki, 'Dot.png')).rejects.toMatchObject({ code: 'wiki-lfs-missing', hint: 'git lfs pull' })
    expect((await checkWiki(wiki)).problems).toMatchObject([{ kind: 'missing-content', path: 'Dot.png' }])
    const response = await createApp(wiki).fetch(new Request('http://localhost/files/Dot.png'))
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ errorKey: 'wiki-lfs-missing' })
  })

  test('is looked up again, because its content may arrive later', { tags: 'long' }, async () => {
    const { wiki, place } = await wikiOfPointer()
    await expect(openFile(wiki, 'Dot.png')).rejects.toMatchObject({ code: 'wiki-lfs-missing' })
    writeFileSync(place, pixel)
    expect((await readFile(wiki, { title: 'Dot.png', base })).file.original).toMatchObject({ width: 1 })
    rmSync(place)
    await expect(openFile(wiki, 'Dot.png')).rejects.toMatchObject({ code: 'wiki-lfs-missing' })
  })
})

/** A filter that does what git-lfs does, without a server. */
const lfsScript = `#!/bin/sh
top=$(git rev-parse --git-common-dir)/lfs/objects
case $1 in
clean)
  t=$(mktemp); cat > "$t"
  if head -c 9 "$t" | grep -q '^version h'; then cat "$t"; rm "$t"; exit; fi
  oid=$(sha256sum < "$t" | cut -d' ' -f1); size=$(wc -c < "$t" | tr -d ' ')
  place=$top/$(echo $oid | cut -c1-2)/$(echo $oid | cut -c3-4)
  mkdir -p "$place"; mv "$t" "$place/$oid"
  printf 'version https://git-lfs.github.com/spec/v1\\noid sha256:%s\\nsize %s\\n' "$oid" "$size" ;;
smudge)
  t=$(mktemp); cat > "$t"
  oid=$(sed -n 's/^oid sha256://p' "$t")
  cat "$top/$(echo $oid | cut -c1-2)/$(echo $oid | cut -c3-4)/$oid" 2>/dev/null || cat "$t"; rm "$t" ;;
esac
`

/** A wiki whose Markdown pages are under Git LFS. `Tides` has two revisions; `Other` is a plain page. */
async function wikiInLfs() {
  const { wiki, directory } = await newWiki({ Other: 'A [[Tides]]' })
  const script = join(directory, '.git', 'lfs.sh')
  writeFileSync(script, lfsScript, { mode: 0o755 })
  const configure = (folder: string) => {
    git(folder, 'config', 'filter.lfs.clean', `sh ${script} clean`)
    git(folder, 'config', 'filter.lfs.smudge', `sh ${script} smudge`)
    git(folder, 'config', 'filter.lfs.required', 'true')
  }
  configure(directory)
  writeFileSync(join(directory, '.gitattributes'), '*.md filter=lfs diff=lfs merge=lfs -text\n')
  for (const text of ['# Tides\n\nFirst water. See [[Other]].\n', '# Tides\n\nHigh water. See [[Other]].\n']) {
    writeFileSync(join(directory, 'Tides.md'), text)
    git(directory, 'add', '-A')
    git(directory, 'commit', '-q', '-m', text.slice(9, 20))
  }
  const objects = join(directory, '.git', 'lfs', 'objects')
  const latest = () => wiki.store.findPage('Tides')?.latest ?? 0
  await wiki.store.refresh()
  return { wiki, directory, objects, latest, stored: () => git(directory, 'show', 'HEAD:Tides.md') }
}

const author = { name: 'Ann', address: 'ann@example.org' }

describe('a page in Git LFS', () => {
  test('is read, compared, searched and exported as its content', { tags: 'long' }, async () => {
    const { wiki, stored } = await wikiInLfs()
    expect(stored()).toContain('version https://git-lfs')
    const page = await readPage(wiki, { title: 'Tides', base })
    expect(page).toMatchObject({ source: '# Tides\n\nHigh water. See [[Other]].' })
    const [latest, first] = (await pageHistory(wiki, { title: 'Tides', base })).revisions
    expect([latest?.size, first?.size]).toEqual(['# Tides\n\nHigh water. See [[Other]].'.length, 36])
    expect((await renderPage(wiki, { title: 'Tides' })).html).toContain('High water.')
    const { diff } = await compareRevisions(wiki, { from: first?.id ?? 0, to: latest?.id ?? 0 })
    expect(diff.map(({ text }) => text)).toContain('FirstHigh water. See [[Other]].')
    expect((await searchPages(wiki, { q: 'water' })).pages).toMatchObject([{ title: 'Tides' }])
    expect(JSON.stringify(await blamePage(wiki, { title: 'Tides' }))).toContain('High')
    expect((await incomingLinks(wiki, { title: 'Other' })).members).toMatchObject([{ title: 'Tides' }])
    let dump = ''
    for await (const piece of exportDump(wiki)) dump += piece
    expect(dump).toContain('High water.')
    expect(dump).not.toContain('git-lfs')
    expect((await checkWiki(wiki)).problems).toEqual([])
    expect((await checkChange(wiki, { from: 'HEAD~1', to: 'HEAD', sinceParting: false })).problems).toEqual([])
  })

  test('passes the filter when it is edited, and is refused where the filter is not configured', {
    tags: 'long',
  }, async () => {
    const { wiki, directory, latest, stored } = await wikiInLfs()
    const edit = { title: 'Tides', source: '# Tides\n\nLow water.', author, comment: '' }
    await updatePage(wiki, { ...edit, base: latest() })
    expect(readPointer(Buffer.from(stored()))).toMatchObject({ size: '# Tides\n\nLow water.\n'.length })
    expect(readFileSync(join(directory, 'Tides.md'), 'utf8')).toBe('# Tides\n\nLow water.\n')
    expect(git(directory, 'status', '--porcelain')).toBe('')
    git(directory, 'config', '--remove-section', 'filter.lfs')
    const tip = git(directory, 'rev-parse', 'HEAD')
    await expect(updatePage(wiki, { ...edit, source: 'Other', base: latest() })).rejects.toMatchObject({
      code: 'wiki-conversion-failed',
    })
    expect(git(directory, 'rev-parse', 'HEAD')).toBe(tip)
  })

  test('is compared with its file without the program of the filter', { tags: 'long' }, async () => {
    const { wiki, directory } = await wikiInLfs()
    git(directory, 'config', 'filter.lfs.clean', `touch ${join(directory, 'ran')}; cat`)
    const changes = async () => (await wikiStatus(wiki)).changes.map(({ path, kind, filter }) => [path, kind, filter])
    const text = readFileSync(join(directory, 'Tides.md'))
    writeFileSync(join(directory, 'Tides.md'), text)
    expect(await changes()).toEqual([])
    writeFileSync(join(directory, 'Tides.md'), `${text}more\n`)
    expect(await changes()).toEqual([['Tides.md', 'modified', undefined]])
    expect(existsSync(join(directory, 'ran'))).toBe(false)
  })

  test('is left alone by what rewrites many pages, and no pointer is saved as a text', { tags: 'long' }, async () => {
    const { wiki, latest, stored } = await wikiInLfs()
    const before = stored()
    const found = await replaceText(wiki, { find: 'High', replacement: 'Low', author, comment: '' })
    expect(found).toMatchObject({ unread: ['Tides'], pages: [] })
    const moved = await movePage(wiki, { from: 'Other', to: 'Another', author, comment: '', updateLinks: true })
    expect(moved.links).toMatchObject({ unread: ['Tides'] })
    expect(stored()).toBe(before)
    await expect(
      updatePage(wiki, { title: 'Tides', source: before, author, comment: '', base: latest() }),
    ).rejects.toMatchObject({
      code: 'wiki-conversion-failed',
    })
    await movePage(wiki, { from: 'Tides', to: 'Waters', author, comment: '' })
    expect((await readPage(wiki, { title: 'Waters', base })).source).toContain('High water.')
  })

  test('whose content is missing is an error that names it, and a row of the check; the other pages are served', {
    tags: 'long',
  }, async () => {
    const { wiki, objects, latest } = await wikiInLfs()
    renameSync(objects, `${objects}.away`)
    const isMissing = { code: 'wiki-lfs-missing', message: expect.stringContaining('Tides'), hint: 'git lfs pull' }
    await expect(readPage(wiki, { title: 'Tides', base })).rejects.toMatchObject(isMissing)
    await expect(renderPage(wiki, { title: 'Tides' })).rejects.toMatchObject(isMissing)
    await expect(
      updatePage(wiki, { title: 'Tides', source: 'New', author, comment: '', base: latest() }),
    ).rejects.toMatchObject(isMissing)
    const response = await createApp(wiki).fetch(new Request(`${base}/page/Tides`))
    expect([response.status, await response.json()]).toMatchObject([404, { errorKey: 'wiki-lfs-missing' }])
    expect((await searchPages(wiki, { q: 'Other' })).pages).toMatchObject([{ title: 'Other' }])
    expect((await incomingLinks(wiki, { title: 'Tides' })).members).toMatchObject([{ title: 'Other' }])
    expect((await movePage(wiki, { from: 'Other', to: 'Another', author, comment: '' })).to.title).toBe('Another')
    const row = [{ kind: 'missing-content', path: 'Tides.md' }]
    expect((await checkWiki(wiki)).problems).toMatchObject(row)
    const { problems } = await checkChange(wiki, { from: 'HEAD~2', to: 'HEAD', sinceParting: false })
    expect(problems.filter(({ kind }) => kind === 'missing-content')).toMatchObject(row)
    renameSync(`${objects}.away`, objects)
    expect((await readPage(wiki, { title: 'Tides', base })).source).toContain('High water.')
  })

  test('whose content is too large is refused, whatever its pointer says', async () => {
    const huge = pointer.replace(/size.*/, 'size 99999999999')
    await expect(
      textContent(Buffer.from(huge), { directory: '/nowhere', lacking: new AwaitedFiles() }),
    ).rejects.toMatchObject({
      code: 'rest-resource-limit-exceeded',
    })
  })
})

test('the files of an export are the contents of pointers', async () => {
  const { wiki, place } = await wikiOfPointer()
  writeFileSync(place, pixel)
  const folder = join(wiki.store.repository.workTree as string, '.git', 'out')
  expect(await exportFiles(wiki, folder)).toBe(1)
  expect(readFileSync(join(folder, 'Dot.png'))).toEqual(pixel)
  rmSync(place)
  await expect(exportFiles(wiki, folder)).rejects.toMatchObject({ code: 'wiki-lfs-missing' })
})

describe('text that is not a pointer', () => {
  test.each([
    ['another text', 'version 2\n'.repeat(20)],
    ['a path for an id', pointer.replace(oid, '../../../../etc/passwd')],
    ['an id that is too short', pointer.replace(oid, oid.slice(1))],
    ['no size', pointer.replace(/size.*/, '')],
    ['a longer text', pointer + 'x'.repeat(2000)],
  ])('%s', (_, text) => {
    expect(readPointer(Buffer.from(text))).toBeNull()
  })
})
