/** Size limits of files. */

/** Maximum bytes of a media file to import, and of a work-tree file to read. */
export const maxFileBytes = 100 * 1024 * 1024
