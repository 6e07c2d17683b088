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

const repositoryFolders = ['artefact', 'cli', 'crash', 'hidden', 'operations', 'proof', 'rest', 'store', 'web']
const inRepositories = ['test/*.test.ts', ...repositoryFolders.map(folder => `test/${folder}/**/*.test.ts`)]
const inBrowser = ['test/browser/**/*.test.ts']
const testFiles = (readdirSync('test', { recursive: true }) as string[])
  .filter(path => path.endsWith('.test.ts'))
  .map(path => join('test', path))
const filesWith = (pattern: RegExp): string[] => testFiles.filter(path => pattern.test(readFileSync(path, 'utf8')))
const replacing = filesWith(/vi\.(?:mock|doMock)\(/)
/** Files of which each test is long. `npm test` does not load them to find that out. */
const leftOut = process.argv.includes('--tags-filter=!long') ? filesWith(/^\/\/ @module-tag long$/m) : []

/** The tests that take longest, first of them the longest: a fresh clone knows no times, and a short file may run long. */
const longest = [
  'browser/matrix',
  'browser/writing',
  'browser/xss',
  'browser/schedules',
  'browser/pages',
  'browser/editor',
  'proof/short',
  'proof/everyday',
  'cli/killed-commands',
  'rest/worst-requests',
].map(name => `/test/${name}.test.ts`)

/** Order of the projects: a worker that goes on with another one loads all modules again. */
const projectOrder = ['browser', 'repository', 'replacing', 'unit']

/** Starts the longest files of a project first, so that no worker ends alone with one; the others as vitest does. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const first = longest.flatMap(path => sorted.filter(({ moduleId }) => moduleId.endsWith(path)))
    const place = ({ project }: TestSpecification): number => projectOrder.indexOf(project.name)
    return [...new Set([...first, ...sorted])].sort((one, other) => place(one) - place(other))
  }
}

export default defineConfig({
  test: {
    // For loaded machines: each test takes far less on a quiet one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['test/_environment.ts'],
    setupFiles: ['test/_after-file.ts', 'test/_seed.ts'],
    isolate: false,
    sequence: { sequencer: LongestFirst },
    execArgv: ['--expose-gc'],
    experimental: { fsModuleCache: true },
    tags: [
      { name: 'rounds', description: 'Runs more rounds, or other cases, where WIKI_TEST is full (test/_rounds.ts).' },
      {
        name: 'long',
        description:
          'Takes about three quarters of a second or more. npm test leaves it out; npm run test:full runs it.',
      },
    ],
    // Two more than cores: tests in a browser, and those that start programs, wait as long as they work.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['node_modules/**', ...inRepositories, ...inBrowser, ...replacing, ...leftOut],
        },
      },
      { extends: true, test: { name: 'repository', include: inRepositories, exclude: [...replacing, ...leftOut] } },
      { extends: true, test: { name: 'replacing', include: replacing, exclude: leftOut, isolate: true } },
      {
        extends: true,
        test: { name: 'browser', include: inBrowser, exclude: leftOut },
      },
    ],
  },
})
