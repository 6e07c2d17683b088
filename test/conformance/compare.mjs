/** The comparisons of the commands gate, dump and lint. */
import { isDeepStrictEqual } from 'node:util'

/** True if an answer is, as JSON, the recorded one. */
export function isSameAnswer(got, recorded) {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(got)), recorded)
}

/** The revisions of an export by page and place in it, with everything that must not change. The order of pages may. */
export async function factsOf(items) {
  const facts = new Map()
  let [title, place] = ['', 0]
  for await (const { kind, page, revision } of items) {
    if (kind === 'page') [title, place] = [`${page.namespace} ${page.title}`, 0]
    if (kind !== 'revision') continue
    const { id, parent, time, contributor, minor, comment, model, format, text } = revision
    const fact = JSON.stringify({ id, parent, time, contributor, minor, comment, model, format, text })
    facts.set(`${title}, revision ${++place}`, fact)
  }
  return facts
}

/** The keys of two maps whose values differ: `[key, was, is]`. */
export function differences(was, is) {
  const keys = new Set([...was.keys(), ...is.keys()])
  return [...keys].filter(key => was.get(key) !== is.get(key)).map(key => [key, was.get(key), is.get(key)])
}

/** Counts problems by path, kind and text. */
export function countProblems(
  problems,
  keyOf = ({ path, kind, text }) => `${path} ${kind} ${text.replace(/\s+/g, ' ').trim()}`,
) {
  const found = new Map()
  for (const problem of problems) found.set(keyOf(problem), (found.get(keyOf(problem)) ?? 0) + 1)
  return found
}

/**
 * Compares the problems of a merge with those of whole checks before and after it: `[problem, due, reported]`. A whole check has one
 * state, so no page loses a link in it.
 */
export function gateDifferences(problems, { before, after }) {
  const gate = countProblems(problems.filter(({ kind }) => kind !== 'orphaned-page'))
  const [was, is] = [countProblems(before), countProblems(after)]
  const due = [...is].map(([key, n]) => [key, n - (was.get(key) ?? 0)]).filter(([, n]) => n > 0)
  return differences(new Map(due), gate)
}
