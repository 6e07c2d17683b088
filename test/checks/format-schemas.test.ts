/**
 * Every report is valid under the schema of its readers, whatever titles, paths and texts contain. The schema of SARIF comes
 * from OASIS, the validator of rdjson from UmbrellaDocs, both as packages. The rules of GitLab and Jenkins have no package, so
 * they are written here from their documentation.
 */

import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { reportFormats } from '../../src/checks/formats.ts'
import type { Report } from '../../src/checks/report.ts'
import { hostileProblems } from './_hostile-problems.ts'
import { problem, reportOf } from './_problem.ts'

const require = createRequire(import.meta.url)

const { place } = problem()
const fix = { start: 2, end: 6, was: '<tt>', text: '<code>', place: place! }
const [hostile] = hostileProblems(2, 1)

/** A report of each shape that a format represents differently. */
const reports: Readonly<Record<string, Report>> = {
  'without problems': reportOf([], { paths: ['Tides.wiki'] }),
  'of hostile texts': reportOf(hostileProblems(1, 200).map(one => ({ ...one, message: `A tag: ${one.message}` }))),
  'with a baseline': reportOf([problem()], { known: [problem({ kind: 'red-link' })] }),
  'with mechanical fixes': reportOf([problem({ fix }), { ...hostile!, fix }]),
  'of a commit': reportOf([problem()], { head: '7'.repeat(40), repository: 'https://example.org/wiki.git' }),
  'of a problem without a place': reportOf([{ ...problem(), place: null }]),
}
const names = Object.keys(reports)

function errorsOf(schema: object, text: string): unknown {
  // SARIF's schema is of draft 4, which this validator reads except for the name of the dialect and of the identifier. One
  // pattern of it has a superfluous bracket, which only expressions without the flag u accept.
  const { $schema: _, id: __, ...rest } = schema as Record<string, unknown>
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
  addFormats.default(ajv)
  ajv.validate(rest, JSON.parse(text))
  return ajv.errors
}

describe('SARIF is valid by the schema of OASIS', () => {
  const schema = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')

  test.each(names)('a report %s', { tags: 'long' }, name => {
    expect(errorsOf(schema, reportFormats.sarif(reports[name]!, 'warning'))).toBeNull()
  })

  test('which finds an error', { tags: 'long' }, () => {
    const text = reportFormats.sarif(reports['with a baseline']!, 'warning')
    expect(errorsOf(schema, text.replace('"startLine": 3', '"startLine": 0'))).toHaveLength(1)
    expect(errorsOf(schema, text.replace('"ruleId"', '"rule"'))).not.toBeNull()
  })

  /** Source: https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning */
  test('and each result has a line, which GitHub requires', () => {
    const { runs } = JSON.parse(reportFormats.sarif(reports['of a problem without a place']!, 'warning'))
    expect(runs[0].results[0].locations[0].physicalLocation.region.startLine).toBe(1)
  })

  test('and names the commit where one is known', () => {
    const { runs } = JSON.parse(reportFormats.sarif(reports['of a commit']!, 'warning'))
    const [{ repositoryUri, revisionId, mappedTo }] = runs[0].versionControlProvenance
    expect([repositoryUri, revisionId]).toEqual(['https://example.org/wiki.git', '7'.repeat(40)])
    expect(mappedTo.uriBaseId).toBe(runs[0].results[0].locations[0].physicalLocation.artifactLocation.uriBaseId)
    expect(reportFormats.sarif(reports['with a baseline']!, 'warning')).not.toContain('Provenance')
  })

  test('and each rule has the further fields that GitHub requires', () => {
    const { runs } = JSON.parse(reportFormats.sarif(reports['with a baseline']!, 'warning'))
    for (const { shortDescription, fullDescription, help } of runs[0].tool.driver.rules)
      for (const { text } of [shortDescription, fullDescription, help]) expect(text).not.toBe('')
  })
})

describe('GitLab’s code quality is valid by its documentation', () => {
  /** Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format */
  const schema = {
    type: 'array',
    items: {
      type: 'object',
      required: ['description', 'check_name', 'fingerprint', 'location', 'severity'],
      additionalProperties: false,
      properties: {
        description: { type: 'string' },
        check_name: { type: 'string', minLength: 1 },
        fingerprint: { type: 'string', minLength: 1 },
        severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
        location: {
          type: 'object',
          required: ['path', 'lines'],
          properties: {
            path: { type: 'string', pattern: '^(?!\\./|/)' },
            lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer', minimum: 1 } } },
          },
        },
      },
    },
  }

  test.each(names)('a report %s', name => {
    expect(errorsOf(schema, reportFormats.gitlab(reports[name]!, 'warning'))).toBeNull()
  })
})

describe('rdjson is valid by a validator of reviewdog’s format', () => {
  const { RDFormatValidator } = require('@umbrelladocs/rdformat-validator')

  test.each(names)('a report %s', async name => {
    const validator = new RDFormatValidator({ strictMode: true })
    const { errors } = await validator.validateString(reportFormats.rdjson(reports[name]!, 'warning'))
    expect(errors).toEqual([])
  })
})

const hasXmllint = spawnSync('xmllint', ['--version']).status === 0

describe.skipIf(!hasXmllint)('JUnit is valid by xmllint (skipped without xmllint)', () => {
  const dtd = fileURLToPath(new URL('junit-10.dtd', import.meta.url))
  const lint = (input: string) =>
    spawnSync('xmllint', ['--nonet', '--noout', '--dtdvalid', dtd, '-'], { input, encoding: 'utf8' })

  test.each(names)('a report %s', name => {
    const { status, stderr } = lint(reportFormats.junit(reports[name]!, 'warning'))
    expect([status, stderr]).toEqual([0, ''])
  })

  test('which finds an error', () => {
    expect(
      lint(reportFormats.junit(reports['with a baseline']!, 'warning').replace(' failures=', ' failed=')).status,
    ).toBe(3)
  })
})
