import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteWriter } from '../../../src/search/segment/bytes.ts'
import { postingChains } from '../../../src/search/segment/posting-chains.ts'

const addition = fc.record({
  number: fc.nat(5),
  length: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 9_000 })),
  skipped: fc.nat(3),
})

test('each term has its written bytes, in order, and the number of its documents', { tags: 'long' }, () => {
  fc.assert(
    fc.property(fc.array(addition, { minLength: 1, maxLength: 60 }), additions => {
      const chains = postingChains()
      const written = new Map<number, { bytes: number[]; documents: number[] }>()
      const writer = byteWriter()
      let document = 0
      for (const { number, length, skipped } of additions) {
        document += skipped + 1
        const model = written.get(number) ?? { bytes: [], documents: [] }
        written.set(number, model)
        expect(chains.count(number, document)).toBe(document - 1 - (model.documents.at(-1) ?? -1))
        model.documents.push(document)
        for (let at = 0; at < length; at++) {
          model.bytes.push((document + at) % 251)
          writer.byte((document + at) % 251)
        }
        chains.append(number, writer)
      }
      for (const [number, { bytes, documents }] of written) {
        chains.copyTo(writer, number)
        expect(Buffer.from(bytes).equals(writer.view())).toBe(true)
        expect(chains.frequency(number)).toBe(documents.length)
        writer.clear()
      }
    }),
    { numRuns: 100 },
  )
})

test('there may be many terms, in any order', () => {
  const chains = postingChains()
  const writer = byteWriter()
  const numbers = [70_000, 3, 5_000, 69_999]
  for (const number of numbers) {
    chains.count(number, 0)
    writer.uint32(number)
    chains.append(number, writer)
  }
  const read = numbers.map(number => {
    writer.clear()
    chains.copyTo(writer, number)
    return writer.view().readUInt32LE(0)
  })
  expect(read).toEqual(numbers)
})
