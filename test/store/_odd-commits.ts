/** Parts of commits such as git does not write, but reads: each character is one byte. */

/** The bytes of an author's line of a commit: also such as git does not write. */
export const oddAuthors = [
  'Ada Example <ada@example.org> 1700000000 +0100',
  ' <nobody@example.org> 1700000000 +0000',
  'Ada <ada@example.org>',
  'Ada <ada@example.org> -5 +0000',
  'Ada <ada@example.org> -86400000 +0000',
  'Ada <ada@example.org> 99999999999999 +0000',
  'Ada <ada@example.org> 1700000000',
  'Ada ada@example.org 1700000000 +0000',
  'Ada <a>b@example.org> 1700000000 +0000',
  'Ada <<ada@example.org>> 1700000000 +0000',
  'A\u0000da <ada@example.org> 1700000000 +0000',
  'Ad\u00ff\u00e9 <ada@example.org> 1700000000 +0000',
  '\tTab Example  <ada@example.org>  1700000000 +0000',
  '',
] as const

export const oddMessages = [
  '',
  'plain\n',
  'one\u0000two\n\nthree\n',
  '\n\n  begins late\n',
  'caf\u00e9 in Latin-1\n',
  'lines\r\nof\r\nDOS\r\n\r\nWiki-Minor: true\r\n',
  "Merge branch 'main'\nof a place into other\n",
  "Merge branch 'main' into voil\u00c3\u00a0\n",
  "Merge branch 'main' \u00a0 of x into y\n",
  " \n\t\nMerge branch 'main'  \nof x into y\n\nMore\n",
  "Merge branch 'main'\u0000 of x into y\n",
  'no line feed',
  'Subject\n\nWiki-Minor: true\nWiki-Comment: none\n',
  'Wiki-Unchanged: A.wiki\n',
  '\u0001begins with a control character\n',
] as const

export const oddHeaders = [
  '',
  'encoding ISO-8859-1\n',
  'encoding latin-1\n',
  'encoding nonsense\n',
  'encoding UTF-16LE\n',
  'parent 0000000000000000000000000000000000000000\n',
  'mergetag object\n parent 12\n',
] as const
