/** Pages, as the API sends them. Field names and order are those of the JSON. */

import type { ContentModel } from './content-models.ts'

export interface License {
  /** "" if the wiki configures none. */
  readonly url: string
  readonly title: string
}

/** Fields that every form of a page shares. Source: API:REST_API/Reference on mediawiki.org, page object. */
export interface PageObject {
  readonly id: number
  /** Title in URL form: underscores, canonical namespace. */
  readonly key: string
  /** Title in reading form: spaces. */
  readonly title: string
  readonly latest: {
    readonly id: number
    /** ISO 8601, UTC, whole seconds. */
    readonly timestamp: string
  }
  readonly content_model: ContentModel
  readonly license: License
}

export interface PageSource extends PageObject {
  readonly source: string
  /** Route of the page that this one redirects to; absent if it is not a redirect. */
  readonly redirect_target?: string
}

export interface PageBare extends PageObject {
  readonly html_url: string
  readonly redirect_target?: string
}

/** One line of `wiki page list --json`. */
export interface PageListItem {
  readonly id: number
  readonly key: string
  readonly title: string
  readonly latest: { readonly id: number; readonly timestamp: string }
  readonly content_model: ContentModel
  /** Title of the redirect's target, or null. */
  readonly redirect: string | null
  /** Bytes of the latest text. */
  readonly size: number
}
