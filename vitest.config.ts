/** Three kinds of tests: of functions, of repositories on disk, and in a browser. `vitest run --project unit` runs one kind. */

import { defineConfig } from 'vitest/config'

const repositoryFolders = ['cli', 'hidden', 'operations', 'proof', 'rest', 'store', 'web']
const inRepositories = ['test/*.test.ts', ...repositoryFolders.map(folder => `test/${folder}/**/*.test.ts`)]
const inBrowser = ['test/browser/**/*.test.ts']

export default defineConfig({
  test: {
    // For loaded machines: each test takes far less on a quiet one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['node_modules/**', ...inRepositories, ...inBrowser],
        },
      },
      { extends: true, test: { name: 'repository', include: inRepositories } },
      { extends: true, test: { name: 'browser', include: inBrowser } },
    ],
  },
})
