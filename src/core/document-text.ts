/** Text that HTML and XML documents can contain. */

/**
 * Characters that must not occur in HTML, not even as references: C0 except white space, DEL, C1, noncharacters, and halves of pairs. XML 1.0
 * excludes no others but the form feed. Source: HTML Standard 13.1.4; XML 1.0, 2.2.
 */
const excluded =
  /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufdd0-\ufdef\ufffe\uffff]|[\ud83f\ud87f\ud8bf\ud8ff\ud93f\ud97f\ud9bf\ud9ff\uda3f\uda7f\udabf\udaff\udb3f\udb7f\udbbf\udbff][\udffe\udfff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Replaces characters that HTML and XML cannot contain, such as those of odd commit messages. */
export function documentText(text: string): string {
  return text.replace(excluded, '\ufffd')
}
