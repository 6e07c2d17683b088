/** Number of the group, the sentence, and its check. */
export type Check = readonly [section: string, sentence: string, holds: unknown]

export const checks: Readonly<Record<string, readonly Check[]>>

export function checkWiki(
  request: (path: string, init?: RequestInit) => Promise<Response>,
  titles: readonly string[],
): Promise<{ readonly seen: ReadonlyMap<Check, number>; readonly faults: readonly string[] }>
