/** Report formats, by name. */

import { formatGithub } from './formats/github.ts'
import { formatGitlab } from './formats/gitlab.ts'
import { formatJson } from './formats/json.ts'
import { formatJunit } from './formats/junit.ts'
import { formatMarkdownReport } from './formats/markdown.ts'
import { formatRdjson } from './formats/rdjson.ts'
import { formatSarif } from './formats/sarif.ts'
import { formatText } from './formats/text.ts'
import type { Severity } from './problem.ts'
import type { Report } from './report.ts'

type Format = (report: Report, failOn: Severity) => string

/** Names of the formats. */
export const formatNames = ['text', 'json', 'sarif', 'junit', 'github', 'gitlab', 'rdjson', 'markdown'] as const

export type ReportFormat = (typeof formatNames)[number]

/** Formatters by name. `failOn` is the lowest severity that fails the gate. */
export const reportFormats: Readonly<Record<ReportFormat, Format>> = {
  text: formatText,
  json: formatJson,
  sarif: formatSarif,
  junit: formatJunit,
  github: formatGithub,
  gitlab: formatGitlab,
  rdjson: formatRdjson,
  markdown: formatMarkdownReport,
}
