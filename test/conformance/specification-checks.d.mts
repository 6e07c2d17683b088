/** Number of the group, the sentence, and its check. */
export type Check = readonly [section: string, sentence: string, holds: unknown]

export const caps: Readonly<Record<string, number>>
export const checks: Readonly<Record<string, readonly Check[]>>
export const statuses: readonly (readonly [section: string, sentence: string, status: number, path: string])[]
