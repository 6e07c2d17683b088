/** The answer to a read whose title is not the canonical one. */

import type { PageObject } from '../../core/page.ts'

/** Tells the REST door to answer 301: the page exists, under this key. An answer, not an error a user meets. */
export class TitleRedirect extends Error {
  /** Canonical prefixed key of the page. */
  readonly key: string
  /** The page's latest revision: it dates the answer. */
  readonly latest: PageObject['latest']

  constructor(key: string, latest: PageObject['latest']) {
    super(`The title's canonical form is ${key}`)
    this.name = 'TitleRedirect'
    this.key = key
    this.latest = latest
  }
}
