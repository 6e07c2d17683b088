import { expect } from 'vitest'
import { git } from '../_setup.ts'
import { commitFiles, create, newWiki, openTestWiki } from './_wiki.ts'

const start = 'one\n\ntwo\n\nthree'
/** Text of Tides on `main`. */
export const onMain = start.replace('three', 'three on main')
/** Text of Tides on `side`. */
export const onSide = start.replace('one', 'one on the side')

/** A wiki on main, where revision 2 of Tides has another text than revision 2 on the branch `side`. HEAD names `side`. */
export async function twoBranches(): Promise<string> {
  const { wiki, directory } = await newWiki()
  expect(await create(wiki, 'Tides', start)).toBe(1)
  git(directory, 'branch', 'side')
  await commitFiles(wiki, { 'Tides.wiki': onMain })
  await wiki.close()
  git(directory, 'switch', '-q', 'side')
  const side = await openTestWiki(directory)
  await commitFiles(side, { 'Tides.wiki': onSide })
  await side.close()
  return directory
}
