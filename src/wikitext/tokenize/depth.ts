/** Deepest nesting of links, captions in captions included; deeper ones are text. */
export const maximumDepth = 40
