import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

/** For each folder, the folders that it may import. Files directly in src are listed themselves. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  core: [],
  files: ['core'],
  diff: ['core'],
  links: ['core'],
  checks: ['core'],
  search: ['core', 'files'],
  store: ['core', 'files'],
  wikitext: ['core', 'links'],
  html2wt: ['core'],
  html2md: [],
  media: ['core', 'files'],
  dump: ['core', 'files'],
  operations: [
    'core',
    'files',
    'links',
    'checks',
    'diff',
    'search',
    'store',
    'wikitext',
    'html2wt',
    'html2md',
    'media',
    'dump',
  ],
  client: [],
  http: ['core', 'operations'],
  rest: ['core', 'operations', 'http'],
  web: ['core', 'client', 'operations', 'http'],
  cli: ['core', 'files', 'checks', 'operations'],
  'index.ts': ['core', 'diff', 'wikitext', 'html2wt', 'html2md', 'operations'],
}

/**
 * Rooms of the larger folders: each to the rooms of its folder that it may import. Files directly in the folder are its face:
 * they may import every room, and no room imports them.
 */
const roomArrows: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  search: {
    text: [],
    words: [],
    segment: ['text', 'words'],
    query: ['text', 'words', 'segment'],
  },
  store: {
    format: [],
    repository: ['format'],
    git: ['format', 'repository'],
    index: ['format', 'repository', 'git'],
    acknowledged: ['format', 'repository', 'git', 'index'],
    'work-tree': ['format', 'repository', 'git', 'index'],
    import: ['format', 'repository', 'git', 'work-tree'],
  },
  operations: {
    access: [],
    caches: ['workers'],
    resources: ['access'],
    comparing: ['resources'],
    acknowledged: ['access', 'comparing', 'workers'],
    workers: ['resources', 'comparing'],
    naming: ['access', 'resources', 'workers'],
    rendering: ['access', 'caches', 'resources', 'workers', 'naming'],
    editing: ['access', 'resources', 'rendering', 'workers'],
    searching: ['access', 'resources', 'naming', 'workers'],
    importing: ['resources', 'editing'],
    'work-tree': ['access', 'resources', 'comparing', 'editing'],
    checking: ['access', 'resources', 'rendering', 'naming', 'linking', 'work-tree'],
    linking: ['access', 'resources', 'naming', 'workers'],
    renaming: ['access', 'resources', 'workers', 'naming', 'linking'],
  },
}

/** Rooms that must not know each other: the first does not import the second. */
const strangers: readonly (readonly [from: string, to: string])[] = [
  ['src/wikitext/functions/', 'src/wikitext/expand/'],
  ['src/wikitext/expansion/', 'src/wikitext/expand/'],
  ['src/wikitext/expansion/', 'src/wikitext/functions/'],
]

/**
 * Groups of files with an import cycle by lazy imports, named by one of their files: tables with a row that is loaded on
 * demand and describes the whole table, such as help.
 */
const knownCircles: readonly string[] = ['src/cli/commands.ts', 'src/rest/routes.ts']

/** Exceptions: the file, its permitted imports (folders with a slash at the end), and the kind of import. */
const sideDoors: readonly (readonly [from: string, to: string, kind: Import['kind']])[] = [
  ['src/cli/commands/serve.ts', 'src/rest/', 'lazy'],
  ['src/cli/commands/serve.ts', 'src/web/', 'lazy'],
  ['src/cli/commands/serve.ts', 'src/http/', 'lazy'],
  ['src/web/client/', 'src/diff/', 'value'],
  ['src/web/client/', 'src/wikitext/preprocess/', 'value'],
  ['src/web/client/', 'src/wikitext/lint/types.ts', 'value'],
  ['src/index.ts', 'src/store/format/entries.ts', 'type'],
  ['src/html2wt/', 'src/wikitext/tree/', 'value'],
  ['src/html2wt/', 'src/wikitext/sanitize/', 'value'],
  ['src/html2wt/', 'src/wikitext/site.ts', 'value'],
  ['src/html2wt/', 'src/wikitext/wiki-source.ts', 'type'],
  ['src/html2wt/elements/gallery-lines.ts', 'src/wikitext/media/', 'value'],
  ['src/html2wt/elements/media.ts', 'src/wikitext/media/', 'type'],
  ['src/html2wt/elements/values.ts', 'src/wikitext/read-alone.ts', 'value'],
  ['src/html2wt/quote-guards.ts', 'src/wikitext/constructs/quotes.ts', 'value'],
  ['src/html2wt/quote-guards.ts', 'src/wikitext/tokenize/token.ts', 'type'],
  ['src/html2md/', 'src/wikitext/tree/', 'value'],
]

/** Third-party package to the folder that may name it. */
const packageHomes: Readonly<Record<string, string | readonly string[]>> = {
  'isomorphic-git': 'store',
  h3: ['http', 'rest'],
  listhen: 'rest',
  commander: 'cli',
  chalk: 'cli',
  minisearch: 'search',
  '@orama/stemmers': 'search',
  '@orama/stopwords': 'search',
  re2js: 'search',
  diff: 'diff',
  parse5: 'wikitext',
  'css-tree': 'wikitext',
  'highlight.js': 'wikitext',
  'markdown-it': 'wikitext',
  'markdown-it-footnote': 'wikitext',
  yaml: 'wikitext',
  sharp: 'media',
  'image-size': 'media',
  'music-metadata': 'media',
  saxes: 'dump',
  'ipaddr.js': 'http',
  '@codemirror/autocomplete': 'web',
  '@codemirror/commands': 'web',
  '@codemirror/lint': 'web',
  '@codemirror/search': 'web',
  '@codemirror/state': 'web',
  '@codemirror/view': 'web',
  'mdast-util-to-markdown': 'html2md',
  micromark: 'wikitext',
}

interface EnvironmentUse {
  /** A file, or a folder with a slash at the end. */
  readonly path: string
  /** Members of `process` that it may use; all of them, and the console, if none are named. */
  readonly members?: readonly string[]
  readonly why: string
}

/** The files that may use `process` or `console`, and why. */
const environmentUses: readonly EnvironmentUse[] = [
  { path: 'src/cli/', why: 'is the command line: arguments, streams, signals and environment come in here' },
  {
    path: 'src/store/',
    members: ['kill', 'geteuid', 'pid'],
    why: 'locks tell people the number of their process; git runs in repositories of our user, and is ended with the programs that it started',
  },
  {
    path: 'src/files/owner.ts',
    members: ['pid', 'kill', 'platform', 'hrtime'],
    why: 'locks name their process, and others ask whether it runs',
  },
  {
    path: 'src/files/life-sign.ts',
    members: ['platform', 'getBuiltinModule'],
    why: 'processes with locks show that they run, which needs a module that most commands do without',
  },
  {
    path: 'src/store/repository/environment.ts',
    members: ['env'],
    why: 'git gets our environment, without what would let it fetch',
  },
  {
    path: 'src/media/',
    members: ['execPath'],
    why: 'decoders run in a process of their own, which is another node like this one',
  },
  {
    path: 'src/files/unfinished.ts',
    members: ['prependListener', 'off', 'listenerCount', 'kill', 'pid'],
    why: 'temporary files go when a signal ends the process, which only their writer knows of',
  },
  {
    path: 'src/operations/workers/memory-limit.ts',
    members: ['memoryUsage'],
    why: 'processes of our own end above their memory',
  },
  {
    path: 'src/operations/workers/job-process.ts',
    members: ['argv', 'send', 'on', 'exit'],
    why: 'is the entry of a process: messages come in and go out here, and it ends above its memory',
  },
  {
    path: 'src/operations/searching/search-process.ts',
    members: ['argv', 'send', 'on', 'once', 'connected', 'disconnect', 'exit'],
    why: 'is the entry of a process: messages come in and go out here, and it ends above its memory',
  },
  {
    path: 'src/rest/request-queue.ts',
    members: ['nextTick'],
    why: 'ticks are the event loop, not the environment',
  },
]

/** Modules that give access to the terminal or the environment; only the files that may use `process` may import them. */
const environmentModules = ['node:process', 'node:console', 'node:readline', 'node:readline/promises', 'node:tty']

/** Names that do not describe the content. */
const namesWithoutSubject = ['utils', 'util', 'helpers', 'helper', 'common', 'shared', 'lib', 'misc']

/** Names of `node:fs` and `node:fs/promises` that change nothing; every file may import them. */
const readingNames: ReadonlySet<string> = new Set(
  'BigIntStats Dirent Stats accessSync closeSync constants existsSync fstatSync lstat lstatSync readSync readdir \
readdirSync readlinkSync realpathSync stat statSync watch FSWatcher'.split(' '),
)

/**
 * The files of `src/files` that change names or contents, and how they follow the two rules of `durable.ts`. Opening counts for every file
 * there; only the flags say what it is for.
 */
const writers: Readonly<Record<string, string>> = {
  'src/files/durable.ts': 'is the only one that syncs',
  'src/files/private-files.ts': 'notes each name that it changes; who publishes content syncs it before',
  'src/files/private-files-async.ts': 'caches, which have checksums, and outputs, which are written as by cp',
  'src/files/replace-file.ts': 'files of work trees: syncs contents, and notes the names',
  'src/files/life-sign.ts': 'signs of running processes, which mean nothing after a power cut',
  'src/files/open-folder.ts': 'makes folders of work trees; replace-file.ts notes them',
}
const changingNames = /^(?!open|read|exists|l?stat|fstat|close|access|realpath|createRead|watch|constants|[A-Z]).*$/

/** Names that wait for a pipe, and the files that may import them: for files that a user names, and those of the program itself. */
const waitingNames: ReadonlySet<string> = new Set(['createReadStream', 'readFile', 'readFileSync'])
const waitingReaders: ReadonlySet<string> = new Set([
  'src/cli/commands/diff-driver.ts',
  'src/cli/draft.ts',
  'src/cli/editor.ts',
  'src/dump/read-dump.ts',
  'src/operations/importing/import-files.ts',
  'src/web/assets.ts',
])

/** Files that pass the whole module to isomorphic-git, which uses it only for reading. */
const moduleUsers: readonly string[] = ['src/store/git/isomorphic.ts', 'src/store/work-tree/work-tree.ts']

interface Token {
  readonly kind: 'word' | 'string' | 'other'
  /** For a string, the text between the quotes. */
  readonly text: string
}

interface Import {
  readonly specifier: string
  /** `type` is erased by the compiler; `lazy` is `import()`. */
  readonly kind: 'value' | 'type' | 'lazy'
}

interface Module {
  /** From the project's top, slashes. */
  readonly path: string
  readonly tokens: readonly Token[]
  readonly imports: readonly Import[]
}

const lexeme = new RegExp(
  [
    /(?<blank>\s+|\/\/.*|\/\*[\s\S]*?\*\/)/,
    /'(?<single>(?:[^'\\\n]|\\[\s\S])*)'/,
    /"(?<double>(?:[^"\\\n]|\\[\s\S])*)"/,
    /(?<word>[\p{ID_Start}$_][\p{ID_Continue}$]*)/u,
    /\d[\w.]*|\.\.\.|[\s\S]/,
  ]
    .map(pattern => pattern.source)
    .join('|'),
  'uy',
)
const templatePart = /[`}](?:[^`\\$]|\\[\s\S]|\$(?!\{))*(?:`|\$\{)/uy
const regexLiteral = /\/(?!\*)(?:\[(?:[^\]\\\n]|\\.)*\]|[^/\\\n[]|\\.)+\/[a-z]*/uy

const wordsBeforeRegex = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'throw',
  'await',
  'yield',
])

/**
 * Splits TypeScript into tokens, just enough to distinguish code from comments, strings, templates and regular
 * expressions.
 */
function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  const braces: string[] = []
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(source)
  }
  while (at < source.length) {
    const resumesTemplate = source[at] === '}' && braces.pop() === '${'
    const found =
      (source[at] === '`' || resumesTemplate ? match(templatePart) : null) ??
      (source[at] === '/' && mayBeginRegex(tokens.at(-1)) ? match(regexLiteral) : null) ??
      match(lexeme)!
    at += found[0].length
    const { blank, single, double, word } = found.groups ?? {}
    if (blank !== undefined) continue
    if (found[0].endsWith('{')) braces.push(found[0].slice(-2))
    const string = single ?? double
    tokens.push({ kind: string !== undefined ? 'string' : word ? 'word' : 'other', text: string ?? found[0] })
  }
  return tokens
}

function mayBeginRegex(previous: Token | undefined): boolean {
  if (previous === undefined) return true
  if (previous.kind === 'word') return wordsBeforeRegex.has(previous.text)
  return previous.kind === 'other' && (previous.text.endsWith('{') || !/^[)\]}`\d]/.test(previous.text))
}

/** For each keyword, the position of the specifier after it; -1 if there is none. */
const clauseEnds = new Map([
  ['import', endOfImport],
  ['export', endOfExport],
])

/** Lists the imports of a file, in every form. */
function listImports(tokens: readonly Token[]): Import[] {
  return tokens.flatMap((token, index) => importAt(tokens, index, token) ?? [])
}

function importAt(tokens: readonly Token[], start: number, token: Token): Import | null {
  const [before, next, second] = [tokens[start - 1], tokens[start + 1], tokens[start + 2]]
  if (token.kind !== 'word' || before?.text === '.') return null
  if (token.text === 'import' && next?.text === '(') {
    const specifier = second?.kind === 'string' ? second.text : '(computed)'
    return { specifier, kind: before?.text === 'typeof' ? 'type' : 'lazy' }
  }
  const end = clauseEnds.get(token.text)?.(tokens, start) ?? -1
  if (end < 0) return null
  return { specifier: tokens[end]!.text, kind: next?.text === 'type' && second?.text !== 'from' ? 'type' : 'value' }
}

/** Lists the names that a file imports from the modules of the file system; a module as a whole counts as `*`. */
function fileSystemNames(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ kind, text }, end) => {
    if (kind !== 'string' || !/^(?:node:)?fs(?:\/promises)?$/.test(text) || tokens[end - 1]?.text !== 'from') return []
    const start = tokens.findLastIndex((token, index) => index < end && token.text === 'import')
    const clause = tokens.slice(start + 1, end - 1).map(token => token.text)
    if (clause[0] === 'type') return []
    if (clause[0] !== '{') return ['*']
    return clause.filter(
      (word, index) => /^\w/.test(word) && word !== 'type' && clause[index - 1] !== 'as' && word !== 'as',
    )
  })
}

function endOfImport(tokens: readonly Token[], start: number): number {
  const first = tokens[start + 1]
  const isClause = first !== undefined && (first.kind !== 'other' || first.text === '{' || first.text === '*')
  return isClause ? tokens.findIndex((token, index) => index > start && token.kind === 'string') : -1
}

function endOfExport(tokens: readonly Token[], start: number): number {
  const open = tokens[start + 1]?.text === 'type' ? start + 2 : start + 1
  const first = tokens[open]?.text
  if (first !== '{' && first !== '*') return -1
  const from = tokens.findIndex(
    (token, index) => index > open && token.text === 'from' && tokens[index + 1]?.kind === 'string',
  )
  const close = first === '{' ? tokens.findIndex((token, index) => index > open && token.text === '}') : -1
  return from < 0 || (close >= 0 && from !== close + 1) ? -1 : from + 1
}

/** Lists how a file uses `process` and `console`, as `process.pid`; properties and keys of that name do not count. */
function environmentUsesIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ kind, text }, index) => {
    if (kind !== 'word' || (text !== 'process' && text !== 'console')) return []
    const [before, dot, after, member] = [-2, -1, 1, 2].map(offset => tokens[index + offset]?.text)
    const isProperty = dot === '.' && before !== 'globalThis'
    if (isProperty || after === ':' || after === '?') return []
    return [after === '.' ? `${text}.${member}` : text]
  })
}

const top = fileURLToPath(new URL('..', import.meta.url))

function readModules(folder: string): Module[] {
  return readdirSync(join(top, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .map(file => {
      const tokens = tokenize(readFileSync(file, 'utf8'))
      return { path: file.slice(top.length).replaceAll('\\', '/'), tokens, imports: listImports(tokens) }
    })
}

const modules = readModules('src')
const paths = new Set(modules.map(module => module.path))

/** `src/store/index/record-writer.ts` to `store`, `src/index.ts` to `index.ts`. */
function folderOf(path: string): string {
  return path.split('/')[1] ?? ''
}

/** `src/store/index/record-writer.ts` to `index`; null for a file directly in its folder. */
function roomOf(path: string): string | null {
  const [, , room, file] = path.split('/')
  return file === undefined ? null : (room ?? null)
}

/** Path of our file that a specifier refers to; null for packages. */
function targetOf(module: Module, { specifier }: Import): string | null {
  return specifier.startsWith('.') ? posix.join(dirname(module.path), specifier) : null
}

/** Lists complaints about imports that `judge` rejects, one per line. */
function complaints(judge: (module: Module, imported: Import, target: string | null) => string | null): string[] {
  return modules.flatMap(module =>
    module.imports.flatMap(imported => {
      const fault = judge(module, imported, targetOf(module, imported))
      return fault === null ? [] : [`${module.path} imports ${imported.specifier}: ${fault}`]
    }),
  )
}

function covers(path: string, file: string): boolean {
  return path.endsWith('/') ? file.startsWith(path) : file === path
}

function isSideDoor(from: string, to: string, kind: Import['kind']): boolean {
  return sideDoors.some(door => covers(door[0], from) && covers(door[1], to) && (door[2] === kind || kind === 'type'))
}

function mayUse(file: string, use: string): boolean {
  return environmentUses.some(
    ({ path, members }) => covers(path, file) && (members?.some(member => use === `process.${member}`) ?? true),
  )
}

/** Walks value imports depth first, without recursion, and returns each import that closes a circle. */
function importCycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>()
  const cycles: string[] = []
  for (const start of graph.keys()) {
    const trail: string[] = []
    const work: (string | null)[] = [start]
    while (work.length > 0) {
      const path = work.pop()
      if (path === null || path === undefined) {
        done.add(trail.pop() ?? '')
      } else if (trail.includes(path)) {
        cycles.push([...trail.slice(trail.indexOf(path)), path].join(' > '))
      } else if (!done.has(path)) {
        trail.push(path)
        work.push(null, ...(graph.get(path) ?? []))
      }
    }
  }
  return cycles
}

/** Returns the groups of files that all reach each other. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map([...graph.keys()].map(path => [path, reachedFrom(graph, path)]))
  const circles = new Map<string, string[]>()
  for (const [path, others] of reached) {
    const circle = [...others].filter(other => reached.get(other)?.has(path)).sort()
    if (circle.length > 0) circles.set(circle.join(), circle)
  }
  return [...circles.values()]
}

function reachedFrom(graph: ReadonlyMap<string, readonly string[]>, start: string): Set<string> {
  const reached = new Set<string>()
  const work = [...(graph.get(start) ?? [])]
  for (let path = work.pop(); path !== undefined; path = work.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    work.push(...(graph.get(path) ?? []))
  }
  return reached
}

function valueGraph(): Map<string, string[]> {
  return new Map(
    modules.map(module => [
      module.path,
      module.imports
        .filter(imported => imported.kind === 'value')
        .flatMap(imported => targetOf(module, imported) ?? []),
    ]),
  )
}

describe('the sources', () => {
  test('are read: the tests below have something to check', () => {
    expect(modules.length).toBeGreaterThan(5)
    expect(modules.some(module => module.imports.length > 0)).toBe(true)
  })

  test('import only in the permitted directions', () => {
    const faults = complaints((module, imported, target) => {
      if (target === null || isSideDoor(module.path, target, imported.kind)) return null
      const [from, to] = [folderOf(module.path), folderOf(target)]
      if (from === to || arrows[from]?.includes(to)) return null
      return `${from} may import ${arrows[from]?.join(', ') || 'nothing of ours'}`
    })
    expect(faults).toEqual([])
  })

  test.each(Object.entries(roomArrows))(
    'of %s import only in the permitted directions between its rooms',
    (folder, rooms) => {
      const faults = complaints((module, _, target) => {
        if (target === null || folderOf(module.path) !== folder || folderOf(target) !== folder) return null
        const [from, to] = [roomOf(module.path), roomOf(target)]
        if (from === to || from === null || (to !== null && rooms[from]?.includes(to))) return null
        return `${folder}/${from} may import ${rooms[from]?.join(', ') || 'no other room'} of ${folder}`
      })
      expect(faults).toEqual([])
      const found = [...paths].filter(path => folderOf(path) === folder).map(roomOf)
      expect([...new Set(found.filter(room => room !== null))].sort()).toEqual(Object.keys(rooms).sort())
    },
  )

  test('name each third-party package in one folder', () => {
    const faults = complaints((module, { specifier }, target) => {
      if (target !== null || specifier.startsWith('node:')) return null
      const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
      const home = packageHomes[name]
      if (home === undefined) return 'it has no folder in the table of packages'
      return [home].flat().includes(folderOf(module.path)) ? null : `its folder is src/${home}`
    })
    expect(faults).toEqual([])
  })

  test('import our files by existing .ts names', () => {
    const faults = complaints((_, { specifier }, target) => {
      if (specifier === '(computed)') return 'the specifier must be a plain string'
      return target === null || paths.has(target) ? null : 'there is no such file'
    })
    expect(faults).toEqual([])
    expect([...paths].filter(path => !path.endsWith('.ts'))).toEqual([])
  })

  test('have no import cycles', () => {
    expect(importCycles(valueGraph())).toEqual([])
  })

  test.each(['status', 'page-history', 'count-history', 'read-page', 'read-revision', 'recent-changes', 'list-pages'])(
    'of the quick operation %s load no engine, which every cold command would wait for',
    operation => {
      expect([...reachedFrom(valueGraph(), `src/operations/${operation}.ts`)]).not.toContain('src/wikitext/index.ts')
    },
  )

  // The engine takes a third of the time of such a command to load.
  test.each([
    'search-pages.ts',
    'searching/search-sync.ts',
    'lead-picture.ts',
    'render-page.ts',
    'rendering/renders.ts',
  ])('load the engine only to read a text: operations/%s', file => {
    const reached = reachedFrom(valueGraph(), `src/operations/${file}`)
    expect([...reached].filter(path => path.startsWith('src/wikitext/'))).toEqual([])
  })

  test('have no import cycles by types or lazy imports except the known ones', () => {
    const all = new Map(
      modules.map(module => [module.path, module.imports.flatMap(one => targetOf(module, one) ?? [])]),
    )
    const circles = circlesOf(all)
    expect(circles.filter(circle => !circle.some(path => knownCircles.includes(path)))).toEqual([])
    expect(knownCircles.filter(path => !circles.some(circle => circle.includes(path)))).toEqual([])
  })

  test('of unrelated rooms do not import each other', () => {
    const faults = complaints((module, _, target) =>
      strangers.some(([from, to]) => covers(from, module.path) && covers(to, target ?? ''))
        ? 'they are strangers'
        : null,
    )
    expect(faults).toEqual([])
  })

  test('are in folders with import rules', () => {
    expect([...new Set([...paths].map(folderOf))].filter(folder => !Object.hasOwn(arrows, folder))).toEqual([])
  })

  test('are at most 30 in a folder that is not a list of use cases', () => {
    const folders = [...new Set([...paths].map(path => dirname(path)))]
    const sizeOf = (folder: string) => [...paths].filter(path => dirname(path) === folder).length
    expect(folders.filter(folder => sizeOf(folder) > 30)).toEqual(['src/operations'])
  })

  test('have descriptive names', () => {
    const parts = (path: string): string[] => path.split('/').map(part => part.replace(/\.ts$/, ''))
    expect([...paths].filter(path => parts(path).some(part => namesWithoutSubject.includes(part)))).toEqual([])
  })

  test('have no default exports', () => {
    const isDefault = (token: Token, next: Token | undefined): boolean =>
      token.kind === 'word' && token.text === 'export' && next?.text === 'default'
    // A declaration file describes a package of others.
    const own = modules.filter(({ path }) => !path.endsWith('.d.ts'))
    const faults = own.filter(({ tokens }) => tokens.some((token, index) => isDefault(token, tokens[index + 1])))
    expect(faults.map(module => module.path)).toEqual([])
  })

  test('use the process and the console only in the listed places', () => {
    const faults = modules.flatMap(({ path, tokens, imports }) => {
      const modulesUsed = imports.map(({ specifier }) => specifier).filter(name => environmentModules.includes(name))
      const used = [...environmentUsesIn(tokens), ...modulesUsed]
      return used.filter(use => !mayUse(path, use)).map(use => `${path} uses ${use}`)
    })
    expect(faults).toEqual([])
  })

  test('compose texts only in one file, because composing any text takes unbounded time', () => {
    const isUse = ({ text }: Token, at: number, tokens: readonly Token[]) =>
      text === 'normalize' && tokens[at - 1]?.text === '.'
    const users = modules.filter(({ tokens }) => tokens.some(isUse)).map(({ path }) => path)
    // A word has a maximum length.
    expect(users.sort()).toEqual(['src/core/composed-text.ts', 'src/search/words/tokens.ts'])
  })

  test('write files only in src/files', () => {
    const faults = modules
      .filter(({ path }) => folderOf(path) !== 'files')
      .flatMap(({ path, tokens, imports }) => {
        const isLazy = imports.some(({ specifier, kind }) => kind === 'lazy' && /^(?:node:)?fs\b/.test(specifier))
        const names = [...fileSystemNames(tokens), ...(isLazy ? ['*'] : [])]
        const isKnown = (name: string) =>
          readingNames.has(name) ||
          (name === '*' && moduleUsers.includes(path)) ||
          (waitingNames.has(name) && waitingReaders.has(path))
        return names.filter(name => !isKnown(name)).map(name => `${path} imports ${name}`)
      })
    expect(faults).toEqual([])
  })

  test('write in few files of src/files, and sync in one', () => {
    const found = modules
      .filter(({ path }) => folderOf(path) === 'files')
      .map(({ path, tokens }) => ({ path, names: fileSystemNames(tokens).filter(name => changingNames.test(name)) }))
    expect(found.flatMap(({ path, names }) => (names.length > 0 ? [path] : [])).toSorted()).toEqual(
      Object.keys(writers).toSorted(),
    )
    const syncs = found.flatMap(({ path, names }) => (names.some(name => /sync(?:Sync)?$/.test(name)) ? [path] : []))
    expect(syncs).toEqual(['src/files/durable.ts'])
  })

  test('need every listed exception', () => {
    const users = modules.filter(({ tokens }) => environmentUsesIn(tokens).length > 0)
    const idle = environmentUses.filter(({ path }) => !users.some(module => covers(path, module.path)))
    expect(idle.map(({ path }) => path)).toEqual([])
    const doors = sideDoors.filter(
      ([from, to]) =>
        !modules.some(
          module =>
            covers(from, module.path) && module.imports.some(imported => covers(to, targetOf(module, imported) ?? '')),
        ),
    )
    expect(doors).toEqual([])
  })
})

describe('the scanner of these tests', () => {
  test.each<[source: string, imports: Import[]]>([
    [`import { a } from './a.ts'`, [{ specifier: './a.ts', kind: 'value' }]],
    [`import type { A } from "./a.ts"`, [{ specifier: './a.ts', kind: 'type' }]],
    [`import { type A } from './a.ts'`, [{ specifier: './a.ts', kind: 'value' }]],
    [`import type from './a.ts'`, [{ specifier: './a.ts', kind: 'value' }]],
    [`import * as a from './a.ts'`, [{ specifier: './a.ts', kind: 'value' }]],
    [`import './a.ts'`, [{ specifier: './a.ts', kind: 'value' }]],
    [`import a, {\n  b as c,\n} from './a.ts'`, [{ specifier: './a.ts', kind: 'value' }]],
    [`export * from './a.ts'`, [{ specifier: './a.ts', kind: 'value' }]],
    [`export * as a from './a.ts'`, [{ specifier: './a.ts', kind: 'value' }]],
    [`export { a, b } from './a.ts'`, [{ specifier: './a.ts', kind: 'value' }]],
    [`export type { A } from './a.ts'`, [{ specifier: './a.ts', kind: 'type' }]],
    [`const a = await import('./a.ts')`, [{ specifier: './a.ts', kind: 'lazy' }]],
    [`let a: typeof import('./a.ts')`, [{ specifier: './a.ts', kind: 'type' }]],
    ['const a = await import(`./a.ts`)', [{ specifier: '(computed)', kind: 'lazy' }]],
    [
      `\`\${await import("./a.ts")} and \${\`\${import("./b.ts")}\`}\``,
      [
        { specifier: './a.ts', kind: 'lazy' },
        { specifier: './b.ts', kind: 'lazy' },
      ],
    ],
    [`// import './a.ts'\n/* import './b.ts' */`, []],
    [`const text = "import './a.ts'"`, []],
    [`const text = \`import "./a.ts" \${1} from "./b.ts"\``, []],
    [`const quote = /['"]/; import('./a.ts')`, [{ specifier: './a.ts', kind: 'lazy' }]],
    [`const half = total / 2, b = "/"; import('./a.ts')`, [{ specifier: './a.ts', kind: 'lazy' }]],
    [`const here = import.meta.url; const a = './a.ts'`, []],
    [`wiki.import('./a.ts')`, []],
    [`export { a }\nconst from = './a.ts'`, []],
    [`export const from = 'x'`, []],
    [`export type A = { from: 'x' }`, []],
  ])('reads %s', (source, imports) => {
    expect(listImports(tokenize(source))).toEqual(imports)
  })

  test.each<[source: string, names: string[]]>([
    [`import { a, type B, c as d } from 'node:fs'`, ['a', 'B', 'c']],
    [`import fs from 'fs'`, ['*']],
    [`import type { Stats } from 'fs'`, []],
    [`import * as fs from 'node:fs/promises'`, ['*']],
    [`import { join } from 'node:path'`, []],
  ])('reports what %s imports from the file system', (source, names) => {
    expect(fileSystemNames(tokenize(source))).toEqual(names)
  })

  test.each<[source: string, uses: string[]]>([
    ['process.exit()', ['process.exit']],
    ['spawn(command, { env: { ...process.env } })', ['process.env']],
    ['globalThis.process', ['process']],
    ['const { argv } = process', ['process']],
    ['console.log(1, process.pid)', ['console.log', 'process.pid']],
    ['this.process.kill()', []],
    ['const row = { process: 1 }', []],
    ['interface Row { process?: number }', []],
    ["const text = 'process.env' // process", []],
  ])('reports how %s uses the environment', (source, uses) => {
    expect(environmentUsesIn(tokenize(source))).toEqual(uses)
  })

  test('finds cycles of every length', () => {
    const graph = { a: ['b', 'c'], b: ['c'], c: ['d'], d: ['b', 'd'], e: ['a'] }
    expect(importCycles(new Map(Object.entries(graph)))).toEqual(['d > d', 'c > d > b > c'])
    expect(circlesOf(new Map(Object.entries(graph)))).toEqual([['b', 'c', 'd']])
  })
})
