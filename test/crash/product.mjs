/** The product under test: this one, or another build of it (`WIKI_PRODUCT`). And git, without anybody's settings. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = process.env.WIKI_PRODUCT ?? fileURLToPath(new URL('../..', import.meta.url))
const who = { NAME: 'Native', EMAIL: 'native@example.org' }

export const product = {
  root,
  program: join(root, 'bin/wiki.cjs'),
  library: () => import(pathToFileURL(join(root, 'dist/lib/index.js')).href),
  environment: {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: who.NAME,
    GIT_AUTHOR_EMAIL: who.EMAIL,
    GIT_COMMITTER_NAME: who.NAME,
    GIT_COMMITTER_EMAIL: who.EMAIL,
  },
}

const inRepository = directory => ({ cwd: directory, env: product.environment, encoding: 'utf8', maxBuffer: 2 ** 28 })
const withoutPacking = ['-c', 'maintenance.auto=false']

/** Runs git in a repository; returns `status`, `stdout` and `stderr`. */
export function git(directory, ...args) {
  return spawnSync('git', [...withoutPacking, ...args], inRepository(directory))
}

/** As `git`, while others of its kind run. */
export function runGit(directory, ...args) {
  return new Promise(resolve => {
    execFile('git', [...withoutPacking, ...args], inRepository(directory), (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : (error.code ?? 'killed'), stdout, stderr })
    })
  })
}

/** As `wiki`, while others of its kind run. */
export function runWiki(directory, args, input = '') {
  return new Promise(resolve => {
    const command = [product.program, '-C', directory, ...args]
    const child = execFile(process.execPath, command, inRepository(directory), (error, stdout, stderr) => {
      resolve({ status: error === null ? 0 : (error.code ?? 'killed'), stdout, stderr })
    })
    child.stdin.end(input)
  })
}

/** Runs the command line of the product in a repository. */
export function wiki(directory, args, input = '') {
  return spawnSync(process.execPath, [product.program, '-C', directory, ...args], { ...inRepository(directory), input })
}

/**
 * The beginning of a command line whose processes run on an earlier start of the machine, as those before a power cut did: they see
 * another boot id. Empty where only root could do that.
 */
export function onEarlierStart(folder) {
  const file = join(folder, 'boot_id')
  writeFileSync(file, '6b1d0f0e-0000-4000-8000-000000000000\n')
  const words = ['unshare', '--mount', 'sh', '-c', `mount --bind ${file} ${bootId} && exec "$@"`, 'sh']
  const [command, ...rest] = [...words, 'cat', bootId]
  const { stdout } = spawnSync(command, rest, { encoding: 'utf8' })
  return stdout?.startsWith('6b1d0f0e') ? words : []
}

const bootId = '/proc/sys/kernel/random/boot_id'
