/** Writes problems as one JSON object. */

import { fingerprints } from '../difference.ts'
import type { Problem } from '../problem.ts'
import type { Report } from '../report.ts'

/** A problem in JSON. Lines and columns count from 1, columns in UTF-16 units; ends are exclusive. */
export interface ProblemBody {
  readonly kind: string
  readonly severity: Problem['severity']
  readonly path: string
  readonly title: string | null
  readonly message: string
  readonly hint: string
  readonly line: number | null
  readonly column: number | null
  readonly end_line: number | null
  readonly end_column: number | null
  readonly fingerprint: string
}

export interface ReportBody {
  readonly base: string | null
  readonly head: string | null
  readonly checked: number
  readonly problems: readonly ProblemBody[]
  /** Number of problems that the baseline covers. */
  readonly known: number
  /** Number of problems that the change has fixed. */
  readonly gone: number
}

/** Returns the report as an object. */
export function reportBody({ base, head, paths, problems, known, gone }: Report): ReportBody {
  return {
    base,
    head,
    checked: paths.length,
    problems: problemBodies(problems),
    known: known.length,
    gone,
  }
}

/** Returns problems as objects. */
export function problemBodies(problems: readonly Problem[]): ProblemBody[] {
  const names = fingerprints(problems)
  return problems.map((problem, at) => bodyOf(problem, names[at]!))
}

/** Writes the report as JSON. */
export function formatJson(report: Report): string {
  return `${JSON.stringify(reportBody(report))}\n`
}

function bodyOf({ kind, severity, path, title, message, hint, place }: Problem, fingerprint: string): ProblemBody {
  return {
    kind,
    severity,
    path,
    title,
    message,
    hint,
    line: place?.line ?? null,
    column: place?.column ?? null,
    end_line: place?.endLine ?? null,
    end_column: place?.endColumn ?? null,
    fingerprint,
  }
}
