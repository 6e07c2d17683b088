/** Limits all memory of a process: the limit of the heap does not count typed arrays, messages and what libraries allocate. */

/** Milliseconds between two checks of the memory of the process. */
const checkPause = 20

/** Calls `above` with the bytes that this process has, at each check at which they are more than `most`. Keeps no process alive. */
export function limitMemory(most: number, above: (bytes: number) => void): void {
  const check = () => {
    const bytes = process.memoryUsage.rss()
    if (bytes > most) above(bytes)
  }
  setInterval(check, checkPause).unref()
}
