/**
 * Set-up file of each test file: generated tests try the same cases each time, so that a gate that passed passes again. With
 * `WIKI_PROOF` they try others each time, and each failure names its seed.
 */

import fc from 'fast-check'
import { isProof } from './_rounds.ts'

if (!isProof) fc.configureGlobal({ seed: 20_261_129 })
