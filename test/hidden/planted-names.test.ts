// @module-tag long
/**
 * Names of people, branches and remotes, messages and addresses are data in every output: each string of `harms` stands in all of
 * these places of one wiki, and every command, route, page, feed and line of the log has the form that it has with a harmless one.
 */

import { describe, expect, test } from 'vitest'
import { createApp, type LogEntry } from '../../src/rest/app.ts'
import { oneIn } from '../_rounds.ts'
import { hasGit } from '../_setup.ts'
import { openTestWiki } from '../operations/_wiki.ts'
import { siteOf } from '../web/_site.ts'
import { flagsOf, reads, run } from './every-command.ts'
import { everyPage, isReading } from './every-page.ts'
import { everyRoute } from './every-route.ts'
import { formOf, looseDirections } from './output-form.ts'
import { harms, plantedWiki } from './planted-wiki.ts'
import type { SecretWiki } from './secret-wiki.ts'

const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f]/
const notInHtml = /[\0-\x08\x0b\x0e-\x1f\x7f-\x9f\ufffe\uffff]/

/** A part of the requests is sent for each string; all of them take ten minutes. */
const some = <Case>(cases: readonly Case[], at = 0) => oneIn(40, cases, at, 12)

/** Forms of outputs, by the place of their requests: each wiki has its own hashes. */
type Forms = ReadonlyMap<string, unknown>

const [[harmless, nothing], ...others] = Object.entries(harms) as [[string, string], ...[string, string][]]

/** Runs the same requests on a wiki with each string, and compares the forms of what comes with those for a harmless one. */
function givesTheForms(formsOf: (wiki: SecretWiki, harm: string) => Promise<Forms>): void {
  let expected: Promise<Forms> | undefined
  test.each(others)('%s', { tags: ['rounds', 'long'] }, async (harm, text) => {
    expected ??= plantedWiki(nothing).then(wiki => formsOf(wiki, harmless))
    const due = await expected
    expect(due.size).toBeGreaterThan(10)
    for (const [what, form] of await formsOf(await plantedWiki(text), harm))
      expect({ what, form }).toEqual({ what, form: due.get(what) })
  })
}

/** Exports and conversions are texts of pages, and these options change the wiki or read what the test does not make. */
const leftOut = ['completion', 'help', 'transform', 'convert', 'merge', 'diff-driver']
const notTried = ['--rebuild', '--fix', '--update-baseline', '--prune', '--work']

describe.skipIf(!hasGit)('no string changes the form of what commands print:', () => {
  givesTheForms(async (wiki, harm) => {
    const forms = new Map<string, unknown>()
    for (const name of Object.keys(reads).filter(one => !leftOut.includes(one))) {
      const rows = [...reads[name]!(wiki).entries()]
      const flags = (await flagsOf(name)).filter(flag => !notTried.includes(flag))
      for (const [at, row] of oneIn(rows.length, rows, name.length, Math.ceil(rows.length / 2)))
        for (const flag of oneIn(flags.length, flags, at, Math.ceil(flags.length / 2))) {
          const words = flag === '' ? row : name === '__complete' ? [flag, ...row] : [...row, flag]
          const { status, stdout, stderr } = await run(wiki, name, words)
          expect({ harm, name, words, found: controls.exec(stderr) }).toMatchObject({ found: null })
          // A message stands under its revision in as many lines as it has, each indented.
          const shown = /^--(?:patch|stat)$/.test(flag) ? stdout.replace(/(?:^ {4}.*\n|^\n)+/gm, '') : stdout
          forms.set(`${name} ${at} ${flag}`, [status, formOf(shown), formOf(stderr)])
        }
    }
    return forms
  })
})

describe.skipIf(!hasGit)('no string changes the form of a page, or the direction of what is beside it:', () => {
  givesTheForms(async (wiki, harm) => {
    const site = siteOf(await openTestWiki(wiki.directory))
    const forms = new Map<string, unknown>()
    for (const [at, [path, form]] of some([...everyPage(wiki).filter(isReading).entries()])) {
      const body = form === undefined ? null : new URLSearchParams({ token: '+\\', ...form })
      const response = await site.ask(path, body === null ? {} : { method: 'POST', body })
      const what = `${harm}: ${path}`
      const loose = looseDirections(await response.clone().text())
      expect({ what, loose }).toEqual({ what, loose: [] })
      forms.set(String(at), await formOfResponse(response, what))
    }
    return forms
  })
})

describe.skipIf(!hasGit)('no string changes the form of an answer of the API or a feed, or fails:', () => {
  givesTheForms(async (wiki, harm) => {
    const lines: LogEntry[] = []
    const app = createApp(await openTestWiki(wiki.directory), { log: entry => lines.push(entry) })
    const forms = new Map<string, unknown>()
    const asked = everyRoute(wiki).filter(({ method }) => method === 'GET')
    for (const [at, { method, path }] of some([...asked.entries()]))
      forms.set(String(at), await formOfResponse(await app.request(path, { method }), `${harm}: ${path}`))
    expect(lines.filter(({ event }) => event === 'error')).toEqual([])
    return forms
  })
})

/** Status, names of headers, and the form of the body. Their values may differ, but not by what ends a header or a tag. */
async function formOfResponse(response: Response, what: string): Promise<unknown> {
  const text = await response.text()
  const headers = [...response.headers].filter(([name]) => !/^(?:etag|last-modified)$/.test(name))
  for (const [name, value] of headers) expect(value, `${what}: ${name}`).toMatch(/^[\t\x20-\x7e]*$/)
  const type = response.headers.get('content-type') ?? ''
  if (/html|xml/.test(type)) expect({ what, found: notInHtml.exec(text)?.[0] }).toEqual({ what, found: undefined })
  return [response.status, headers.map(([name]) => name), formOf(text)]
}
