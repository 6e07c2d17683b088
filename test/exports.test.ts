import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import * as client from '../src/client/client.ts'
import * as library from '../src/index.ts'
import * as rest from '../src/rest/app.ts'

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
      "fixProblems",
      "hideRevision",
      "htmlToMarkdown",
      "htmlToWikitext",
      "importDump",
      "incomingLinks",
      "initWiki",
      "isWikiError",
      "lintWikitext",
      "listByLinks",
      "listFiles",
      "listPages",
      "listSections",
      "listTokens",
      "memoryWiki",
      "mergeTexts",
      "mergeWithMarks",
      "migrateLayout",
      "movePage",
      "openFile",
      "openThumbnail",
      "openWiki",
      "outgoingLinks",
      "pageBlocks",
      "pageFiles",
      "pageHistory",
      "parseWikitext",
      "patchRevisions",
      "readConfig",
      "readFile",
      "readPage",
      "readPageBare",
      "readRevision",
      "readRevisionBare",
      "recentChanges",
      "replaceText",
      "resolveRevision",
      "restoreEdits",
      "restorePage",
      "revokeToken",
      "searchPages",
      "searchTitles",
      "summarizeRevisions",
      "undoCommit",
      "undoRevisions",
      "updatePage",
      "verifyWiki",
      "wikiStatus",
      "wikitextToHtml",
      "writeConfig",
    ]
  `)
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
