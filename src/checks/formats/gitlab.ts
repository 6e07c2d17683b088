/**
 * Writes problems as GitLab's code quality report.
 *
 * Source: https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
 */

import { fingerprints } from '../difference.ts'
import type { Severity } from '../problem.ts'
import type { Report } from '../report.ts'

const gitlabSeverities: Readonly<Record<Severity, string>> = { error: 'major', warning: 'minor', note: 'info' }

/** Writes an array. Each entry has a unique fingerprint, because GitLab drops duplicates. */
export function formatGitlab({ problems }: Report): string {
  const names = fingerprints(problems)
  const entries = problems.map(({ message, kind, severity, path, place }, at) => ({
    description: message,
    check_name: kind,
    fingerprint: names[at],
    severity: gitlabSeverities[severity],
    location: { path, lines: { begin: place?.line ?? 1 } },
  }))
  return `${JSON.stringify(entries, null, 1)}\n`
}
