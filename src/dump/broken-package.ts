/** A file that cannot be unpacked; the reader says where. */
export class BrokenPackage extends Error {}
