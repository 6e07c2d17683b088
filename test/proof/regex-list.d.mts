export interface ListedRegex {
  /** `/source/flags` */
  readonly key: string
  readonly file: string
  readonly source: string
  readonly flags: string
}

export function listRegexes(): Promise<{
  readonly regexes: readonly ListedRegex[]
  readonly sites: Readonly<Record<string, number>>
}>
