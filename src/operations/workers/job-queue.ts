/** Queue of waiting jobs: clients take turns, and none can fill the queue for the others. */

/** Maximum waiting jobs, of all clients and of one, and maximum bytes of their texts. Further ones are refused. */
const longestQueue = { jobs: 200, bytes: 128 * 1024 * 1024 }
const longestOfClient = { jobs: 50, bytes: 64 * 1024 * 1024 }
/** Maximum number of clients whose jobs are counted. With more, the counts restart. */
const maxClients = 1000

interface Waiting {
  readonly client: string
  readonly bytes: number
  readonly start: () => void
  readonly fail: (error: unknown) => void
}

export interface JobQueue {
  /** Runs a job with texts of this many bytes when its turn comes; null if the queue is full. */
  readonly add: <Result>(client: string, work: () => Promise<Result>, bytes?: number) => Promise<Result> | null
  /** Rejects all waiting jobs with an error. */
  readonly close: (error: unknown) => void
}

/** Creates a queue that runs this many jobs at once. */
export function createJobQueue(most: number): JobQueue {
  const waiting: Waiting[] = []
  /** Number of jobs started for each client since the queue was last empty. */
  const begun = new Map<string, number>()
  let running = 0
  const next = (): void => {
    while (running < most && waiting.length > 0) {
      const [job] = waiting.splice(leastServed(waiting, begun), 1)
      begun.set(job!.client, (begun.get(job!.client) ?? 0) + 1)
      running++
      job!.start()
    }
    if (running === 0 || begun.size > maxClients) begun.clear()
  }
  return {
    add: (client, work, bytes = 0) => {
      const own = waiting.filter(job => job.client === client)
      if (isFull(waiting, bytes, longestQueue) || isFull(own, bytes, longestOfClient)) return null
      return new Promise((resolve, reject) => {
        const start = (): void => {
          void work()
            .then(resolve, reject)
            .finally(() => {
              running--
              next()
            })
        }
        waiting.push({ client, bytes, start, fail: reject })
        next()
      })
    },
    close: error => {
      for (const { fail } of waiting.splice(0)) fail(error)
    },
  }
}

/** A job that is too large for the queue waits only alone. */
function isFull(waiting: readonly Waiting[], bytes: number, most: typeof longestQueue): boolean {
  const sum = waiting.reduce((sum, job) => sum + job.bytes, bytes)
  return waiting.length >= most.jobs || (waiting.length > 0 && sum > most.bytes)
}

/** Finds the first job of the client with the fewest started jobs. */
function leastServed(waiting: readonly Waiting[], begun: ReadonlyMap<string, number>): number {
  let best = 0
  for (const [index, { client }] of waiting.entries()) {
    if ((begun.get(client) ?? 0) < (begun.get(waiting[best]!.client) ?? 0)) best = index
  }
  return best
}
