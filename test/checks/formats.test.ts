/** Every format represents any titles, paths and texts, and has the form that its readers require. */

import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { SaxesParser } from 'saxes'
import { describe, expect, test } from 'vitest'
import { reportFormats } from '../../src/checks/formats.ts'
import { inOneLine } from '../../src/core/control-characters.ts'
import { hostileProblems } from './_hostile-problems.ts'
import { problem, reportOf } from './_problem.ts'

const seeds = [1, 2, 3, 4, 5]

describe('GitHub', () => {
  test.each(seeds)('writes each annotation as one line that the runner reads back, seed %i', seed => {
    const problems = hostileProblems(seed, 9)
    const lines = reportFormats.github(reportOf(problems), 'warning').split('\n').filter(Boolean)
    expect(lines.length).toBe(problems.length)
    for (const [at, line] of lines.entries()) {
      const [, properties = '', data = ''] = /^::(?:error|warning|notice) (.*?)::(.*)$/.exec(line)!
      const values = new Map(properties.split(',').map(part => [part.split('=')[0], part.slice(part.indexOf('=') + 1)]))
      const { path, message, hint } = problems[at]!
      expect(unescaped(values.get('file')!)).toBe(inOneLine(path))
      expect(unescaped(data)).toBe(`${inOneLine(message)}\n${inOneLine(hint)}`)
    }
  })

  test('any text is read back unchanged, except for control characters', { tags: 'long' }, () => {
    const text = fc.string({ unit: 'binary', minLength: 1 })
    fc.assert(
      fc.property(text, text, text, (path, title, message) => {
        const written = reportFormats.github(reportOf([problem({ path, title, message, hint: '' })]), 'warning')
        const [command, ...rest] = written.split('\n')
        expect(rest).toEqual([''])
        expect(command).not.toContain('\r')
        const [, properties = '', data = ''] = /^::warning ([^:]*)::(.*)$/su.exec(command!)!
        const values = new Map(properties.split(',').map(part => [part.split('=')[0], part.replace(/^\w+=/, '')]))
        expect([...values.keys()]).toEqual(['file', 'line', 'endLine', 'col', 'endColumn', 'title'])
        expect(unescaped(values.get('file')!)).toBe(inOneLine(path))
        expect(unescaped(values.get('title')!)).toBe(`obsolete-tag in ${inOneLine(title)}`)
        expect(unescaped(data)).toBe(inOneLine(message))
      }),
      { seed: 22 },
    )
  })

  test('shows ten of each kind and the number of the others', () => {
    const many = Array.from({ length: 30 }, (_, at) => problem({ severity: at % 2 === 0 ? 'note' : 'error' }))
    const lines = reportFormats.github(reportOf(many), 'warning').split('\n').filter(Boolean)
    const count = (command: string) => lines.filter(line => line.startsWith(`::${command} `)).length
    expect([count('error'), count('notice')]).toEqual([10, 10])
    expect(lines.at(-1)).toContain('11 more problems')
  })

  function unescaped(text: string): string {
    return text
      .replaceAll('%2C', ',')
      .replaceAll('%3A', ':')
      .replaceAll('%0A', '\n')
      .replaceAll('%0D', '\r')
      .replaceAll('%25', '%')
  }
})

describe('JUnit', () => {
  test.each(seeds)('is XML that a strict parser reads, seed %i', seed => {
    const problems = hostileProblems(seed, 40)
    const parser = new SaxesParser()
    const names: string[] = []
    let failures = 0
    parser.on('opentag', ({ name, attributes }) => {
      if (name === 'testcase') names.push(attributes.name as string)
      if (name === 'failure') failures++
    })
    parser.on('error', error => {
      throw error
    })
    parser.write(reportFormats.junit(reportOf(problems), 'error')).close()
    expect(names.length).toBe(new Set(problems.map(({ path }) => path)).size)
    const failing = new Set(problems.filter(({ severity }) => severity === 'error').map(({ path }) => path))
    expect(failures).toBe(failing.size)
  })

  test('a file without problems is a passing case', () => {
    expect(reportFormats.junit(reportOf([], { paths: ['A.wiki'] }), 'note')).toContain(
      '<testcase classname="wiki" name="A.wiki"/>',
    )
  })
})

describe('JSON formats', () => {
  const all = [...hostileProblems(7, 30), problem(), problem()]
  const parse = (format: 'sarif' | 'gitlab' | 'rdjson' | 'json') =>
    JSON.parse(reportFormats[format](reportOf(all, { known: [problem({ kind: 'old' })] }), 'warning'))

  test('SARIF names each result, its rule and its region', () => {
    const { runs, version } = parse('sarif')
    const [{ results, tool, columnKind }] = runs
    expect([version, columnKind]).toEqual(['2.1.0', 'utf16CodeUnits'])
    expect(results.length).toBe(all.length + 1)
    for (const result of results) {
      expect(tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
      const { artifactLocation, region } = result.locations[0].physicalLocation
      expect(artifactLocation.uri).toMatch(/^[A-Za-z0-9\-._~!*'()%/]+$/)
      expect(region).toEqual({ startLine: 3, startColumn: 3, endLine: 3, endColumn: 7 })
    }
    const marks = results.map((one: { partialFingerprints: object }) => Object.values(one.partialFingerprints)[0])
    expect(new Set(marks).size).toBe(marks.length)
    expect(results.at(-1).suppressions).toEqual([{ kind: 'external', justification: 'It is in the baseline.' }])
  })

  test('GitLab gets a separate entry for each', () => {
    const entries = parse('gitlab')
    expect(new Set(entries.map(({ fingerprint }: { fingerprint: string }) => fingerprint)).size).toBe(all.length)
    for (const { severity, location } of entries) {
      expect(['info', 'minor', 'major']).toContain(severity)
      expect(location.lines.begin).toBe(3)
    }
  })

  test('rdjson suggests automatic fixes', () => {
    const { place } = problem()
    const fixable = problem({ fix: { start: 2, end: 6, was: '<tt>', text: '<code>', place: place! } })
    const { diagnostics } = JSON.parse(reportFormats.rdjson(reportOf([fixable]), 'warning'))
    expect(diagnostics[0].suggestions).toEqual([
      { range: { start: { line: 3, column: 3 }, end: { line: 3, column: 7 } }, text: '<code>' },
    ])
  })

  test('JSON counts what the baseline covers', () => {
    expect(parse('json')).toMatchObject({ known: 1, gone: 0, checked: new Set(all.map(({ path }) => path)).size })
  })
})

describe('Markdown', () => {
  test('fits a comment and mentions nobody', () => {
    const text = reportFormats.markdown(reportOf(hostileProblems(3, 3000)), 'warning')
    expect(text.length).toBeLessThanOrEqual(65_536)
    expect(text).toMatch(/… and \d+ more\.\n$/)
    expect(text).not.toMatch(/@|#1\b|\x1b/)
    // Each row has three cells, whatever their content.
    const rows = text.split('\n').filter(line => line.startsWith('| <code>'))
    for (const row of rows) expect(row.match(/\|/g)?.length).toBe(4)
  })

  test('a table renderer shows each problem as a row of three cells, without its markup', () => {
    const problems = hostileProblems(5, 200)
    const html = new MarkdownIt({ html: true, linkify: true }).render(
      reportFormats.markdown(reportOf(problems), 'warning'),
    )
    const tags = new Set([...html.matchAll(/<\/?([a-z][a-z0-9]*)/g)].map(match => match[1]))
    expect([...tags].sort()).toEqual(['code', 'p', 'strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr'])
    const rows = html.split('<tr>').slice(2)
    expect(rows.length).toBe(problems.length)
    for (const row of rows) expect(row.match(/<td>/g)?.length).toBe(3)
  })

  test('reports that there are no problems', () => {
    expect(reportFormats.markdown(reportOf([], { base: 'a', gone: 2 }), 'warning')).toBe(
      'No new problems. 2 old ones fixed.\n',
    )
  })
})

describe('reports shown in a log or on a page', () => {
  /** All terminal control characters and direction marks, listed independently of the program's table. */
  const steers = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

  test.each(['text', 'github', 'markdown'] as const)('%s holds no character that steers a terminal', format => {
    const written = reportFormats[format](reportOf(hostileProblems(8, 60)), 'note').replaceAll('\n', '')
    const shown = format === 'markdown' ? new MarkdownIt({ html: true }).render(written) : written
    expect(shown.replaceAll('\n', '')).not.toMatch(steers)
  })

  test('a line break in a name is visible', () => {
    const hostile = reportOf([problem({ path: 'a\nb\r\u202e.wiki', message: 'Like\tA\n' })])
    expect(reportFormats.text(hostile, 'note')).toBe('a␊b␍<U+202E>.wiki:3:3: warning: obsolete-tag: Like␉A␊\n')
    expect(reportFormats.github(hostile, 'note')).toContain('file=a␊b␍<U+202E>.wiki,')
  })
})

test('text has one line per problem', () => {
  const lines = reportFormats.text(reportOf(hostileProblems(4, 20)), 'note').split('\n')
  expect(lines.length).toBe(21)
})
