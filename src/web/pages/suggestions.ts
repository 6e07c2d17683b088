/** Suggestions for an editor, as JSON: the parameters of a template, and names of files. */

import { listFileNames } from '../../operations/list-files.ts'
import { templateParameters } from '../../operations/template-parameters.ts'
import type { WebReply, WebRequest } from '../request.ts'

/** Maximum number of suggested file names. */
const mostNames = 10

/** Lists the parameters of a template. Errors: those of `templateParameters`. */
export async function parametersOfTemplate({ wiki, title }: WebRequest): Promise<WebReply> {
  return jsonReply(await templateParameters(wiki, { title }))
}

/** Lists files with a name that contains a word with the given prefix. */
export async function fileNames({ wiki, query }: WebRequest): Promise<WebReply> {
  return jsonReply({ files: listFileNames(wiki, { words: query('search') ?? '', limit: mostNames }) })
}

function jsonReply(value: unknown): WebReply {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache' }
  return { response: { status: 200, headers, body: JSON.stringify(value) } }
}
