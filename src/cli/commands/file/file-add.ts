/** `wiki file add`: adds a media file, or a new version of one. */

import { basename } from 'node:path'
import { sharedOptions } from '../../arguments/options.ts'
import { findAuthor } from '../../author.ts'
import { reportUnchangedFiles } from '../../change-report.ts'
import type { Command } from '../../command.ts'
import { readBytes } from '../../draft.ts'

interface Values {
  readonly title?: string
  readonly comment?: string
  readonly user?: string
}

export const fileAdd: Command<Values> = {
  summary: 'Add a media file, or replace one',
  arguments: { '<path>': 'the file (- is stdin, with --title)' },
  options: [
    { flags: '--title <title>', help: 'title in the wiki (default: the name of the file)' },
    sharedOptions.comment,
    sharedOptions.user,
    sharedOptions.noVerify,
  ],
  examples: ['wiki file add photo.jpg --title "Fire station.jpg" -m "Seen from the west"'],
  async run(context, [path = ''], { title, comment = null, user }) {
    const { addFile } = await import('../../../operations/add-file.ts')
    const author = await findAuthor(context, user)
    const content = await readBytes(context, path)
    const request = { name: title ?? basename(path), content, comment, author }
    const wiki = await context.wiki()
    const { file, changed, leftAlone } = await addFile(wiki, request)
    if (context.options.json) {
      const { readFile } = await import('../../../operations/read-file.ts')
      await context.printJson((await readFile(wiki, { title: file.title, base: context.base })).file)
    }
    await context.say(changed ? `Saved "${file.title}" in ${file.path}` : `"${file.title}" has this content already`)
    await reportUnchangedFiles(context, leftAlone)
  },
}
