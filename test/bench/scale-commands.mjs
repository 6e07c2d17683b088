/** Every reading command, cold, beside a bare node and beside git where git answers the like. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as bench from './measure.mjs'

export async function measureCommands(folder, { hot, pages }, { seconds, isAsked }) {
  const wiki = (...parameters) => bench.wikiCommand(folder, ...parameters)
  const git = (...parameters) => bench.command('git', '-C', folder, ...parameters)
  const page = pages[Math.min(pages.length - 1, 500)]
  const text = join(bench.scratch(), 'text.wiki')
  writeFileSync(text, "'''Bold''' and [[Page 1]].\n")
  const commands = [
    [
      'wiki history',
      wiki('history', hot.key),
      ['git log -20 -- <path>', git('log', '-20', '--', page.path)],
      '≤ 1.6 × node',
    ],
    ['wiki history of a page seldom edited', wiki('history', pages.at(-1).key)],
    ['wiki history --older-than', wiki('history', hot.key, '--older-than', `${hot.latest}`)],
    ['wiki history --count edits', wiki('history', hot.key, '--count', 'edits')],
    ['wiki page get', wiki('page', 'get', page.key), ['git show HEAD:<path>', git('show', `HEAD:${page.path}`)]],
    ['wiki page get --meta', wiki('page', 'get', page.key, '--meta')],
    ['wiki page get --html', wiki('page', 'get', page.key, '--html')],
    ['wiki page list -n 20', wiki('page', 'list', '-n', '20')],
    ['wiki page list --prefix', wiki('page', 'list', '--prefix', page.key.slice(0, 7))],
    ['wiki page files', wiki('page', 'files', page.key)],
    ['wiki page languages', wiki('page', 'languages', page.key)],
    [
      'wiki revision get',
      wiki('revision', 'get', `${page.before}`),
      ['git show <commit>', git('show', '--format=', 'HEAD~50')],
    ],
    ['wiki compare', tolerant(wiki('compare', `${page.before}`, `${page.latest}`, '--json'))],
    [
      'wiki search',
      wiki('search', 'bace guha'),
      ['git grep', git('grep', '-l', '-e', 'bace', '--and', '-e', 'guha', 'HEAD')],
    ],
    ['wiki search --title', wiki('search', '--title', page.key.slice(0, 7))],
    ['wiki file get', wiki('file', 'get', 'Buoy.svg')],
    ['wiki file list', wiki('file', 'list')],
    ['wiki status', wiki('status')],
    ['wiki export --latest, one page', wiki('export', '--latest', page.key)],
    ['wiki convert wikitext html', wiki('convert', 'wikitext', 'html', text)],
    ['wiki config get', wiki('config', 'get', 'name')],
  ]
  const firstSearch = 'the first wiki search: builds its index'
  const rows = isAsked(firstSearch) ? [await measureOnce(firstSearch, wiki('search', 'bace'))] : []
  for (const command of commands.filter(([what]) => isAsked(what))) rows.push(await measureCommand(command, seconds))
  return rows
}

async function measureOnce(what, run) {
  const { ours } = await bench.interleave({ ours: run }, { seconds: 0, least: 1, most: 1, warm: false })
  return { what, p50: ours.wall, cpu: ours.cpu }
}

async function measureCommand([what, ours, beside, target], seconds) {
  const runs = { ours, node: bench.bareNode, ...(beside && { git: tolerant(beside[1]) }) }
  const slow = beside?.[0] === 'git log -20 -- <path>' || beside?.[0] === 'git grep'
  const { ours: own, node, git } = await bench.interleave(runs, { seconds: seconds * 2, least: slow ? 3 : 7, most: 41 })
  return {
    what: beside ? `${what}, beside ${beside[0]}` : what,
    p50: own.wall,
    p99: own.slowest,
    cpu: own.cpu,
    node: node.wall,
    nodeCpu: node.cpu,
    git: git?.wall,
    gitCpu: git?.cpu,
    target,
  }
}

/** Status 1 is an answer: git grep finds nothing, two revisions differ. */
function tolerant(run) {
  return () => {
    try {
      run()
    } catch {
      // Nothing was found.
    }
  }
}
