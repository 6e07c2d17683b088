import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editedJson } from '../../src/core/settings-file/json-edit.ts'

/** Objects and lists, with keys and strings that contain JSON's own characters. */
const word = fc.oneof(fc.constantFrom('a', 'b', 'c', '", {', '\\', '[1]', ': ', '\u2028'), fc.string())
const leaf = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null))
const holding = (inner: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof(leaf, fc.array(inner, { maxLength: 3 }), fc.dictionary(word, inner, { maxKeys: 4, noNullPrototype: true }))
const json = holding(holding(holding(leaf)))
const spaces = fc.constantFrom('', ' ', '\t', '  ', '    ')

test('the edited text is the new value, whatever the old one was', () => {
  fc.assert(
    fc.property(json, json, spaces, fc.boolean(), (before, after, indent, isWindows) => {
      const text = JSON.stringify(before, null, indent)
      const edited = editedJson(isWindows ? text.replaceAll('\n', '\r\n') : text, after)
      expect(JSON.parse(edited)).toEqual(JSON.parse(JSON.stringify(after)))
    }),
  )
})

test('a text that has the value already stays as it is', () => {
  fc.assert(
    fc.property(json, spaces, (value, indent) => {
      const text = ` ${JSON.stringify(value, null, indent)}\n\n`
      expect(editedJson(text, value)).toBe(text)
    }),
  )
})

test('one changed member changes its own lines', () => {
  const text = '{\n   "b" : [1,2,  3],\n   "a": {"x": 1,\n         "y": [ ]}\n}\n'
  expect(editedJson(text, { b: [1, 2, 3], a: { x: 2, y: [] } })).toBe(text.replace('"x": 1', '"x": 2'))
  expect(editedJson(text, { a: { x: 1, y: [] } })).toBe('{\n   "a": {"x": 1,\n         "y": [ ]}\n}\n')
})
