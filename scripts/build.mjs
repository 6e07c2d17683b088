/**
 * Builds `dist`.
 *
 * `wiki.cjs` is the command line as one CommonJS file; `wiki-write.cjs` the commands that write and compare; `wiki-search.cjs`
 * the search, with its data of each language in `languages`; `wiki-more.cjs` the rarely used commands; `wiki-web.cjs` the pages
 * for browsers; beside each of these is V8's compiled code for it. `wiki-jobs.cjs` and `wiki-index.cjs` are the workers for
 * jobs and for indexing; `lib` is the library as ES modules with types; `web` are the files that pages for browsers load.
 *
 * `node scripts/build.mjs` builds everything, `node scripts/build.mjs cli`, `... web`, `... lib` and `... manual` one part.
 * `manual` writes `man`, the manual pages. With `stale` nothing is built if everything is newer than its sources. `npm run
 * check` checks types.
 */

import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { ownStyles } from './own-styles.mjs'
import { isStale } from './stale.mjs'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
const bundleFile = join(dist, 'wiki.cjs')
const moreFile = join(dist, 'wiki-more.cjs')
const writeFile = join(dist, 'wiki-write.cjs')
const searchFile = join(dist, 'wiki-search.cjs')
const jobsFile = join(dist, 'wiki-jobs.cjs')
const webFile = join(dist, 'wiki-web.cjs')
const indexFile = join(dist, 'wiki-index.cjs')
const require = createRequire(import.meta.url)

const { version, dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
/** Packages that go into the bundle, so that V8's code for them is stored; others are loaded when a command needs them. */
const bundled = new Set(['commander', 'chalk', 'minisearch'])
const external = Object.keys({ ...dependencies, ...optionalDependencies }).filter(name => !bundled.has(name))

/** Modules of Node that take a millisecond or more to load. The bundle loads them when it first uses one of their functions. */
const dearBuiltins =
  /^(?:node:)?(child_process|crypto|fs\/promises|http|https|net|os|readline|readline\/promises|stream|stream\/promises|tty|util|worker_threads|zlib)$/

const lazyBuiltins = {
  name: 'lazy-builtins',
  setup({ onResolve, onLoad }) {
    const namespace = 'lazy-builtin'
    onResolve({ filter: dearBuiltins }, args => {
      if (args.namespace === namespace) return { path: args.path, external: true }
      return { path: `node:${args.path.replace(/^node:/, '')}`, namespace }
    })
    onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: lazyModule(path), loader: 'js' }))
  },
}

/** A module with the same names, each of which loads the real module when it is first read. */
function lazyModule(path) {
  const names = JSON.stringify(Object.keys(require(path)))
  return `for (const name of ${names})
    Object.defineProperty(exports, name, { enumerable: true, get: () => require(${JSON.stringify(path)})[name] })`
}

/**
 * Commands that users wait for and that only read, by file name: only they are in the bundle that every start loads. The others
 * are in further bundles, which the first loads when one of them is needed.
 */
const quickCommands = ['complete', 'help', 'history', 'list', 'log', 'page-get', 'page-list', 'revision-get', 'status']

/** Large parts that quick commands rarely need. */
const largeModules = [
  'media/media.ts',
  'operations/convert-html.ts',
  'operations/linking/link-graph.ts',
  'operations/workers/worker-pool.ts',
  'operations/render-page.ts',
  'operations/rendering/renders.ts',
  'wikitext/index.ts',
]

/** A separate bundle: users wait for a search, too, but other commands need not load it. */
const searchModules = ['cli/commands/search.ts', 'operations/searching/search-sync.ts', 'search/words/language.ts']

/** Another bundle: commands that write and compare. */
const writeModules = [
  'cli/commands/commit.ts',
  'cli/commands/compare.ts',
  'cli/commands/page/page-create.ts',
  'cli/commands/page/page-edit.ts',
  'store/import/import.ts',
  'store/write.ts',
]

const moreModules = [
  ...readdirSync(join(root, 'src/cli/commands'), { recursive: true })
    .filter(file => file.endsWith('.ts') && !quickCommands.includes(basename(file, '.ts')))
    .map(file => `cli/commands/${file.replaceAll('\\', '/')}`)
    .filter(module => ![...searchModules, ...writeModules].includes(module)),
  ...largeModules,
]

/** A command that a search may end in: its code is not in the bundle of the search. */
const afterSearch = 'cli/commands/page/page-get.ts'

/** Modules that are imported late, by the bundle that contains them. */
const homes = {
  [searchFile]: searchModules,
  [writeFile]: writeModules,
  [webFile]: ['web/handle-page.ts'],
  [moreFile]: moreModules,
}

/** Loads these modules from their bundle, if it is another one. */
function loadedElsewhere(own, { also = [], from = Object.keys(homes) } = {}) {
  const all = Object.entries({ ...homes, [moreFile]: [...moreModules, ...also] })
  const others = all.filter(([file]) => file !== own && from.includes(file))
  const homeOf = module => others.find(([, modules]) => modules.includes(module))?.[0]
  return {
    name: 'loaded-elsewhere',
    setup({ onResolve, onLoad }) {
      const namespace = 'loaded-elsewhere'
      onResolve({ filter: /\.ts$/ }, ({ path, kind, resolveDir }) => {
        const module = relative(join(root, 'src'), join(resolveDir, path)).replaceAll('\\', '/')
        return kind === 'dynamic-import' && homeOf(module) !== undefined ? { path: module, namespace } : undefined
      })
      onLoad({ filter: /./, namespace }, ({ path }) => ({
        contents: `module.exports = require(__dirname + '/${basename(homeOf(path))}')[${JSON.stringify(path)}]()`,
        loader: 'js',
      }))
    },
  }
}

/** Languages of the search: one file each, because a search needs one language, and resolving a package takes milliseconds. */
const languageFiles = {
  name: 'language-files',
  setup({ onResolve, onLoad }) {
    const namespace = 'language-files'
    onResolve({ filter: /^@orama\// }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, namespace } : undefined,
    )
    onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: `module.exports = require(__dirname + '/languages/${languageFile(path)}')`,
      loader: 'js',
    }))
  },
}

/** Copies a package's data of a language beside the bundles; returns the file's name. */
function languageFile(path) {
  const name = `${path.replace('@orama/', '').replace('/', '-')}.cjs`
  mkdirSync(join(dist, 'languages'), { recursive: true })
  copyFileSync(require.resolve(path), join(dist, 'languages', name))
  return name
}

async function buildCli() {
  // Each language is evaluated when it is needed, together with the packages that it names.
  const entry = modules => {
    const contents = modules.map(name => `exports['${name}'] = () => require('./src/${name}')`).join('\n')
    return { stdin: { contents, resolveDir: root, loader: 'js' } }
  }
  const inputs = [
    ...(await bundle(jobsFile, { entryPoints: [join(root, 'src/operations/workers/job-process.ts')] }, [lazyBuiltins])),
    ...(await bundle(indexFile, { entryPoints: [join(root, 'src/operations/searching/search-process.ts')] }, [
      lazyBuiltins,
    ])),
    ...(await bundle(webFile, entry(['web/handle-page.ts']), [lazyBuiltins, loadedElsewhere(webFile)])),
    ...(await bundle(moreFile, entry([...moreModules, afterSearch]), [
      lazyBuiltins,
      loadedElsewhere(moreFile, { from: [webFile] }),
    ])),
    ...(await bundle(writeFile, entry(writeModules), [lazyBuiltins, loadedElsewhere(writeFile)])),
    ...(await bundle(searchFile, entry(searchModules), [
      lazyBuiltins,
      loadedElsewhere(searchFile, { also: [afterSearch] }),
      languageFiles,
    ])),
    ...(await bundle(bundleFile, { entryPoints: [join(root, 'src/cli/bin.ts')] }, [
      lazyBuiltins,
      loadedElsewhere(bundleFile),
    ])),
  ]
  writeFileSync(join(dist, 'licenses.txt'), licensesOf(inputs))
  for (const name of readdirSync(dist)) if (/^wiki(-more|-search|-write)?\.cjs\.v/.test(name)) rmSync(join(dist, name))
  keepCompiledCode()
}

/** Writes one bundle with its source map, and returns the files that it contains. */
async function bundle(outfile, entry, plugins) {
  const { metafile, outputFiles } = await build({
    ...entry,
    outfile,
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    // The bundle runs as a script that V8 has compiled before: `import()` of a package has to be `require` in it.
    supported: { 'dynamic-import': false },
    // Minified code is a third shorter to read at every start. Stack traces get the names and lines of the sources from the
    // map.
    minify: true,
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    absWorkingDir: root,
    external,
    // A process that the bundle starts resolves packages from there.
    define: { 'import.meta.url': '__filename' },
    plugins,
    logLevel: 'warning',
  })
  for (const { path, contents } of outputFiles) writeWhole(path, contents)
  return Object.keys(metafile.inputs)
}

/** Renamed when complete, so that nobody who runs the program meanwhile finds half a file. */
function writeWhole(path, contents) {
  writeFileSync(`${path}.new`, contents)
  renameSync(`${path}.new`, path)
}

/** The bundle contains code of others, so it includes their licenses. */
function licensesOf(inputs) {
  const named = /^(?:((?:\.\.\/)*node_modules)\/|language-files:)((?:@[^/]+\/)?[^/]+)/
  const found = inputs.flatMap(input => {
    const [, modules = 'node_modules', name] = named.exec(input) ?? []
    return name === undefined ? [] : [[name, join(root, modules, name)]]
  })
  return [...new Map(found)].map(([name, folder]) => `${name}\n\n${licenseIn(folder)}`).join('\n\n')
}

function licenseIn(folder) {
  const name = readdirSync(folder).find(file => /^licen[sc]e/i.test(file))
  return name === undefined ? '' : readFileSync(join(folder, name), 'utf8')
}

/** Lets new processes run commands on a small wiki, and stores the code that V8 has compiled by then. */
function keepCompiledCode() {
  const folder = mkdtempSync(join(tmpdir(), 'wiki-build-'))
  const store = (...parameters) => storeCompiled(folder, ...parameters)
  // Git may know no author here.
  const author = ['--user', 'Build <build@localhost>']
  try {
    store(bundleFile, 'init', ...author)
    store(bundleFile, 'history', 'Main Page')
    store(moreFile, 'page', 'get', 'Main Page', '--html')
    store(writeFile, 'page', 'create', 'Build', '-f', 'wiki.json', '-m', 'Build', ...author)
    store(searchFile, 'search', 'main')
    // The index exists now.
    store(searchFile, 'search', 'main')
  } catch (error) {
    console.warn(`Code that V8 has compiled is stored for the start alone: ${error.message}`)
    store(bundleFile, '--version')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function storeCompiled(cwd, bundle, ...args) {
  const file = `${bundle}.${process.version}-${process.platform}-${process.arch}`
  const store = `
    const { renameSync, writeFileSync } = require('node:fs')
    const { scripts, done } = require(${JSON.stringify(join(root, 'bin/wiki.cjs'))})
    done.then(() => {
      writeFileSync(${JSON.stringify(`${file}.new`)}, scripts.get(${JSON.stringify(bundle)}).createCachedData())
      renameSync(${JSON.stringify(`${file}.new`)}, ${JSON.stringify(file)})
    })`
  // V8 refuses an empty file, and it is replaced.
  writeFileSync(file, '')
  execFileSync(process.execPath, ['-e', store, '--', 'wiki', ...args], { cwd, stdio: 'ignore', timeout: 120_000 })
}

function buildLibrary() {
  const lib = join(dist, 'lib')
  rmSync(lib, { recursive: true, force: true })
  const config = join(dist, 'tsconfig.json')
  const compilerOptions = { noEmit: false, declaration: true, rootDir: '../src', outDir: 'lib' }
  writeFileSync(
    config,
    JSON.stringify({
      extends: '../tsconfig.json',
      compilerOptions,
      files: [
        '../src/index.ts',
        '../src/client/client.ts',
        '../src/rest/app.ts',
        '../src/web/handle-page.ts',
        '../src/operations/workers/job-process.ts',
        '../src/operations/searching/search-process.ts',
      ],
      include: ['../src/**/*.d.ts'],
    }),
  )
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    execFileSync(process.execPath, [tsc, '-p', config, '--noCheck'], { stdio: 'inherit' })
  } finally {
    rmSync(config)
  }
}

/** Writes the manual pages, which `man wiki` finds once the package is installed. */
async function buildManual() {
  const outfile = join(dist, 'manual.mjs')
  await bundleManual(outfile)
  try {
    const { manualPages } = await import(pathToFileURL(outfile).href)
    rmSync(join(root, 'man'), { recursive: true, force: true })
    mkdirSync(join(root, 'man'))
    for (const [name, text] of await manualPages(version)) writeFileSync(join(root, 'man', name), text)
  } finally {
    rmSync(outfile)
  }
}

async function bundleManual(outfile) {
  await build({
    entryPoints: [join(root, 'src/cli/manual.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  })
}

function printSizes() {
  for (const name of readdirSync(dist)) console.log(`${String(sizeOf(join(dist, name))).padStart(9)}  ${name}`)
}

/** Bytes of a file, or of all files in a folder. */
function sizeOf(path) {
  const stat = statSync(path)
  return stat.isFile() ? stat.size : readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

/** Style sheets and pictures of the pages, and every script directly in the folder of scripts for browsers. */
const webSources = ['src/web/style/wiki.css', 'src/web/style/icon.svg']
const clientFolder = join(root, 'src/web/client')

/** Writes `dist/web`: each asset under a hash of its bytes, with a compressed copy, and `assets.json`, which lists them. */
async function buildWeb() {
  const scripts = existsSync(clientFolder)
    ? readdirSync(clientFolder).filter(name => name.endsWith('.ts') && !name.endsWith('.d.ts'))
    : []
  const { outputFiles, metafile } = await build({
    entryPoints: [...webSources, ...scripts.map(name => `src/web/client/${name}`)],
    outdir: join(dist, 'web'),
    entryNames: '[hash]/[name]',
    chunkNames: '[hash]/[name]',
    absWorkingDir: root,
    write: false,
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    loader: { '.svg': 'copy' },
    plugins: [ownStyles],
    assetNames: '[hash]/[name]',
    metafile: true,
    logLevel: 'warning',
  })
  const manifest = {}
  for (const { path, contents } of outputFiles) {
    const name = relative(join(dist, 'web'), path).replaceAll('\\', '/')
    // Chunks that several scripts share have one name; no page refers to them by it.
    manifest[basename(path) === 'chunk.js' ? name : basename(path)] = name
    mkdirSync(dirname(path), { recursive: true })
    writeWhole(path, contents)
    writeWhole(`${path}.br`, brotliCompressSync(contents))
    writeWhole(`${path}.gz`, gzipSync(contents, { level: 9 }))
  }
  writeWhole(join(dist, 'web/licenses.txt'), licensesOf(Object.keys(metafile.inputs)))
  writeWhole(join(dist, 'web/assets.json'), JSON.stringify(manifest))
  const kept = new Set(Object.values(manifest).map(name => dirname(name)))
  for (const entry of readdirSync(join(dist, 'web'), { withFileTypes: true }))
    if (entry.isDirectory() && !kept.has(entry.name)) rmSync(join(dist, 'web', entry.name), { recursive: true })
}

const isQuiet = process.argv.includes('quiet')
if (process.argv.includes('stale') && !isStale()) process.exit()
const wanted = process.argv.slice(2).filter(word => word !== 'quiet' && word !== 'stale')
mkdirSync(dist, { recursive: true })
if (wanted.length === 0 || wanted.includes('cli')) await buildCli()
if (wanted.length === 0 || wanted.includes('cli') || wanted.includes('web')) await buildWeb()
if (wanted.length === 0 || wanted.includes('lib')) buildLibrary()
if (wanted.length === 0 || wanted.includes('manual')) await buildManual()
if (!isQuiet) printSizes()
