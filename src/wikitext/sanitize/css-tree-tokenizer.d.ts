/** The tokenizer alone, without css-tree's grammar: `@types/css-tree` has types only for the whole. */
declare module 'css-tree/tokenizer' {
  /** Names of token types by their number. */
  export const tokenNames: readonly string[]
  /** Calls back for each token with the number of its type and its range in the source. */
  export function tokenize(source: string, onToken: (type: number, start: number, end: number) => void): void
}
