import type { Call } from './trace.mjs'

export interface Operation {
  readonly kind: string
  readonly [key: string]: unknown
}

export class Recording {
  constructor(root: string)
  readonly operations: readonly Operation[]
  mark(kind: 'step' | 'ack', step: number): void
  add(calls: readonly Call[], cwd: string): void
}
