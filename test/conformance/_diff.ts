/** The comparison, as its conformance commands use it. */

export * from '../../src/diff/compare-texts.ts'
export * from '../../src/diff/merge.ts'
export * from '../../src/diff/sections.ts'
export * from './_diff-elements.ts'
