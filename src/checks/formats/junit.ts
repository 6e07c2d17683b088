/**
 * Writes problems as JUnit XML: each file is a test case, which fails if it has problems.
 *
 * Source:
 * https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
 */

import { isAtLeast, type Problem, type Severity } from '../problem.ts'
import type { Report } from '../report.ts'
import { headOf } from './text.ts'

/** Writes one suite. `failOn` is the lowest severity that fails a file; problems below it go to the file's output. */
export function formatJunit({ problems, paths }: Report, failOn: Severity): string {
  const byPath = new Map<string, Problem[]>(paths.map(path => [path, []]))
  for (const problem of problems) {
    const found = byPath.get(problem.path)
    if (found === undefined) byPath.set(problem.path, [problem])
    else found.push(problem)
  }
  const cases = [...byPath].map(([path, found]) => testCase(path, found, failOn))
  const failures = cases.filter(({ failed }) => failed).length
  const counts = `tests="${cases.length}" failures="${failures}" errors="0"`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="wiki check" ${counts}>
<testsuite name="wiki check" ${counts} skipped="0">
${cases.map(({ text }) => text).join('')}</testsuite>
</testsuites>
`
}

/** Jenkins keeps only one failure per test case, so it contains all problems of the file. */
function testCase(path: string, found: readonly Problem[], failOn: Severity): { text: string; failed: boolean } {
  const failing = found.filter(({ severity }) => isAtLeast(severity, failOn))
  const others = found.filter(({ severity }) => !isAtLeast(severity, failOn))
  const lines = (problems: readonly Problem[]): string => escapeXml(problems.map(headOf).join('\n'))
  const head = `<testcase classname="wiki" name="${escapeXml(path)}"`
  if (found.length === 0) return { text: `${head}/>\n`, failed: false }
  const kinds = [...new Set(failing.map(({ kind }) => kind))].join(', ')
  const failure =
    failing.length === 0 ? '' : `<failure type="problem" message="${escapeXml(kinds)}">${lines(failing)}</failure>`
  const output = others.length === 0 ? '' : `<system-out>${lines(others)}</system-out>`
  return { text: `${head}>${failure}${output}</testcase>\n`, failed: failing.length > 0 }
}

/** Removes characters that XML 1.0 cannot represent. Source: https://www.w3.org/TR/xml/#charsets */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\r]/g, char => `&#${char.charCodeAt(0)};`)
}
