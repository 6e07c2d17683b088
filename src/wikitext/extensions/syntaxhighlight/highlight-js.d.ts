/** The used part of highlight.js: its own types would bring browser types into the whole project. */

/** A language, which the highlighter compiles when it is first used. */
export interface Language {
  readonly name?: string
  readonly isCompiled?: boolean
  /** Returns the language as it was before it was compiled. */
  readonly rawDefinition: () => Language
}

/** The highlighter with all of its languages. */
export declare const HighlightJS: {
  /** Finds a language by its name or an alias. */
  readonly getLanguage: (name: string) => Language | undefined
  readonly listLanguages: () => readonly string[]
  /** Adds a language, or replaces the one of this name. */
  readonly registerLanguage: (name: string, define: () => Language) => void
  /** Writes code as HTML with a span around each token. */
  readonly highlight: (
    code: string,
    options: { language: string; ignoreIllegals: boolean },
  ) => { readonly value: string }
}
