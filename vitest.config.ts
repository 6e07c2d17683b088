/**
 * Three kinds of tests: of functions, of repositories on disk, and in a browser. `vitest run --project unit` runs one kind.
 * The test files of a worker share their modules, so that each module is loaded once. Files that replace modules are alone in
 * a process of their own: they make the fourth project.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const repositoryFolders = ['cli', 'hidden', 'operations', 'proof', 'rest', 'store', 'web']
const inRepositories = ['test/*.test.ts', ...repositoryFolders.map(folder => `test/${folder}/**/*.test.ts`)]
const inBrowser = ['test/browser/**/*.test.ts']
const replacing = (readdirSync('test', { recursive: true }) as string[])
  .filter(path => path.endsWith('.test.ts'))
  .map(path => join('test', path))
  .filter(path => /vi\.(?:mock|doMock)\(/.test(readFileSync(path, 'utf8')))

/** The tests that take longest, first of them the longest: a fresh clone knows no times, and a short file may run long. */
const longest = [
  'browser/matrix',
  'proof/short',
  'proof/everyday',
  'browser/writing',
  'cli/killed-commands',
  'rest/worst-requests',
  'browser/xss',
  'browser/schedules',
  'browser/editor',
  'browser/pages',
].map(name => `/test/${name}.test.ts`)

/** Starts the longest files first, so that no worker ends alone with one; the others as vitest does. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const first = longest.flatMap(path => sorted.filter(({ moduleId }) => moduleId.endsWith(path)))
    return [...new Set([...first, ...sorted])]
  }
}

export default defineConfig({
  test: {
    // For loaded machines: each test takes far less on a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['test/_environment.ts'],
    setupFiles: ['test/_after-file.ts'],
    isolate: false,
    sequence: { sequencer: LongestFirst },
    execArgv: ['--expose-gc'],
    experimental: { fsModuleCache: true },
    tags: [
      { name: 'rounds', description: 'Runs more rounds, or other cases, where WIKI_TEST is full (test/_rounds.ts).' },
      { name: 'long', description: 'Takes about a second or more. npm test leaves it out; npm run test:full runs it.' },
    ],
    // Two more than cores: tests in a browser, and those that start programs, wait as long as they work.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['node_modules/**', ...inRepositories, ...inBrowser, ...replacing],
        },
      },
      { extends: true, test: { name: 'repository', include: inRepositories, exclude: replacing } },
      { extends: true, test: { name: 'replacing', include: replacing, isolate: true } },
      {
        extends: true,
        test: {
          name: 'browser',
          include: inBrowser,
          // A browser that hangs or crashes gets a second run. What a test expects of a page gets none.
          retry: { count: 1, condition: /^Test timed out in|Target crashed|Browser closed|has been closed/ },
        },
      },
    ],
  },
})
