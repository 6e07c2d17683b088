/** Every reading command, cold, compared with a bare node and with git where git has an equivalent. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readingCommands } from './command-table.mjs'
import * as bench from './measure.mjs'

export async function measureCommands(folder, { hot, pages }, { seconds, isAsked }) {
  const page = pages[Math.min(pages.length - 1, 500)]
  const commands = readingCommands({ hot, page, rare: pages.at(-1), texts: threeTexts() })
  const firstSearch = 'the first wiki search: builds its index'
  const rows = isAsked(firstSearch) ? [await measureOnce(firstSearch, bench.wikiCommand(folder, 'search', 'bace'))] : []
  for (const command of commands)
    if (isAsked(rowName(command))) rows.push(await measureCommand(folder, command, seconds))
  return rows
}

async function measureOnce(what, run) {
  const { ours } = await bench.interleave({ ours: run }, { seconds: 0, least: 1, most: 1, warm: false })
  return { what, p50: ours.wall, cpu: ours.cpu }
}

function threeTexts() {
  const folder = bench.scratch()
  const texts = {
    base: 'One and two, [[Page 1]].\n',
    mine: 'One, two, [[Page 1]].\n',
    theirs: 'One and two, [[Page 2]].\n',
  }
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const path = join(folder, `${name}.wiki`)
      writeFileSync(path, text)
      return [name, path]
    }),
  )
}

async function measureCommand(folder, { command, what, git, target, isLong, ...rest }, seconds) {
  const runs = {
    ours: tolerant(bench.wikiCommand(folder, ...command.split(' '), ...rest.with)),
    node: bench.bareNode,
    ...(git && { git: tolerant(bench.command('git', '-C', folder, ...git)) }),
  }
  const least = isLong ? 1 : git?.[0] === 'log' || git?.[0] === 'grep' ? 3 : 7
  const { ours, node, git: beside } = await bench.interleave(runs, { seconds: seconds * 2, least, most: 41 })
  return {
    what: rowName({ command, what, git }),
    p50: ours.wall,
    p99: ours.slowest,
    cpu: ours.cpu,
    node: node.wall,
    nodeCpu: node.cpu,
    git: beside?.wall,
    gitCpu: beside?.cpu,
    target,
  }
}

const gitNames = {
  log: 'git log -20 -- <path>',
  show: 'git show',
  grep: 'git grep',
}

function rowName({ command, what = `wiki ${command}`, git }) {
  return git === undefined ? what : `${what}, beside ${gitNames[git[0]]}`
}

/**
 * Status 1 is a result: git grep finds nothing, two revisions differ, a page has problems. Any other status is an
 * error.
 */
function tolerant(run) {
  return () => {
    try {
      run()
    } catch (error) {
      if (error.status !== 1) throw error
    }
  }
}
