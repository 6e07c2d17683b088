/**
 * A repository that changes at random: by git, by commits that no git makes, and by the product. The choices of a step depend on the
 * seed and the step's number alone, so that a history without some of its steps is still the same one.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { writeSettings } from '../../src/operations/configure.ts'
import { deletePages } from '../../src/operations/delete-page.ts'
import { hideRevision } from '../../src/operations/hide-revision.ts'
import { importDump } from '../../src/operations/import-dump.ts'
import { migrateLayout } from '../../src/operations/migrate-layout.ts'
import { movePage } from '../../src/operations/move-page.ts'
import type { Wiki } from '../../src/operations/wiki.ts'
import { frameObject, hashFrame } from '../../src/store/git/objects.ts'
import { git, gitAs } from '../_setup.ts'
import { dumpOf } from '../operations/_dump.ts'
import { oddAuthors, oddHeaders, oddMessages } from '../store/_odd-commits.ts'
import { Chance, lfsPointer, mediaPaths, pagePath, pageText, settings, titles, words } from './_random-words.ts'

const people = [
  { name: 'Ada Example', address: 'ada@example.org' },
  { name: 'Bob Example', address: 'bob@example.org' },
  { name: '203.0.113.5', address: '' },
] as const

/** A wiki as a server has it. `request` returns the status. */
export interface Served {
  readonly wiki: Wiki
  readonly request: (method: string, target: string, body: object | string | Buffer) => Promise<number>
}

type Said = string | undefined
type Run = (chance: Chance, served: Served) => Said | Promise<Said>
type Step = readonly [name: string, weight: number, run: Run]

export class RandomWiki {
  readonly directory: string
  /** A line for each step. */
  readonly log: string[] = []
  readonly #seed: number
  /** Tips that the branch has had. */
  readonly #tips: string[] = []
  /** Objects that are away, and contents of Git LFS that are still to come. */
  readonly #away: { readonly from: string; readonly to: string }[] = []
  /** Seconds since 1970: the time of the next step. */
  time = Date.parse('2026-11-01T00:00:00Z') / 1000

  constructor(directory: string, seed: number) {
    this.directory = directory
    this.#seed = seed
  }

  /** True while an object is away. */
  get lacksObjects(): boolean {
    return this.#away.length > 0
  }

  begin(): void {
    this.#git('init', '-q', '.')
    const chance = new Chance(this.#seed)
    for (const path of ['A.wiki', 'B.md', 'Template/T.wiki', 'Category/C.wiki'])
      this.#write(path, pageText(chance, path))
    this.#write('File/P.png', picture(1))
    this.#commit('begin', chance)
    this.#tips.push(this.#git('rev-parse', 'HEAD'))
  }

  /** Makes one step. A command that git or the product refuses counts, too. */
  async step(number: number, served: Served): Promise<void> {
    const chance = new Chance(this.#seed * 1009 + number + 1)
    this.time += chance.pick([0, 1, 60, 86_400])
    const [name, run] = pickWeighted(chance, this.#steps)
    let said = ''
    // Without an object git refuses most commands.
    if (this.#away.length > 0 && chance.is(0.3)) this.#bringBack()
    try {
      said = (await run(chance, served)) ?? ''
    } catch (error) {
      said = `refused: ${(error as Error).message.split('\n').slice(0, 3).join(' ').slice(0, 200)}`
      this.#abort()
    }
    const tip = this.#git('rev-parse', 'HEAD')
    if (this.#tips.at(-1) !== tip) this.#tips.push(tip)
    this.log.push(`${number} ${name} ${said} -> ${tip.slice(0, 8)}`)
  }

  /** The steps by name, with how often they come. */
  readonly #steps: readonly Step[] = [
    ['commit', 14, chance => this.#edit(chance)],
    ['delete', 5, chance => this.#delete(chance)],
    ['git mv', 6, chance => this.#move(chance)],
    ['second file of a title', 3, chance => this.#twin(chance)],
    ['settings', 8, chance => this.#settings(chance)],
    ['home', 2, chance => this.#home(chance)],
    ['amend', 3, chance => this.#amend(chance)],
    ['reset', 4, chance => this.#git('reset', '-q', '--hard', `HEAD~${1 + chance.below(4)}`)],
    ['reset to any', 3, chance => this.#git('reset', '-q', '--hard', chance.pick(this.#tips))],
    ['merge', 4, chance => this.#merge(chance, 1 + chance.below(3))],
    ['rebase', 3, chance => this.#rebase(chance)],
    ['revert', 3, chance => this.#git('revert', '--no-edit', `HEAD~${chance.below(3)}`)],
    ['pull', 3, chance => this.#pull(chance)],
    ['push', 2, () => this.#push()],
    ['odd commits', 4, chance => this.#oddCommits(chance, 1 + chance.below(3))],
    ['many commits', 2, chance => this.#oddCommits(chance, 34 + chance.below(10))],
    ['fast-export', 1, chance => this.#rewrite(chance)],
    ['pack', 1, () => this.#git('repack', '-adq')],
    ['lfs', 3, chance => this.#lfs(chance)],
    ['missing object', 2, chance => this.#missing(chance)],
    ['objects come', 4, () => this.#bringBack()],
    ['create', 5, (chance, served) => this.#create(chance, served)],
    ['save', 8, (chance, served) => this.#save(chance, served)],
    ['undo', 2, (chance, served) => this.#undo(chance, served)],
    ['restore page', 2, (chance, served) => this.#restore(chance, served)],
    ['upload', 3, (chance, served) => this.#upload(chance, served)],
    ['move', 3, (chance, served) => this.#movePage(chance, served)],
    ['delete page', 3, (chance, served) => this.#deletePage(chance, served)],
    ['configure', 2, (chance, served) => this.#configure(chance, served)],
    ['hide', 4, (chance, served) => this.#hide(chance, served)],
    ['import', 2, (chance, served) => this.#import(chance, served)],
    ['migrate layout', 1, (chance, served) => this.#migrate(chance, served)],
  ]

  #git(...parameters: string[]): string {
    return git(this.directory, ...parameters)
  }

  #abort(): void {
    for (const command of ['merge', 'rebase', 'cherry-pick', 'revert'])
      try {
        this.#git(command, '--abort')
      } catch {}
    try {
      this.#git('reset', '-q', '--hard')
    } catch {}
    try {
      this.#git('checkout', '-q', 'main')
    } catch {}
  }

  #edit(chance: Chance): string {
    const paths = this.#paths(chance, 1 + chance.below(3))
    for (const path of paths) this.#write(path, contentOf(path, chance))
    return `${paths.join(', ')} ${this.#commit('edit', chance)}`
  }

  #delete(chance: Chance): string {
    const path = chance.pick(this.#files())
    this.#git('rm', '-q', '--', path)
    return `${path} ${this.#commit('delete', chance)}`
  }

  #move(chance: Chance): string {
    const from = chance.pick(this.#files())
    const other = pagePath(chance)
    const stem = from.replace(/\.[a-z]+$/, '')
    const to = chance.is(0.5) ? `${stem}.${chance.pick(['wiki', 'md', 'txt', 'mediawiki'])}` : other
    mkdirSync(dirname(join(this.directory, to)), { recursive: true })
    this.#git('mv', '-f', '--', from, to)
    return `${from} to ${to} ${this.#commit('mv', chance)}`
  }

  /** Also names that differ only in case, or in a space. */
  #twin(chance: Chance): string {
    const from = chance.pick(this.#files())
    const stem = from.replace(/\.[a-z]+$/, '')
    const to = `${chance.pick([stem, stem.toLowerCase(), stem.replaceAll('_', ' ')])}.${chance.pick(['wiki', 'md', 'wikitext', 'txt'])}`
    this.#write(to, pageText(chance, to))
    return `${to} ${this.#commit('twin', chance)}`
  }

  #settings(chance: Chance): string {
    const config = this.#config()
    const changed = Array.from({ length: 1 + chance.below(2) }, () => {
      const [key, values] = chance.pick(settings)
      const value = chance.pick(values)
      if (value === undefined) delete config[key]
      else config[key] = value
      return `${key}=${JSON.stringify(value)}`
    })
    this.#write('wiki.json', chance.is(0.04) ? '{"name": "x",}\n' : `${JSON.stringify(config, null, 2)}\n`)
    return `${changed.join(' ')} ${this.#commit('settings', chance)}`
  }

  #config(): Record<string, unknown> {
    try {
      return JSON.parse(readFileSync(join(this.directory, 'wiki.json'), 'utf8'))
    } catch {
      return {}
    }
  }

  #home(chance: Chance): string {
    const path = chance.pick(['Home.md', '_Sidebar.md', 'docs/Home.md'])
    const isThere = existsSync(join(this.directory, path))
    if (isThere) this.#git('rm', '-q', '--', path)
    else this.#write(path, pageText(chance, path))
    return `${path} ${this.#commit('home', chance)}`
  }

  #amend(chance: Chance): Said {
    const path = this.#paths(chance, 1)[0] as string
    if (chance.is(0.5)) this.#write(path, contentOf(path, chance))
    this.#git('add', '-A')
    return this.#as(chance, 'commit', '-q', '--amend', '--allow-empty', '-m', `amended ${chance.below(100)}`)
  }

  #merge(chance: Chance, sides: number): string {
    const names = Array.from({ length: sides }, (_, at) => `side${at}`)
    const base = chance.is(0.5) ? 'HEAD' : 'HEAD~2'
    for (const name of names) {
      this.#git('checkout', '-q', '-B', name, base)
      for (let left = 1 + chance.below(2); left > 0; left--) this.#edit(chance)
    }
    this.#git('checkout', '-q', 'main')
    const strategy = sides > 1 ? [] : chance.pick([[], ['-s', 'ours'], ['-X', 'theirs']])
    const message = chance.pick([[], ['-m', "Merge branch 'main' of http://x/y"], ['-m', 'joined']])
    this.#as(chance, 'merge', '-q', '--no-edit', chance.pick(['--no-ff', '--ff']), ...strategy, ...message, ...names)
    return `${sides} ${strategy.join(' ')}`
  }

  #rebase(chance: Chance): Said {
    this.#git('checkout', '-q', '-B', 'onto', `HEAD~${1 + chance.below(3)}`)
    this.#edit(chance)
    this.#git('checkout', '-q', 'main')
    return this.#as(chance, 'rebase', '-q', '-X', 'theirs', 'onto')
  }

  /** From here on main has an upstream branch, and what it has more is provisional. */
  #push(): Said {
    this.#git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    this.#git('config', 'remote.origin.url', 'http://example.org/x')
    this.#git('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*')
    this.#git('config', 'branch.main.remote', 'origin')
    return this.#git('config', 'branch.main.merge', 'refs/heads/main')
  }

  #pull(chance: Chance): Said {
    if (!this.#git('for-each-ref', 'refs/remotes/origin/main')) this.#push()
    this.#git('checkout', '-q', '--detach', 'refs/remotes/origin/main')
    this.#edit(chance)
    this.#git('update-ref', 'refs/remotes/origin/main', 'HEAD')
    this.#git('checkout', '-q', 'main')
    if (chance.is(0.5)) return this.#as(chance, 'rebase', '-q', '-X', 'theirs', 'origin/main')
    return this.#as(chance, 'merge', '-q', '-X', 'theirs', '--no-edit', 'origin/main')
  }

  /** Commits written object by object; each changes one file. */
  #oddCommits(chance: Chance, count: number): string {
    const tree = this.#tree()
    let parent = this.#git('rev-parse', 'HEAD')
    const made: string[] = []
    for (let left = count; left > 0; left--) {
      const path = pagePath(chance)
      if (chance.is(0.15)) tree.delete(chance.pick([...tree.keys()]))
      tree.set(path, `100644 ${this.#object('blob', Buffer.from(pageText(chance, path)))}`)
      for (const other of tree.keys())
        if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) tree.delete(other)
      const parents = [parent, ...(chance.is(0.05) ? [chance.pick(this.#tips)] : [])]
      const [author, message] = [chance.pick(oddAuthors), chance.pick(oddMessages)]
      made.push(`${oddAuthors.indexOf(author)}/${oddMessages.indexOf(message)}`)
      const head = `tree ${this.#treeObject(tree)}\n${[...new Set(parents)].map(one => `parent ${one}\n`).join('')}`
      const people = `author ${author}\ncommitter Ada <ada@example.org> ${this.time} +0000\n`
      const content = Buffer.from(`${head}${people}${chance.pick(oddHeaders)}\n${message}`, 'latin1')
      parent = this.#object('commit', content)
    }
    this.#git('reset', '-q', '--hard', parent)
    return `${count}: ${made.slice(0, 5).join(' ')}`
  }

  /** As `git filter-branch` and `git fast-export | git fast-import --force`: the same commits by another author. */
  #rewrite(chance: Chance): string {
    const count = 1 + chance.below(6)
    this.#git('rebase', '-q', '--reset-author-date', `HEAD~${count}`)
    return String(count)
  }

  #lfs(chance: Chance): string {
    const path = chance.pick(['A.wiki', 'B.md', 'Tide_times.wiki', 'File/P.png'])
    const content = path.endsWith('.png') ? picture(chance.below(9)) : Buffer.from(pageText(chance, path))
    const hash = createHash('sha256').update(content).digest('hex')
    this.#write(path, lfsPointer(hash, content.length))
    const folder = join(this.directory, '.git/lfs/objects', hash.slice(0, 2), hash.slice(2, 4))
    const [from, to] = [join(folder, hash), join(folder, `${hash}.away`)]
    mkdirSync(folder, { recursive: true })
    const isHere = chance.is(0.4)
    writeFileSync(isHere ? from : to, content)
    if (!isHere) this.#away.push({ from, to })
    return `${path} ${isHere ? 'here' : 'away'} ${this.#commit('lfs', chance)}`
  }

  /** Commits a text whose object this clone lacks from the first, as a partial clone or a half copied repository does. */
  #missing(chance: Chance): string {
    const [path] = this.#paths(chance, 1)
    if (path === undefined) return ''
    this.#write(path, contentOf(path, chance))
    const hash = this.#git('hash-object', '--', path)
    const from = join(this.directory, '.git/objects', hash.slice(0, 2), hash.slice(2))
    if (existsSync(from)) return 'known'
    this.#commit('missing', chance)
    if (!existsSync(from)) return 'packed'
    const to = `${from}.away`
    renameSync(from, to)
    this.#away.push({ from, to })
    return path
  }

  #bringBack(): string {
    const count = this.#away.length
    for (const { from, to } of this.#away.splice(0)) {
      if (existsSync(from)) rmSync(to, { force: true })
      else if (existsSync(to)) renameSync(to, from)
    }
    return String(count)
  }

  async #create(chance: Chance, { request }: Served): Promise<string> {
    const title = chance.pick(titles)
    const model = chance.pick(['markdown', 'wikitext'])
    const source = pageText(chance, model === 'markdown' ? 'x.md' : 'x.wiki')
    const body = { title, source, comment: 'created', content_model: chance.is(0.5) ? model : null }
    return `${title}: ${await request('POST', '/v1/page', body)}`
  }

  async #save(chance: Chance, { wiki, request }: Served): Promise<string> {
    const title = await this.#title(chance, wiki)
    const page = wiki.store.findPage(title.replaceAll(' ', '_'))
    const latest = page === undefined ? undefined : { id: page.latest }
    const source = pageText(chance, page?.path ?? 'x.wiki')
    const body = { source, comment: chance.pick(words), latest }
    return `${title}: ${await request('PUT', `/v1/page/${encodeURIComponent(title)}`, body)}`
  }

  async #undo(chance: Chance, { wiki, request }: Served): Promise<string> {
    const title = await this.#title(chance, wiki)
    const page = wiki.store.findPage(title.replaceAll(' ', '_'))
    const revision = (page?.latest ?? 1) - chance.pick([0, 0, 1, 2])
    return `${title}: ${await request('POST', `/v1/page/${encodeURIComponent(title)}/undo`, { revision })}`
  }

  async #restore(chance: Chance, { request }: Served): Promise<string> {
    const title = chance.pick(titles)
    return `${title}: ${await request('POST', `/v1/page/${encodeURIComponent(title)}/restore`, {})}`
  }

  async #upload(chance: Chance, { request }: Served): Promise<string> {
    const name = chance.pick(['P.png', 'Q.svg'])
    if (chance.is(0.3)) return `${name}: ${await request('DELETE', `/v1/file/${name}`, {})}`
    const content = contentOf(name, chance)
    return `${name}: ${await request('PUT', `/v1/file/${name}?comment=x`, content)}`
  }

  async #movePage(chance: Chance, { wiki }: Served): Promise<string> {
    const [from, to] = [await this.#title(chance, wiki), chance.pick(titles)]
    const options = { redirect: chance.is(0.5), updateLinks: chance.is(0.5) }
    await movePage(wiki, { from, to, ...options, ...this.#by(chance) })
    return `${from} to ${to}`
  }

  async #deletePage(chance: Chance, { wiki }: Served): Promise<string> {
    const title = await this.#title(chance, wiki)
    await deletePages(wiki, { titles: [title], ...this.#by(chance) })
    return title
  }

  async #configure(chance: Chance, { wiki }: Served): Promise<string> {
    const values = chance.pick<Record<string, string>>([
      { name: 'Quay' },
      { links: 'gollum' },
      { language: 'de' },
      { bots: 'bob@example.org' },
    ])
    await writeSettings(wiki, { values, ...this.#by(chance) })
    return JSON.stringify(values)
  }

  async #hide(chance: Chance, { wiki }: Served): Promise<string> {
    await wiki.store.refresh()
    const id = Math.max(1, wiki.store.lastRevisionId - chance.below(12))
    const parts = chance.some(['text', 'comment', 'user'] as const, 0.5)
    await hideRevision(wiki, { id, parts, reason: 'r', ...this.#by(chance) })
    return `${id} ${parts.join()}`
  }

  async #import(chance: Chance, { wiki }: Served): Promise<string> {
    const title = chance.pick(titles)
    const revisions = Array.from({ length: 1 + chance.below(3) }, () => ({
      text: pageText(chance, 'x.wiki'),
      time: new Date(1000 * (this.time - chance.below(1e8))).toISOString().replace('.000', ''),
    }))
    const dump = dumpOf([{ title, revisions }])
    await importDump(wiki, { dump: bytesOf(dump), name: 'x.xml', merge: true, author: people[0] })
    return title
  }

  async #migrate(chance: Chance, { wiki }: Served): Promise<string> {
    const layout = wiki.store.config.layout === 'sharded' ? 'folders' : 'sharded'
    await migrateLayout(wiki, { layout, ...this.#by(chance) })
    return layout
  }

  #by(chance: Chance) {
    return { author: chance.pick(people), comment: chance.pick(words), time: new Date(this.time * 1000) }
  }

  async #title(chance: Chance, wiki: Wiki): Promise<string> {
    await wiki.store.refresh()
    const pages = [...wiki.store.pages()].map(({ title }) => title)
    return chance.is(0.15) || pages.length === 0 ? chance.pick(titles) : chance.pick(pages)
  }

  #paths(chance: Chance, count: number): string[] {
    const own = this.#files()
    return Array.from({ length: count }, () =>
      chance.is(0.5) && own.length > 0
        ? chance.pick(own)
        : chance.is(0.15)
          ? chance.pick(mediaPaths)
          : pagePath(chance),
    ).filter(path => path !== 'wiki.json')
  }

  #files(): string[] {
    const all = this.#git('ls-files', '-z').split('\0').filter(Boolean)
    return all.filter(path => path !== 'wiki.json')
  }

  #write(path: string, content: string | Buffer): void {
    const file = join(this.directory, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }

  #commit(message: string, chance: Chance): string {
    this.#git('add', '-A')
    const text = chance.pick([message, `${message}\n\nWiki-Minor: true`, `${message} ${chance.pick(words)}`])
    this.#as(chance, 'commit', '-q', '--no-verify', '--allow-empty-message', '-m', text)
    return ''
  }

  /** Runs git as one of the people, at a time that may lie before that of the commits before. */
  #as(chance: Chance, ...parameters: string[]): Said {
    const { name, address } = chance.pick(people)
    const time = this.time - (chance.is(0.1) ? chance.below(1e7) : 0)
    return gitAs(
      { name, address: address || 'none@example.org', time: `@${time} +0000` },
      this.directory,
      ...parameters,
    )
  }

  #tree(): Map<string, string> {
    const lines = this.#git('ls-tree', '-r', '-z', 'HEAD').split('\0').filter(Boolean)
    return new Map(lines.map(line => [line.slice(line.indexOf('\t') + 1), `${line.slice(0, 6)} ${line.slice(12, 52)}`]))
  }

  #treeObject(files: ReadonlyMap<string, string>): string {
    const folders = new Map<string, Map<string, string>>()
    const entries: [name: string, mode: string, hash: string][] = []
    for (const [path, entry] of files) {
      const slash = path.indexOf('/')
      const [mode, hash] = entry.split(' ') as [string, string]
      if (slash === -1) entries.push([path, mode, hash])
      else {
        const folder = folders.get(path.slice(0, slash)) ?? new Map()
        folders.set(path.slice(0, slash), folder.set(path.slice(slash + 1), entry))
      }
    }
    for (const [name, inside] of folders) entries.push([name, '40000', this.#treeObject(inside)])
    const key = ([name, mode]: (typeof entries)[number]) => Buffer.from(mode === '40000' ? `${name}/` : name)
    entries.sort((one, other) => Buffer.compare(key(one), key(other)))
    const rows = entries.map(([name, mode, hash]) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(hash, 'hex')]),
    )
    return this.#object('tree', Buffer.concat(rows))
  }

  #object(type: 'blob' | 'tree' | 'commit', content: Buffer): string {
    const frame = frameObject(type, content)
    const hash = hashFrame(frame)
    const file = join(this.directory, '.git/objects', hash.slice(0, 2), hash.slice(2))
    mkdirSync(dirname(file), { recursive: true })
    if (!existsSync(file)) writeFileSync(file, deflateSync(frame), { mode: 0o444 })
    return hash
  }
}

function pickWeighted(chance: Chance, steps: readonly Step[]) {
  let left = chance.number() * steps.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [name, weight, run] of steps) {
    left -= weight
    if (left < 0) return [name, run] as const
  }
  throw new Error('no step is left')
}

function contentOf(path: string, chance: Chance): string | Buffer {
  if (path.endsWith('.png')) return picture(chance.below(9))
  if (path.endsWith('.svg'))
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${1 + chance.below(9)}" height="4"/>\n`
  if (path.endsWith('.pdf')) return '%PDF-1.4\n'
  return pageText(chance, path)
}

/** The beginning of a PNG of this width. */
function picture(width: number): Buffer {
  const head = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  const size = Buffer.alloc(13)
  size.writeUInt32BE(width + 1, 0)
  size.writeUInt32BE(4, 4)
  size.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([head, size, Buffer.alloc(4)])
}

async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}
