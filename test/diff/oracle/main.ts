/** Entry of the bundle that `load.mjs` makes. */

export { mergeTexts } from '../../../src/diff/merge.ts'
export { generate, generateOf, generateUndo } from './generate.ts'
export { flaws, judge } from './judge.ts'
export { kinds } from './kinds.ts'
export { judgeCase } from './properties.ts'
export { kindOf } from './real.ts'
