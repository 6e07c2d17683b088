/** A commit made by git without a work tree, independent of the size of the wiki, as after a push. */
import * as bench from './measure.mjs'

/** Writes a text at a path of the branch `main`. */
export function commitByGit(folder, path, text) {
  const who = 'Bench <bench@example.org> 1700000000 +0000'
  const change = `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`
  const input = `commit refs/heads/main\ncommitter ${who}\ndata 4\nedit\nfrom refs/heads/main^0\n${change}`
  bench.git(folder, ['-c', 'fastimport.unpackLimit=1000', 'fast-import', '--quiet', '--force'], { input })
}
