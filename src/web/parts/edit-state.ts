import type { ContentModel } from '../../core/content-models.ts'

/** A text that is being edited. */
export interface EditState {
  readonly key: string
  readonly title: string
  /** Id of the revision that the text is based on; 0 for a page that does not exist. */
  readonly base: number
  /** The revision that the form was made from, as `madeFrom` writes it; "" for none. */
  readonly made: string
  /** Number of the edited section; null for the whole page. */
  readonly section: number | null
  readonly text: string
  readonly summary: string
  readonly minor: boolean
  readonly model: ContentModel
  /** Name of the draft that a script stores for the text; "" for none. */
  readonly draft: string
}
