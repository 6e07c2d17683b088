export interface RegexException {
  readonly file: string
  readonly start: string
  readonly reason: string
}

export const exceptions: readonly RegexException[]
export function exceptionFor(regex: { readonly file: string; readonly source: string }): RegexException | undefined
