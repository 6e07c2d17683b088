/** Sizes beyond which a file is not taken. */

/** Largest media file that is added, and largest file of the work tree that is read: bytes. */
export const maximumFileBytes = 100 * 1024 * 1024
