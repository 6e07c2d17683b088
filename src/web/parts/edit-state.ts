import type { ContentModel } from '../../core/content-models.ts'

/** A text that is being edited. */
export interface EditState {
  readonly key: string
  readonly title: string
  /** Id of the revision that the text was made from; 0 for a page that is not there. */
  readonly base: number
  /** Number of the section that the text is of; null for all of the page. */
  readonly section: number | null
  readonly text: string
  readonly summary: string
  readonly minor: boolean
  readonly model: ContentModel
  /** Name of the draft that a script keeps of the text; "" for none. */
  readonly draft: string
}
