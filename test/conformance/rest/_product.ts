/** The parts of the product that a replay uses. */

export * from '../../../src/operations/configure.ts'
export * from '../../../src/operations/create-page.ts'
export * from '../../../src/operations/hide-revision.ts'
export * from '../../../src/operations/import-dump.ts'
export * from '../../../src/operations/tokens.ts'
export * from '../../../src/operations/update-page.ts'
export * from '../../../src/operations/wiki.ts'
export * from '../../../src/rest/serve.ts'
export * from '../../../src/store/repository/init.ts'
export * from '../../rest/_openapi.ts'
export * from '../_diff-elements.ts'
