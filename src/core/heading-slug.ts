/** Ids that GitHub gives to headings. */

/**
 * Returns the id of a heading with this text, as GitHub and most Markdown programs make it.
 * Source: https://github.com/Flet/github-slugger
 */
export function headingSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}
