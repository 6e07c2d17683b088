/**
 * Every command, and how a benchmark runs it.
 *
 * Reading commands are `{command, with, git}`, where `git` is the comparable git command. Writing commands run with the
 * parameters that `prepare(turn)` returns. A test compares the names with the tree of commands.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Commands without a row of their own, and where they are measured. */
export const measuredElsewhere = {
  serve: 'start of the server',
  'page restore': 'one write, as page move',
  undo: 'one write, as page edit',
  apply: 'one write, as page edit',
  replace: 'reads every text, as search --regex; one write',
}

/** Commands that read, for the page edited most, a page in the middle and one seldom edited. */
export function readingCommands({ hot, page, rare, texts }) {
  const prefix = page.key.slice(0, 7)
  return [
    { command: 'links', with: [page.key] },
    { command: 'list', with: ['--orphans'] },
    { command: 'category', with: ['X'] },
    { command: 'verify', with: [] },
    { command: 'restore', with: ['--dry-run'] },
    { command: 'history', with: [hot.key], git: ['log', '-20', '--', hot.path], target: '≤ 1.6 × node' },
    {
      command: 'history',
      with: [rare.key],
      what: 'wiki history of a page seldom edited',
      git: ['log', '-20', '--', rare.path],
    },
    { command: 'history', with: [hot.key, '--older-than', `${hot.latest}`], what: 'wiki history --older-than' },
    { command: 'history', with: [hot.key, '--count', 'edits'], what: 'wiki history --count edits' },
    { command: 'blame', with: [page.key], git: ['blame', page.path] },
    { command: 'blame', with: [hot.key, '--authors'], what: 'wiki blame of the page edited most', isLong: true },
    { command: 'log', with: [], git: ['log', '-20'] },
    { command: 'log', with: ['--author', 'alice', '--since', '2 years ago'], what: 'wiki log --author --since' },
    { command: 'show', with: [page.key] },
    { command: 'page get', with: [page.key], git: ['show', `HEAD:${page.path}`] },
    { command: 'page get', with: [page.key, '--meta'], what: 'wiki page get --meta' },
    { command: 'page get', with: [page.key, '--html'], what: 'wiki page get --html' },
    { command: 'page list', with: ['-n', '20'] },
    { command: 'page list', with: ['--prefix', prefix], what: 'wiki page list --prefix' },
    { command: 'page files', with: [page.key] },
    { command: 'page languages', with: [page.key] },
    { command: 'revision get', with: [`${page.before}`], git: ['show', '--format=', 'HEAD~50'] },
    { command: 'compare', with: [`${page.before}`, `${page.latest}`, '--json'] },
    { command: 'merge', with: [texts.base, texts.mine, texts.theirs] },
    { command: 'search', with: ['bace guha'], git: ['grep', '-l', '-e', 'bace', '--and', '-e', 'guha', 'HEAD'] },
    { command: 'search', with: ['--title', prefix], what: 'wiki search --title' },
    { command: 'file get', with: ['Buoy.svg'] },
    { command: 'file list', with: [] },
    { command: 'status', with: [] },
    { command: 'lint', with: [page.key] },
    { command: 'check', with: [], what: 'wiki check, of the whole wiki', isLong: true },
    { command: 'migrate-layout', with: ['folders', '--dry-run'], what: 'wiki migrate-layout --dry-run', isLong: true },
    { command: 'export', with: ['--latest', page.key], what: 'wiki export --latest, one page' },
    { command: 'convert', with: ['wikitext', 'html', texts.base], what: 'wiki convert wikitext html' },
    { command: 'config get', with: ['name'] },
    { command: 'config list', with: [] },
    { command: 'token list', with: [] },
    { command: 'completion', with: ['bash'] },
    { command: 'help', with: ['history'] },
  ]
}

/** Commands that write. No other row uses `pages`; `folder` holds their input; `token` makes a token and returns its id. */
export function writingCommands({ pages, workTree, folder, token }) {
  const written =
    name =>
    (turn, text = `Text ${turn} of ${name}.\n`) => {
      const path = join(folder, `${name}-${turn}`)
      writeFileSync(path, text)
      return path
    }
  return [
    { command: 'page edit', prepare: turn => [pages[0].key, '-f', written('edit')(turn), ...edit] },
    { command: 'page create', prepare: turn => [`Made ${turn}`, '-f', written('create')(turn), ...edit] },
    { command: 'page move', prepare: turn => [`Made ${turn}`, `Moved ${turn}`, ...edit] },
    { command: 'page delete', prepare: turn => [`Moved ${turn}`, '--yes', ...edit] },
    { command: 'revision hide', prepare: turn => [`${pages[turn + 1].before}`, ...who] },
    { command: 'revision show', prepare: turn => [`${pages[turn + 1].before}`, ...who] },
    {
      command: 'file add',
      prepare: turn => [written('add')(turn, drawing), '--title', `Drawing ${turn}.svg`, ...edit],
    },
    { command: 'config set', prepare: turn => ['name', `Generated ${turn}`, ...edit] },
    { command: 'token create', prepare: turn => [`Writer ${turn}`] },
    { command: 'token revoke', prepare: () => [token()] },
    { command: 'import', what: 'wiki import, one revision', prepare: turn => [written('dump')(turn, dumpOf(turn))] },
    {
      command: 'commit',
      at: workTree,
      prepare: turn => {
        writeFileSync(join(workTree, pages[0].path), `Text ${turn} of a work tree.\n`)
        return edit
      },
    },
    {
      command: 'init',
      prepare: turn => {
        mkdirSync(join(folder, `wiki-${turn}`))
        return [join(folder, `wiki-${turn}`), ...who]
      },
    },
  ]
}

const who = ['--user', 'Bench <bench@example.org>']
const edit = ['-m', 'edit', ...who]
const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle cx="4" cy="4" r="4"/></svg>\n'

function dumpOf(turn) {
  const revision = `<id>1</id><timestamp>2024-01-01T00:00:00Z</timestamp><contributor><username>A</username></contributor>`
  const text = `<model>wikitext</model><format>text/x-wiki</format><text>Text ${turn}</text>`
  const page = `<title>Imported ${turn}</title><ns>0</ns><id>${turn + 1}</id><revision>${revision}${text}</revision>`
  return `<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en"><page>${page}</page></mediawiki>\n`
}
