/** Records of revisions between reading and committing. */

import type { ContentModel } from '../../core/content-models.ts'
import type { Author } from '../format/entries.ts'
import type { Origin } from '../format/trailers.ts'

interface ImportedCommit {
  /** Prefixed title, URL form. */
  readonly key: string
  readonly blob: string
  /** Path that the blob was converted for; null if no conversion applies. */
  readonly convertedFor: string | null
  /** Seconds since 1970, UTC. */
  readonly time: number
  readonly author: Author
  readonly comment: string
}

export interface ImportedRevision extends ImportedCommit {
  readonly kind: 'revision'
  readonly model: ContentModel
  readonly minor: boolean
  readonly origin: Origin
}

export interface ImportedFile extends ImportedCommit {
  readonly kind: 'file'
}

export type ImportedItem = ImportedRevision | ImportedFile
