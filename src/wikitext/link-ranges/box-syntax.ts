/** Boxes of MkDocs (`!!! note`) and footnotes for the CommonMark parser: containers like quotes, so that links in their content are found. */

import type { parse } from 'micromark'
import { boxIndent, readBoxStart } from '../models/note-markup.ts'

type Extension = NonNullable<NonNullable<NonNullable<Parameters<typeof parse>[0]>['extensions']>[number]>
type Construct = Exclude<NonNullable<NonNullable<Extension['document']>[string]>, readonly unknown[]>
type Effects = Parameters<Construct['tokenize']>[0]
type State = Parameters<Construct['tokenize']>[1]
type Code = Parameters<State>[0]
/** Names of tokens of our own; nothing asks for them. */
type Name = Parameters<Effects['enter']>[0]
const [boxName, startName, indentName] = ['noteBox', 'noteBoxStart', 'noteBoxIndent'] as unknown as [Name, Name, Name]

const isLineEnd = (code: Code): boolean => code === null || code < -2
const isSpace = (code: Code): boolean => code === -2 || code === -1 || code === 32

/** Reads the line ahead, without consuming it: true for the first line of a box. */
const startLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    let line = ''
    effects.enter(startName)
    const next: State = code => {
      if (isLineEnd(code)) {
        effects.exit(startName)
        return readBoxStart(line) === null ? nok(code) : ok(code)
      }
      line += isSpace(code) ? ' ' : String.fromCharCode(code as number)
      effects.consume(code)
      return next
    }
    return next
  },
}

/** Consumes the line up to its title, which may contain links. */
const tokenize: Construct['tokenize'] = (effects, ok, nok) => {
  const next: State = code => {
    if (isLineEnd(code) || code === 34) {
      effects.exit(startName)
      return ok(code)
    }
    effects.consume(code)
    return next
  }
  return effects.check(
    startLine,
    code => {
      effects.enter(boxName, { _container: true } as never)
      effects.enter(startName)
      return next(code)
    },
    nok,
  )
}

/** The next lines are blank or indented. */
const continuation: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    let columns = 0
    const next: State = code => {
      if (columns === boxIndent || isLineEnd(code)) {
        if (columns > 0) effects.exit(indentName)
        return ok(code)
      }
      if (!isSpace(code)) {
        if (columns > 0) effects.exit(indentName)
        return nok(code)
      }
      if (columns === 0) effects.enter(indentName)
      columns++
      effects.consume(code)
      return next
    }
    return next
  },
}

const box: Construct = {
  name: 'noteBox',
  tokenize,
  continuation,
  exit: effects => void effects.exit(boxName),
}

/** `[^label]:`, which defines a note instead of a link. A label has no space, as for the program that renders notes. */
const footnote: Construct = {
  ...box,
  name: 'noteFootnote',
  tokenize(effects, ok, nok) {
    let length = 0
    const read: State = code => {
      if (isLineEnd(code) || isSpace(code) || (length === 1 && code !== 94)) return nok(code)
      effects.consume(code)
      length++
      return code === 93 && length > 3 ? colon : read
    }
    const colon: State = code => {
      if (code !== 58) return nok(code)
      effects.consume(code)
      effects.exit(startName)
      return ok
    }
    return code => {
      effects.enter(boxName, { _container: true } as never)
      effects.enter(startName)
      return read(code)
    }
  },
}

/** The extension of micromark. The keys are the signs with which boxes and footnotes begin. */
export const boxSyntax: Extension = { document: { 33: box, 61: box, 63: box, 91: footnote } }
