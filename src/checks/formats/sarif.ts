/**
 * Writes problems as SARIF, for GitHub's code scanning and other viewers.
 *
 * Source: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html,
 * https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
 */

import { fingerprints } from '../difference.ts'
import type { Place, Problem } from '../problem.ts'
import type { Report } from '../report.ts'

/** Maximum results that GitHub accepts in one run. */
const resultLimit = 25_000

/** Base of the paths of results: the root of the repository. */
const root = '%SRCROOT%'

/** Region of a problem that concerns a whole file. GitHub requires a first line in each result. */
const topOfFile = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 }

/** Writes one run. Problems that the baseline covers become suppressed results. */
export function formatSarif(report: Report): string {
  const { problems, known, version, describe } = report
  const all = [...problems, ...known].slice(0, resultLimit)
  const names = fingerprints(all)
  const kinds = [...new Set(all.map(({ kind }) => kind))].sort()
  const places = new Map(kinds.map((kind, at) => [kind, at]))
  const results = all.map((problem, at) => ({
    ruleId: problem.kind,
    ruleIndex: places.get(problem.kind),
    level: problem.severity,
    message: { text: problem.message },
    locations: [locationOf(problem)],
    partialFingerprints: { 'wikiProblem/v1': names[at] },
    ...(at >= problems.length && { suppressions: [{ kind: 'external', justification: 'It is in the baseline.' }] }),
    ...(problem.fix !== undefined && { fixes: [fixOf(problem, problem.fix.place, problem.fix.text)] }),
  }))
  const rules = kinds.map(kind => {
    const { says, hint } = describe(kind)
    const severity = all.find(problem => problem.kind === kind)!.severity
    return {
      id: kind,
      shortDescription: { text: says },
      // GitHub requires it, although the standard does not.
      fullDescription: { text: says },
      help: { text: hint === '' ? says : `${says} ${hint}` },
      defaultConfiguration: { level: severity },
    }
  })
  const driver = { name: 'wiki', semanticVersion: version, rules }
  const run = {
    tool: { driver },
    automationDetails: { id: 'wiki/check/' },
    columnKind: 'utf16CodeUnits',
    originalUriBaseIds: { [root]: { description: { text: 'The top of the repository.' } } },
    ...provenanceOf(report),
    results,
  }
  return `${JSON.stringify({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, null, 1)}\n`
}

/** The commit that the results are about, so that a viewer can open its files. A work tree has none. */
function provenanceOf({ repository = null, head }: Report): object {
  if (repository === null || head === null) return {}
  return {
    versionControlProvenance: [{ repositoryUri: repository, revisionId: head, mappedTo: { uriBaseId: root } }],
  }
}

function locationOf({ path, pathBytes, place }: Problem): object {
  const region = place === null ? topOfFile : regionOf(place)
  return { physicalLocation: { artifactLocation: artifactOf(path, pathBytes), region } }
}

function artifactOf(path: string, bytes?: string): object {
  const escaped = (byte: string): string => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
  const uri =
    bytes === undefined
      ? // A lone surrogate has no UTF-8 encoding.
        Buffer.from(path).toString('utf8').split('/').map(encodeURIComponent).join('/')
      : bytes.replace(/[^A-Za-z0-9/._~-]/g, escaped)
  return { uri, uriBaseId: root }
}

function regionOf({ line, column, endLine, endColumn }: Place): object {
  return { startLine: line, startColumn: column, endLine, endColumn }
}

function fixOf({ path, hint }: Problem, place: Place, text: string): object {
  const replacement = { deletedRegion: regionOf(place), insertedContent: { text } }
  return {
    description: { text: hint },
    artifactChanges: [{ artifactLocation: artifactOf(path), replacements: [replacement] }],
  }
}
