/**
 * A reporter that ends a run with one plain line, `N passed, N failed, N skipped`, without colours. It writes the paths of
 * files with failures, one per line, to the file that the environment variable WIKI_FAILED_FILES names.
 */

import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    const failed = new Set<string>()
    for (const module of modules) {
      const states = [...module.children.allTests()].map(test => test.result().state)
      for (const state of states) counts[state]++
      if (module.ok()) continue
      failed.add(module.moduleId)
      // A file or a group may fail without a test that does: it has none, or its set-up failed.
      if (!states.includes('failed')) counts.failed++
    }
    const list = process.env.WIKI_FAILED_FILES
    if (list !== undefined) writeFileSync(list, [...failed].map(path => `${path}\n`).join(''))
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  }
}
