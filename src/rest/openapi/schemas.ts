/** Schemas of the JSON objects. An object has no members beyond those listed. */

import { changeTypes } from '../../core/change.ts'
import { contentModels } from '../../core/content-models.ts'
import { mediaTypes } from '../../core/file.ts'
import { scopeNames } from '../../core/scopes.ts'
import type { Schema } from './describe.ts'

export const text: Schema = { type: 'string' }
export const flag: Schema = { type: 'boolean' }
const whole: Schema = { type: 'integer' }
export const id: Schema = { type: 'integer', minimum: 1 }
const size: Schema = { type: 'integer', minimum: 0 }
const address: Schema = { type: 'string', format: 'uri' }
const time: Schema = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' }

export const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
export const listOf = (items: Schema, more: Schema = {}): Schema => ({ type: 'array', items, ...more })
const oneOf = (values: readonly string[]): Schema => ({ type: 'string', enum: values })

/** An object with these members and no others; `optional` names those that may be missing. */
export function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter(name => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

/** Names a schema of `components`. */
export function named(name: keyof typeof schemas): Schema {
  return { $ref: `#/components/schemas/${name}` }
}

const pageName = { id, key: text, title: text }
const license = object({ url: text, title: text })
const model = oneOf(Object.keys(contentModels))
const user = nullable(object({ id: nullable(id), name: text }))
const page = { ...pageName, latest: object({ id, timestamp: time }), content_model: model, license }
const revisionMembers = {
  id,
  size,
  minor: flag,
  timestamp: time,
  user,
  comment: nullable(text),
  delta: nullable(whole),
  page: object(pageName),
}
const revision = { ...revisionMembers, content_model: model, license }
const redirectTarget = { redirect_target: text }
const pictureMembers = {
  size: nullable(size),
  width: nullable(size),
  height: nullable(size),
  duration: nullable({ type: 'number', minimum: 0 }),
  url: text,
}
const file = object({ mediatype: oneOf(mediaTypes), ...pictureMembers })
const fileMembers = {
  title: text,
  file_description_url: address,
  latest: object({ timestamp: time, user: object({ id: nullable(id), name: nullable(text) }) }),
  preferred: file,
  thumbnail: file,
}
const offset = nullable(size)
const comparedRevision = object({
  id: size,
  slot_role: text,
  sections: listOf(object({ level: { type: 'integer', minimum: 1, maximum: 4 }, heading: text, offset: size })),
})

/** Schemas by their names in the document. */
export const schemas = {
  /** Source: MediaWiki 1.43, the schema of errors in its OpenAPI documents. */
  GenericErrorResponseModel: {
    type: 'object',
    properties: {
      errorKey: text,
      messageTranslations: { type: 'object', additionalProperties: text },
      message: text,
      httpCode: { type: 'integer', minimum: 400, maximum: 599 },
      httpReason: text,
      error: text,
      actionModuleErrorCode: text,
      name: text,
      failureCode: text,
    },
    required: ['httpCode', 'httpReason'],
    // Some errors have further members, such as both differences of a conflict. Redocly treats an unspecified schema as
    // closed.
    additionalProperties: true,
  },
  PageSource: object({ ...page, source: text, ...redirectTarget }, ['redirect_target']),
  PageBare: object({ ...page, html_url: address, ...redirectTarget }, ['redirect_target']),
  PageWithHtml: object({ ...page, html: text, ...redirectTarget }, ['redirect_target']),
  PageLanguage: object({ code: text, name: text, key: text, title: text }),
  SearchResults: object({
    pages: listOf(
      object(
        {
          id: size,
          key: text,
          title: text,
          excerpt: text,
          matched_title: nullable(text),
          anchor: nullable(text),
          description: nullable(text),
          thumbnail: nullable(object({ mimetype: text, ...pictureMembers })),
        },
        ['anchor'],
      ),
      { maxItems: 100 },
    ),
  }),
  HistorySegment: object(
    {
      revisions: listOf(object(revisionMembers), { maxItems: 20 }),
      latest: address,
      older: address,
      newer: address,
      shallow: flag,
    },
    ['older', 'newer', 'shallow'],
  ),
  ChangeList: object(
    {
      changes: listOf(
        object({
          ...revisionMembers,
          type: oneOf(changeTypes),
          id: nullable(id),
          previous: nullable(id),
          bot: flag,
          reverted: flag,
          commit: text,
        }),
        { maxItems: 500 },
      ),
      latest: address,
      older: address,
      newer: address,
      shallow: flag,
    },
    ['older', 'newer', 'shallow'],
  ),
  Authorship: object(
    {
      ...pageName,
      revision: object({ id, timestamp: time }),
      words: size,
      revisions: listOf(
        object({ id, timestamp: time, user, comment: nullable(text), minor: flag, commit: text, words: id }),
      ),
      lines: listOf(object({ revision: nullable(id), spans: listOf(object({ text, revision: nullable(id) })) })),
      shallow: flag,
    },
    ['shallow'],
  ),
  HistoryCount: object({ count: size, limit: flag, shallow: flag }, ['shallow']),
  RevisionSource: object({ ...revision, source: text }),
  RevisionBare: object({ ...revision, html_url: address }),
  RevisionWithHtml: object({ ...revision, html: text }),
  DiffElement: object(
    {
      type: { type: 'integer', minimum: 0, maximum: 5 },
      lineNumber: id,
      moveInfo: object({ id: text, linkId: text, linkDirection: { enum: [0, 1] } }),
      text,
      offset: object({ from: offset, to: offset }),
      highlightRanges: listOf(object({ start: size, length: size, type: { enum: [0, 1] } })),
    },
    ['lineNumber', 'moveInfo', 'highlightRanges'],
  ),
  Comparison: object({
    from: comparedRevision,
    to: comparedRevision,
    diff: listOf({ $ref: '#/components/schemas/DiffElement' }),
  }),
  File: object({ ...fileMembers, original: file }),
  PageFiles: object({ files: listOf(object(fileMembers), { maxItems: 100 }) }),
  Lint: object({
    type: text,
    dsr: listOf(nullable(size), { minItems: 4, maxItems: 4 }),
    templateInfo: nullable({
      anyOf: [object({ name: text }), object({ multiPartTemplateBlock: { type: 'boolean', enum: [true] } })],
    }),
    params: { oneOf: [{ type: 'object' }, { type: 'array', items: text, maxItems: 0 }] },
  }),
  Session: object({
    user: object({ name: text, bot: flag, scopes: listOf({ type: 'string', enum: [...scopeNames] }) }),
    csrf_token: nullable(text),
  }),
} as const satisfies Readonly<Record<string, Schema>>
