/** Queue of waiting jobs: clients take turns, and none can fill the queue for the others. */

/** Maximum waiting jobs, of all clients and of one. Further ones are refused. */
const longestQueue = 200
const longestOfClient = 50
/** Maximum number of clients whose jobs are counted. With more, the counts restart. */
const maxClients = 1000

interface Waiting {
  readonly client: string
  readonly start: () => void
  readonly fail: (error: unknown) => void
}

export interface JobQueue {
  /** Runs a job when its turn comes; null if the queue is full. */
  readonly add: <Result>(client: string, work: () => Promise<Result>) => Promise<Result> | null
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
    add: (client, work) => {
      const own = waiting.reduce((count, job) => count + (job.client === client ? 1 : 0), 0)
      if (waiting.length >= longestQueue || own >= longestOfClient) return null
      return new Promise((resolve, reject) => {
        const start = (): void => {
          void work()
            .then(resolve, reject)
            .finally(() => {
              running--
              next()
            })
        }
        waiting.push({ client, start, fail: reject })
        next()
      })
    },
    close: error => {
      for (const { fail } of waiting.splice(0)) fail(error)
    },
  }
}

/** Finds the first job of the client with the fewest started jobs. */
function leastServed(waiting: readonly Waiting[], begun: ReadonlyMap<string, number>): number {
  let best = 0
  for (const [index, { client }] of waiting.entries()) {
    if ((begun.get(client) ?? 0) < (begun.get(waiting[best]!.client) ?? 0)) best = index
  }
  return best
}
