/** A bound on the garbage that a long-running process keeps. */

import { setFlagsFromString } from 'node:v8'

/** Percent of the live objects' bytes that may be added before V8 collects old objects. */
const growthPercent = 30

/**
 * Makes V8 collect old objects earlier, in this process and its threads. By default a heap grows to several times what lives in it.
 * Unlike `--max-old-space-size`, this never ends the process.
 *
 * Source: v8 src/flags/flag-definitions.h, heap_growing_percent.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
}
