/** Escapes text: markup characters become character references. */

const signs = /["&'<>=[\]{|};]/g
const atLineStart = /(^|\n)([ #*:!\n\t])/g
const magicLinks = /(^|[^0-9A-Za-z])(ISBN|RFC|PMID)(?=[ \t])/g

/**
 * Writes text so that wikitext shows it literally.
 *
 * Source: MediaWiki wfEscapeWikiText, by its effect on page names.
 */
export function escapeWikitext(text: string): string {
  return text
    .replace(signs, reference)
    .replace(atLineStart, (_, start: string, sign: string) => start + reference(sign))
    .replace(/(^|\n)----/g, '$1&#45;---')
    .replaceAll('!!', '&#33;!')
    .replaceAll('__', '_&#95;')
    .replaceAll('://', '&#58;//')
    .replaceAll('~~~', '~~&#126;')
    .replace(magicLinks, '$1$2&#32;')
}

function reference(sign: string): string {
  return `&#${sign.charCodeAt(0)};`
}
