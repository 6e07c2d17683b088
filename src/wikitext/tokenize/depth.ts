/** Deepest nesting of links, captions in captions included; what lies deeper is text. */
export const maximumDepth = 40
