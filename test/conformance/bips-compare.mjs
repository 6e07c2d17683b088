const kindReasons = {
  deletion: 'only git: the deletion of a file',
  mode: "only git: a change of the file's mode alone",
}

/**
 * The reason for a commit in our history of a page (`ours`, its oldest is `first`), in that of git (`theirs`) or in both; undefined if there
 * is none. `commits` has the paths that a commit changed relative to all its parents (`changed`) and, on the main line, to the first
 * (`taken`).
 */
export function reasonOf(hash, { ours, theirs, first, path }, commits) {
  const commit = commits.get(hash)
  if (ours.has(hash) && theirs.has(hash)) return 'agreed'
  if (ours.has(hash)) return commit.changed.has(path) ? undefined : 'only ours: the page had another path then'
  if (!commit.changed.has(path)) return 'only git: a merge that took one side as it was'
  if (!commits.get(commit.merge).taken.has(path)) return 'only git: the merge did not take the change over'
  if (commit.place < commits.get(first).place) return 'only git: an earlier page of that path, deleted since'
  return kindReasons[commit.changed.get(path)]
}
