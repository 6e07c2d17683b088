/** The used part of highlight.js: its own types would bring browser types into the whole project. */

/** The highlighter with all of its languages. */
export declare const HighlightJS: {
  /** Finds a language by its name or an alias. */
  readonly getLanguage: (name: string) => { readonly name?: string } | undefined
  /** Writes code as HTML with a span around each token. */
  readonly highlight: (
    code: string,
    options: { language: string; ignoreIllegals: boolean },
  ) => { readonly value: string }
}
