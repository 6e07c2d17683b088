/** Data for an editor, as JSON: the parameters of a template, names of files, sections of a revision. */

import { listFileNames } from '../../operations/list-files.ts'
import { integerParam, requiredParam } from '../../operations/resources/params.ts'
import { templateParameters } from '../../operations/template-parameters.ts'
import type { WebReply, WebRequest } from '../request.ts'
import { sectionRanges } from '../sections.ts'

/** Maximum number of suggested file names. */
const maxNames = 10

/** Lists the parameters of a template. Errors: those of `templateParameters`. */
export async function parametersOfTemplate({ wiki, title }: WebRequest): Promise<WebReply> {
  return jsonReply(await templateParameters(wiki, { title }))
}

/** Lists files with a name that contains a word with the given prefix. */
export async function fileNames({ wiki, query }: WebRequest): Promise<WebReply> {
  return jsonReply({ files: listFileNames(wiki, { words: query('search') ?? '', limit: maxNames }) })
}

/** Lists the sections of the revision `oldid` with their places. Errors: missingparam, badinteger, those of `readRevision`. */
export async function sectionsOfRevision(request: WebRequest): Promise<WebReply> {
  const revision = integerParam('oldid', requiredParam('oldid', request.query('oldid')))
  return jsonReply({ sections: await sectionRanges(request, revision) })
}

function jsonReply(value: unknown): WebReply {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  return { response: { status: 200, headers, body: JSON.stringify(value) } }
}
