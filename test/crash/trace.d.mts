import type { ChildProcess, SpawnOptions } from 'node:child_process'

export interface Call {
  readonly pid: number
  readonly name: string
  readonly words: readonly string[]
  readonly result: number
  readonly path: string | undefined
  readonly began: number
  readonly ended: number
}

export function whyNoTrace(): string | null
export function parseTrace(text: string): Call[]
export function startTraced(
  log: string,
  command: readonly string[],
  how?: SpawnOptions & { readonly input?: string },
): {
  readonly child: ChildProcess
  readonly done: Promise<{
    readonly status: number
    readonly stdout: string
    readonly stderr: string
    readonly calls: Call[]
  }>
}
