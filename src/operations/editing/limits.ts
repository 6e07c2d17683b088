/** Size limits of files. */

/** Maximum bytes of a media file that is imported, and of a work-tree file that is read. */
export const maximumFileBytes = 100 * 1024 * 1024
