/** `RFC 1`, `PMID 1` and `ISBN 1234567890`: numbers that become links. */

import { type ChildNode, element } from '../tree/node.ts'
import { emit, pageRange, type Scan, scanPart } from './scan.ts'

const space = '(?:[\\t \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000]|&nbsp;|&#0*160;|&#[xX]0*[aA]0;)'
const numbered = new RegExp(`(RFC|PMID)${space}+(\\d+)(?![\\p{L}\\p{N}_])`, 'uy')
const isbn = new RegExp(
  `ISBN${space}+((?:97[89](?:${space}|-)?)?(?:\\d(?:${space}|-)?){9}[\\dXx])(?![\\p{L}\\p{N}_])`,
  'uy',
)

/** Scans a magic link; false if there is none. */
export function scanMagicLink(scan: Scan): boolean {
  const { at, text } = scan
  const next = text.charCodeAt(at + 1)
  if (next !== 70 && next !== 77 && next !== 83) return false
  if (scan.inLink || (at > 0 && /[\p{L}\p{N}_]/u.test(text[at - 1]!))) return false
  return emitMatch(scan, isbn, isbnLink) || emitMatch(scan, numbered, numberLink)
}

function emitMatch(
  scan: Scan,
  pattern: RegExp,
  make: (match: RegExpExecArray, shown: ChildNode[]) => ChildNode,
): boolean {
  pattern.lastIndex = scan.at
  const match = pattern.exec(scan.text)
  const { at } = scan
  if (match === null || at + match[0].length > scan.end) return false
  if (!scan.run.site.magicLinks.has(/^[A-Z]+/.exec(match[0])![0])) return false
  const end = at + match[0].length
  const inner = scanPart(scan, at, end, { hasLines: false, inLink: true })
  scan.run.scanTo(inner, end)
  const node = make(match, scan.run.inlineNodes(inner.out))
  emit(scan, { kind: 'atom', level: 'inline', nodes: [node], ...pageRange(scan, at, end) }, at, end)
  return true
}

function isbnLink([, digits]: RegExpExecArray, shown: ChildNode[]): ChildNode {
  const number = digits!.replace(/[^\dXx]/g, '').toUpperCase()
  return element(
    'a',
    [
      ['href', `./Special:BookSources/${number}`],
      ['rel', 'mw:WikiLink'],
      ['class', 'internal mw-magiclink mw-magiclink-isbn'],
    ],
    shown,
  )
}

function numberLink([, kind, number]: RegExpExecArray, shown: ChildNode[]): ChildNode {
  const isRfc = kind === 'RFC'
  const href = isRfc
    ? `https://datatracker.ietf.org/doc/html/rfc${number}`
    : `//www.ncbi.nlm.nih.gov/pubmed/${number}?dopt=Abstract`
  const classes = `external mw-magiclink mw-magiclink-${isRfc ? 'rfc' : 'pmid'}`
  return element(
    'a',
    [
      ['href', href],
      ['rel', 'mw:ExtLink nofollow'],
      ['class', classes],
    ],
    shown,
  )
}
