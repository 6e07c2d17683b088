import type { LintRule } from './rule.ts'
import { backgroundAlone, duplicateId, missingAlt } from './rules/attributes.ts'
import { noted } from './rules/constructs.ts'
import { deletableTable, fostered, largeTable, tableInList } from './rules/tables.ts'
import { divInSpan, fontAroundLink, obsolete, paragraphsInLine, spaceInLine } from './rules/tags.ts'
import { selfClosed, stripped, unclosed } from './rules/unclosed.ts'

export const lintRules: readonly LintRule[] = [
  deletableTable,
  unclosed,
  selfClosed,
  stripped,
  obsolete,
  fontAroundLink,
  tableInList,
  divInSpan,
  paragraphsInLine,
  spaceInLine,
  largeTable,
  fostered,
  backgroundAlone,
  noted,
  missingAlt,
  duplicateId,
]
