/** Entry of the bundle that `bin/wiki.cjs` runs. */

import { main } from './main.ts'
import { bugStatus } from './report.ts'
import { processIo } from './terminal/terminal.ts'

/** Runs the process's command line. It does not call `process.exit`, which would truncate pending output. */
export async function run({ version }: { version: () => string }): Promise<void> {
  const io = processIo(version)
  // Node exits in the middle of an `await` once nothing is pending. That must not look like success.
  process.exitCode = bugStatus
  process.once('exit', code => {
    if (code === bugStatus && !answered)
      void io.stderr.write('wiki: this is a bug in wiki: it ended without an answer\n')
  })
  let answered = false
  process.exitCode = await main(process.argv.slice(2), io)
  answered = true
}
