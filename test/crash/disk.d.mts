import type { Recording } from './operations.mjs'

export const models: readonly string[]

export interface Tree {
  paths(): Iterable<{ readonly path: string; readonly id: number; readonly node: { readonly data?: Buffer } }>
  bytes(id: number): Buffer
}

export class Cut {
  constructor(recording: Recording, cut: number, model: string)
}
