/** Redirects a read whose title is not the canonical one. */

import type { PageObject } from '../../core/page.ts'

/** Makes the REST API respond with 301, because the page exists under this key. Users never see it as an error. */
export class TitleRedirect extends Error {
  /** Canonical prefixed key of the page. */
  readonly key: string
  /** The page's latest revision, whose time dates the response. */
  readonly latest: PageObject['latest']

  constructor(key: string, latest: PageObject['latest']) {
    super(`The title's canonical form is ${key}`)
    this.name = 'TitleRedirect'
    this.key = key
    this.latest = latest
  }
}

/** Returns true for a `TitleRedirect` of any bundle: each has a class of its own. */
export function isTitleRedirect(error: unknown): error is TitleRedirect {
  return error instanceof Error && error.name === 'TitleRedirect'
}
