/** A child process of the tests: `node <bundle> build|write|change|compact|import|access|driver <directory> ...`. Bundled by `_processes.ts`. */

import { openStore } from '../../src/store/store.ts'
import { numbersFrom } from './_random-history.ts'
import { hastyClock } from './_slices.ts'

const [task, directory = '', name = '', count = 'Infinity'] = process.argv.slice(2)
const store = openStore({ directory })

/** Notifies the parent, and continues only when the message is in the pipe, so that a later kill does not lose it. */
function say(line: string): Promise<void> {
  return new Promise(resolve => process.stdout.write(`${line}\n`, () => resolve()))
}

async function build(): Promise<void> {
  await store.refresh()
  await say(JSON.stringify([...store.pages()].map(page => [page.key, page.latest])))
}

/** Writes new texts of some pages repeatedly, and prints each commit once it is acknowledged. */
async function write(): Promise<void> {
  await say('ready')
  for (let at = 0; at < Number(count); at++) {
    const { commit } = await store.commit(() => ({
      changes: [
        { path: `${name}.wiki`, content: Buffer.from(`${process.pid} ${at} ${'text '.repeat(200)}\n`) },
        { path: `${name}/part ${at % 7}.wiki`, content: at % 3 === 2 ? null : Buffer.from(`${at}\n`) },
      ],
      author: { name, address: `${name}@example.org` },
      comment: `${name} ${at}`,
      subject: 'Edit',
    }))
    await say(`${commit}`)
  }
}

/** Writes texts, given as JSON, in one commit. */
async function change(): Promise<void> {
  const texts = Object.entries(JSON.parse(name) as Record<string, string | null>)
  const changes = texts.map(([path, text]) => ({ path, content: text === null ? null : Buffer.from(text) }))
  const author = { name: 'Child', address: 'child@example.org' }
  await store.commit(() => ({ changes, author, comment: '', subject: 'Edit' }))
}

/** Compacts the index in the shortest slices, and kills itself before one of them. */
async function compact(): Promise<void> {
  const { compactInSlices } = await import('../../src/store/index/compaction.ts')
  const { openIndex } = await import('../../src/store/index/stored-index.ts')
  const folder = store.cacheDirectory
  let slices = 0
  performance.now = hastyClock()
  await compactInSlices(openIndex(folder) as NonNullable<ReturnType<typeof openIndex>>, folder, () => {
    if (++slices === Number(name)) process.kill(process.pid, 'SIGKILL')
    return true
  })
  await say(`compacted in ${slices}`)
}

/** Imports a dump, and prints its progress. */
async function importFile(): Promise<void> {
  const { importDump } = await import('../../src/operations/import-dump.ts')
  const { wikiOf } = await import('../../src/operations/wiki.ts')
  const progress = (step: string, done: number) => void process.stdout.write(`${step} ${done}\n`)
  const { commit } = await importDump(wikiOf(store), { dump: name, progress })
  await say(`commit ${commit}`)
}

/** Begins, uses and ends sessions and tokens, by a seed, and prints what is done. */
async function access(): Promise<void> {
  const { createSessions, sessionHash } = await import('../../src/operations/sessions.ts')
  const { createToken, listTokens, revokeToken } = await import('../../src/operations/tokens.ts')
  const { wikiOf } = await import('../../src/operations/wiki.ts')
  const [wiki, sessions, random] = [wikiOf(store), createSessions(store.repository), numbersFrom(Number(name))]
  const day = 24 * 60 * 60 * 1000
  const real = Date.now
  let [days, id] = [0, '']
  Date.now = () => real() + days * day
  const actions: (() => Promise<unknown>)[] = [
    async () => {
      id = await sessions.begin('0123abcd')
      await say(`begun ${sessionHash(id)}`)
    },
    async () => {
      days++
      sessions.tokenOf(id)
    },
    async () => {
      const [hash] = sessions.list().map(one => one.hash)
      if (hash === undefined) return
      await sessions.endListed(hash)
      await say(`ended ${hash}`)
    },
    async () => say(`made ${(await createToken(wiki, { name: 'Ada' })).id}`),
    async () => {
      const [token] = (await listTokens(wiki)).tokens
      // The other process may have revoked it.
      if (token !== undefined)
        await revokeToken(wiki, token.id).then(
          () => say(`revoked ${token.id}`),
          () => {},
        )
    },
  ]
  for (const start of [0, 0, 3, 3]) await actions[start]?.()
  for (let left = 8; left > 0; left--) await actions[Math.floor(random() * actions.length)]?.()
}

/** Installs a driver in the clone. */
async function driver(): Promise<void> {
  const { installDriver } = await import('../../src/store/repository/git-drivers.ts')
  await installDriver(store.repository, name as 'merge' | 'diff')
}

const tasks: Readonly<Record<string, () => Promise<void>>> = {
  build,
  write,
  change,
  compact,
  import: importFile,
  access,
  driver,
}
await tasks[task as string]?.()
store.close()
