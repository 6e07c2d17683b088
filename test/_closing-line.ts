/** A reporter that ends a run with one plain line, `N passed, N failed, N skipped`, without colours. */

import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0, pending: 0 }
    for (const module of modules) {
      const states = [...module.children.allTests()].map(test => test.result().state)
      for (const state of states) counts[state]++
      if (module.ok()) continue
      // A file or a group may fail without a test that does: it has none, or its set-up failed.
      if (!states.includes('failed')) counts.failed++
    }
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  }
}
