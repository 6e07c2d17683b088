/** The scenarios that are recorded: each a repository and the writes that are cut. */
import { git, wiki } from './product.mjs'

/** A wiki in a work tree, with two pages. */
export function makeWiki(directory) {
  must(wiki('/', ['init', directory, '--user', 'Proof <proof@example.org>']))
  must(git(directory, 'config', 'gc.auto', '0'))
  for (const source of ['High at noon.\n', 'High at noon.\n\nLow at six.\n'])
    must(wiki(directory, ['page', 'edit', 'Tides', '-f', '-', '-m', 'before'], source))
  must(wiki(directory, ['page', 'edit', 'Boats', '-f', '-', '-m', 'before'], 'A boat floats on [[Tides]].\n'))
}

function must({ status, stdout, stderr }) {
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
}

const edit = (title, input) => ({ args: ['page', 'edit', title, '-f', '-', '-m', 'edit'], input })

export const scenarios = {
  'page edit': {
    make: makeWiki,
    steps: [edit('Tides', 'High at one.\n\nLow at seven.\n'), edit('Boats', 'A boat floats on [[Tides]], mostly.\n')],
  },
}
