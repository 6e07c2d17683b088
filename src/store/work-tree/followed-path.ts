/** Changes of a branch that a work tree follows. */

/** Blob at a path before and after; null: no file. */
export interface FollowedPath {
  readonly path: string
  readonly before: string | null
  readonly after: string | null
  /** Blob of the file that `after` derives from: such a file follows, whatever was staged for it. Null: it was deleted. */
  readonly work?: string | null
  /** True if git has compared the file with `before` since we staged it and found them equal. */
  readonly isSeen?: boolean
  /** True if the system refused to let the file follow; false if the file stays for another reason. */
  readonly isDue?: boolean
}
