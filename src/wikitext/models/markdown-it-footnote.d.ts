declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it'

  /** Parses `[^1]` and `^[notes]`. */
  export default function footnotes(parser: MarkdownIt): void
}
