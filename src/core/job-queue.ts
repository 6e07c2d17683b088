/** Queue of waiting jobs: clients take turns, and none can fill the queue or take all places at work from the others. */

/** Maximum number of waiting jobs, and of bytes of their texts. */
export interface QueueLength {
  readonly jobs: number
  readonly bytes: number
}

export interface JobQueueOptions {
  /** Number of jobs that are run at once. */
  readonly most: number
  /** Number of them of one client; `most` if omitted. What is left is for those who have no job at work. */
  readonly ofClient?: number
  /** Bounds of the waiting jobs of all clients, and of one. Further ones are refused. */
  readonly longest?: { readonly all: QueueLength; readonly ofClient: QueueLength }
}

const unbounded: QueueLength = { jobs: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }

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

/** Creates a queue. */
export function createJobQueue({
  most,
  ofClient = most,
  longest = { all: unbounded, ofClient: unbounded },
}: JobQueueOptions): JobQueue {
  const waiting: Waiting[] = []
  /** Number of jobs started for each client since the queue was last empty. */
  const begun = new Map<string, number>()
  /** Clients of the jobs at work. */
  const running: string[] = []
  const hasPlace = (client: string): boolean => {
    const own = running.filter(other => other === client).length
    return running.length < most && own < ofClient
  }
  const next = (): void => {
    for (let at = nextOf(waiting, begun, hasPlace); at !== null; at = nextOf(waiting, begun, hasPlace)) {
      const [{ client, start }] = waiting.splice(at, 1) as [Waiting]
      begun.set(client, (begun.get(client) ?? 0) + 1)
      running.push(client)
      start()
    }
    if (running.length === 0 || begun.size > maxClients) begun.clear()
  }
  return {
    add: (client, work, bytes = 0) => {
      const own = waiting.filter(job => job.client === client)
      if (isFull(waiting, bytes, longest.all) || isFull(own, bytes, longest.ofClient)) return null
      return new Promise((resolve, reject) => {
        const start = (): void => {
          void work()
            .then(resolve, reject)
            .finally(() => {
              running.splice(running.indexOf(client), 1)
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
function isFull(waiting: readonly Waiting[], bytes: number, most: QueueLength): boolean {
  const sum = waiting.reduce((sum, job) => sum + job.bytes, bytes)
  return waiting.length >= most.jobs || (waiting.length > 0 && sum > most.bytes)
}

/** Finds the first job of the client with the fewest started jobs, of those with a place; null for none. */
function nextOf(
  waiting: readonly Waiting[],
  begun: ReadonlyMap<string, number>,
  hasPlace: (client: string) => boolean,
): number | null {
  let best: number | null = null
  for (const [index, { client }] of waiting.entries()) {
    const isSooner = best === null || (begun.get(client) ?? 0) < (begun.get(waiting[best]!.client) ?? 0)
    if (isSooner && hasPlace(client)) best = index
  }
  return best
}
