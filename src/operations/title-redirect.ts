/** The answer to a read whose title is not the canonical one. */

/** Tells the REST door to answer 301: the page exists, under this key. An answer, not an error a user meets. */
export class TitleRedirect extends Error {
  /** Canonical prefixed key of the page. */
  readonly key: string

  constructor(key: string) {
    super(`The title's canonical form is ${key}`)
    this.name = 'TitleRedirect'
    this.key = key
  }
}
