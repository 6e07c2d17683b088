import type { Tree } from './disk.mjs'
import type { Recording } from './operations.mjs'

export interface State {
  readonly tree: Tree
  readonly cut: { readonly step: number; readonly acknowledged: number }
  readonly hash: string
  readonly said: string
}

export function statesOf(
  recording: Recording,
  model: string,
  options?: { readonly seed?: number; readonly samples?: number },
): { readonly states: readonly State[]; readonly cuts: number; readonly made: number }
