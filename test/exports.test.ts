import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import * as client from '../src/client/client.ts'
import * as library from '../src/index.ts'
import * as rest from '../src/rest/app.ts'
import { newWiki } from './operations/_wiki.ts'

const libraryDocument = readFileSync('docs/reference/library.md', 'utf8')
const builtLibrary = fileURLToPath(new URL('../dist/lib/index.js', import.meta.url))

test('the library exports exactly these names', () => {
  expect(Object.keys(library).sort()).toMatchInlineSnapshot(`
    [
      "TitleRedirect",
      "WikiError",
      "addFile",
      "applyPatchToPages",
      "blamePage",
      "calledTemplates",
      "categoryMembers",
      "checkChange",
      "checkWiki",
      "commitWork",
      "compareCommits",
      "compareRevisions",
      "compareTexts",
      "compareWork",
      "contentToHtml",
      "countHistory",
      "createPage",
      "createToken",
      "deletePages",
      "errorTable",
      "exportDump",
      "exportFiles",
      "fileVersions",
      "fixProblems",
      "hideRevision",
      "htmlToMarkdown",
      "htmlToWikitext",
      "importDump",
      "incomingLinks",
      "initWiki",
      "isWikiError",
      "lintPage",
      "lintPages",
      "lintRevision",
      "lintWikitext",
      "listByLinks",
      "listFiles",
      "listPages",
      "listSections",
      "listTokens",
      "memoryWiki",
      "mergeRevisions",
      "mergeTexts",
      "mergeWithMarkers",
      "migrateLayout",
      "movePage",
      "openFile",
      "openFileVersion",
      "openThumbnail",
      "openWiki",
      "outgoingLinks",
      "pageBlocks",
      "pageFiles",
      "pageHistory",
      "pageLanguages",
      "pageSizes",
      "parseWikitext",
      "patchRevisions",
      "readConfig",
      "readFile",
      "readPage",
      "readPageBare",
      "readRevision",
      "readRevisionBare",
      "recentChanges",
      "renderPage",
      "renderRevision",
      "replaceText",
      "resolveRevision",
      "restoreEdits",
      "restorePage",
      "revertFile",
      "revokeToken",
      "searchHistory",
      "searchPages",
      "searchTitles",
      "summarizeRevisions",
      "templateParameters",
      "transformToHtml",
      "transformToLint",
      "transformToWikitext",
      "undoCommit",
      "undoRevisions",
      "updatePage",
      "verifyWiki",
      "versionThumbnail",
      "wikiActivity",
      "wikiStatus",
      "wikitextToHtml",
      "wikitextToMarkdown",
      "writeConfig",
    ]
  `)
})

test('the document of the library names exactly these functions', () => {
  const rows = [...libraryDocument.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)])
  expect(rows.map(([, name]) => name).sort()).toEqual(Object.keys(library).sort())
})

test('the example in the document of the library runs', { tags: 'long' }, async context => {
  context.skip(!existsSync(builtLibrary), 'the library is not built')
  const { directory } = await newWiki({})
  const code = /^```js\n(.*?)^```$/ms
    .exec(libraryDocument)![1]!
    .replace("'gitwiki'", `'${pathToFileURL(builtLibrary)}'`)
  const run = () =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', code], { cwd: directory, encoding: 'utf8' })
  expect(run()).toMatchObject({ stdout: '1 1 true\n', stderr: '' })
  expect(run()).toMatchObject({ stdout: 'there is such a page\n', stderr: '' })
})

test('the REST entry exports exactly these names', () => {
  expect(Object.keys(rest).sort()).toMatchInlineSnapshot(`
    [
      "createApp",
    ]
  `)
})

test('the client exports exactly these names', () => {
  expect(Object.keys(client).sort()).toEqual(['ApiError', 'createClient'])
})

test('importing the library loads no server and no command line', { tags: 'long' }, async () => {
  const { metafile } = await build({
    entryPoints: [fileURLToPath(new URL('../src/index.ts', import.meta.url))],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    outdir: 'dist',
    metafile: true,
    logLevel: 'error',
  })
  const imports = Object.values(metafile.outputs).flatMap(output => output.imports)
  const eager = new Set(imports.filter(({ kind }) => kind === 'import-statement').map(({ path }) => path))
  expect(eager).toContain('node:fs')
  expect(['h3', 'listhen', 'commander', 'chalk'].filter(name => eager.has(name))).toEqual([])
})
