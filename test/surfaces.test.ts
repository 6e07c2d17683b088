import { beforeAll, expect, test } from 'vitest'
import { createApp } from '../src/rest/app.ts'
import { type BuiltWiki, buildWiki } from './_setup.ts'
import { wiki as command } from './cli/harness.ts'

/** One request: as a command line, over HTTP, and the exit status and HTTP status that correspond. */
interface Question {
  readonly argv: readonly string[]
  readonly path: string
  readonly exit: number
  readonly status: number
}

const base = 'http://localhost/v1'

const questions: readonly Question[] = [
  { argv: ['page', 'get', 'Main Page'], path: '/page/Main_Page', exit: 0, status: 200 },
  { argv: ['page', 'get', 'Main Page', '--meta'], path: '/page/Main_Page/bare', exit: 0, status: 200 },
  { argv: ['page', 'get', 'Knots/Clove hitch'], path: '/page/Knots%2FClove_hitch', exit: 0, status: 200 },
  { argv: ['page', 'get', 'No_such_page'], path: '/page/No_such_page', exit: 2, status: 404 },
  { argv: ['page', 'get', 'Bad[title'], path: '/page/Bad%5Btitle', exit: 2, status: 404 },
  { argv: ['history', 'Main Page'], path: '/page/Main_Page/history', exit: 0, status: 200 },
  {
    argv: ['history', 'Main Page', '--filter', 'minor'],
    path: '/page/Main_Page/history?filter=minor',
    exit: 0,
    status: 200,
  },
  {
    argv: ['history', 'Main_Page', '--older-than', '3'],
    path: '/page/Main_Page/history?older_than=3',
    exit: 2,
    status: 404,
  },
  {
    argv: ['history', 'Main Page', '--newer-than', '2'],
    path: '/page/Main_Page/history?newer_than=2',
    exit: 0,
    status: 200,
  },
  {
    argv: ['history', 'Main Page', '--older-than', 'x'],
    path: '/page/Main_Page/history?older_than=x',
    exit: 2,
    status: 400,
  },
  {
    argv: ['history', 'Main Page', '--count', 'edits'],
    path: '/page/Main_Page/history/counts/edits',
    exit: 0,
    status: 200,
  },
  {
    argv: ['history', 'Main Page', '--count', 'editors'],
    path: '/page/Main_Page/history/counts/editors',
    exit: 0,
    status: 200,
  },
  {
    argv: ['history', 'Main Page', '--count', 'none'],
    path: '/page/Main_Page/history/counts/none',
    exit: 2,
    status: 400,
  },
  { argv: ['revision', 'get', '2'], path: '/revision/2', exit: 0, status: 200 },
  { argv: ['revision', 'get', '2', '--meta'], path: '/revision/2/bare', exit: 0, status: 200 },
  { argv: ['revision', 'get', '99999'], path: '/revision/99999', exit: 2, status: 404 },
  { argv: ['compare', '2', '2'], path: '/revision/2/compare/2', exit: 0, status: 200 },
  { argv: ['compare', '99999', '2'], path: '/revision/99999/compare/2', exit: 2, status: 404 },
  { argv: ['search', 'tide'], path: '/search/page?q=tide', exit: 0, status: 200 },
  { argv: ['search', 'tide', '-n', '2'], path: '/search/page?q=tide&limit=2', exit: 0, status: 200 },
  { argv: ['search', 'tide', '-n', '0'], path: '/search/page?q=tide&limit=0', exit: 2, status: 400 },
  { argv: ['page', 'files', 'Harbour'], path: '/page/Harbour/links/media', exit: 0, status: 200 },
  { argv: ['page', 'files', 'Bad[title'], path: '/page/Bad%5Btitle/links/media', exit: 2, status: 404 },
  { argv: ['file', 'get', 'Tide curve.svg'], path: '/file/Tide_curve.svg', exit: 0, status: 200 },
  { argv: ['file', 'get', 'Image:north pier at dusk.jpg'], path: '/file/North_pier_at_dusk.jpg', exit: 0, status: 200 },
  { argv: ['file', 'get', 'Main Page'], path: '/file/Main%20Page', exit: 2, status: 404 },
  { argv: ['file', 'get', ':Main Page'], path: '/file/:Main%20Page', exit: 2, status: 404 },
  { argv: ['search', '--title', 'her'], path: '/search/title?q=her&match=words', exit: 0, status: 200 },
]

let built: BuiltWiki

beforeAll(async () => {
  built = await buildWiki('sample')
})

test.each(questions)(
  '$path: the command line and the API give the same result',
  async ({ argv, path, exit, status }) => {
    const ran = await command([...argv, '--json'], { cwd: built.directory, env: { WIKI_BASE_URL: base } })
    const response = await createApp(built.wiki).request(`${base}${path}`)
    const body = (await response.json()) as { errorKey: string; httpCode: number; messageTranslations: { en: string } }
    expect([ran.status, response.status]).toEqual([exit, status])
    if (status < 400) expect(JSON.parse(ran.stdout)).toEqual(body)
    else {
      const { errorKey, httpCode, message } = JSON.parse(ran.stderr)
      expect([errorKey, httpCode, message]).toEqual([body.errorKey, body.httpCode, body.messageTranslations.en])
      expect(ran.stdout).toBe('')
    }
  },
)
