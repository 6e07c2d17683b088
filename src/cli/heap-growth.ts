/** Limits the garbage that a long-running process accumulates. */

import { setFlagsFromString } from 'node:v8'

/** Growth of the heap, in percent of the live bytes, at which V8 collects old objects. */
const growthPercent = 30

/**
 * Makes V8 collect old objects earlier, in this process and its threads. By default a heap grows to several times its
 * live size. Unlike `--max-old-space-size`, this never ends the process.
 *
 * Source: v8 src/flags/flag-definitions.h, heap_growing_percent.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
}
