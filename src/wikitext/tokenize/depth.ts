/** Maximum nesting of links, including captions in captions; deeper ones are text. */
export const maxDepth = 40
