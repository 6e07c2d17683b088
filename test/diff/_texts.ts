import fc from 'fast-check'

/** Lines of few words, so that equal lines and equal words are frequent. Without NUL and leading blanks. */
export const line: fc.Arbitrary<string> = fc
  .array(fc.constantFrom('a', 'b', 'cc', 'é', '語', '😀', 'word', ',', 'a b a'), { maxLength: 6 })
  .map(words => words.join(' '))

/** A text of such lines; every line ends with a line feed. */
export const text: fc.Arbitrary<string> = fc.array(line, { maxLength: 12 }).map(joinLines)

/** A text and another one made from it by removing, inserting and moving lines. */
export const editedText: fc.Arbitrary<{ from: string; to: string }> = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 20 }),
    edits: fc.array(
      fc.record({ at: fc.nat(30), take: fc.nat(2), put: fc.array(line, { maxLength: 2 }), move: fc.nat(30) }),
      {
        maxLength: 4,
      },
    ),
  })
  .map(({ lines, edits }) => {
    const to = [...lines]
    for (const { at, take, put, move } of edits) {
      const taken = to.splice(at % (to.length + 1), take, ...put)
      if (move % 2 === 0) to.splice(move % (to.length + 1), 0, ...taken)
    }
    return { from: joinLines(lines), to: joinLines(to) }
  })

export function joinLines(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('')
}
