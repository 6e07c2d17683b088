/** Size limits of files. */

/** Maximum bytes of an added media file, and of a work-tree file that is read. */
export const maximumFileBytes = 100 * 1024 * 1024
