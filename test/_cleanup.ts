/** Clean-up work that helpers leave for the end of a test or of a test file. */

import { onTestFinished, TestRunner } from 'vitest'

const pending: (() => unknown)[] = []

/** Registers work for the end of the running test file. */
export function afterFile(clean: () => unknown): void {
  pending.push(clean)
}

/** Registers work for the end of the running test; outside of tests, for the end of the file. */
export function afterwards(clean: () => unknown): void {
  if (TestRunner.getCurrentTest() === undefined) afterFile(clean)
  else onTestFinished(async () => void (await clean()))
}

/** Does the registered work, the latest first. */
export async function cleanUp(): Promise<void> {
  for (const clean of pending.splice(0).reverse()) await clean()
}
