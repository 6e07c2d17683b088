/** As much of highlight.js as is used: its own types would bring those of browsers into the whole project. */

/** The highlighter with all of its languages. */
export declare const HighlightJS: {
  /** Finds a language by its name or another name of it. */
  readonly getLanguage: (name: string) => { readonly name?: string } | undefined
  /** Writes code as HTML with a span around each piece. */
  readonly highlight: (
    code: string,
    options: { language: string; ignoreIllegals: boolean },
  ) => { readonly value: string }
}
