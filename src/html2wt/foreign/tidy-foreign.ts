/** Converts HTML of other programs to the form that the renderer produces, before it is tidied and written. */

import type { FragmentNode } from '../../wikitext/tree/node.ts'
import { boxRule, furnitureRule, itemRule, listGroups } from './blocks.ts'
import { codeBlock } from './code-blocks.ts'
import { formulaBox, formulaRule } from './formulas.ts'
import { handlerRule, linkAroundRule, linkRule } from './links.ts'
import { tidyNotes } from './notes.ts'
import { isPasted, pastedGroups, pastedRules } from './pasted.ts'
import { fileRule, sourceRule } from './pictures.ts'
import { foreignElements, type Rule, rewrite } from './rewrite.ts'
import { wordLists } from './word-lists.ts'

/** Rules that apply to all foreign HTML. */
const rules: readonly Rule[] = [
  handlerRule,
  codeBlock,
  furnitureRule,
  formulaRule,
  formulaBox,
  fileRule,
  sourceRule,
  linkRule,
  linkAroundRule,
  boxRule,
]

/** Rewrites the foreign elements of a tree. */
export function tidyForeign(tree: FragmentNode): void {
  if (foreignElements(tree).length === 0) return
  if (isPasted(tree)) {
    rewrite(tree, [], [wordLists])
    rewrite(tree, pastedRules, pastedGroups)
  }
  rewrite(tree, rules, [listGroups])
  tidyNotes(tree)
  rewrite(tree, [itemRule])
}
