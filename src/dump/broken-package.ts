/** A file that cannot be unpacked; the reader says where. */
export class BrokenPackage extends Error {
  /** Advice for people at a terminal. */
  readonly hint: string | undefined

  constructor(problem: string, hint?: string) {
    super(problem)
    this.hint = hint
  }
}
