/** Describes the routes of transforms. */

import { offsetTypes } from '../../operations/transform.ts'
import {
  htmlResponse,
  jsonResponse,
  type ParameterDescription,
  type RouteDescription,
  type Schema,
  textResponse,
} from './describe.ts'
import { flavor, stash } from './pages.ts'
import { listOf, named, nullable, object, text } from './schemas.ts'

/** Variants of a transform's route: alone, for a title, for a revision. */
export type TransformPlace = '' | 'ForPage' | 'ForRevision'

const errors = [
  'rest-transform-missing-text',
  'rest-bad-content-model',
  'apierror-no-direct-editing',
  'apierror-invalidtitle',
  'apierror-pagecannotexist',
  'rest-nonexistent-title',
  'rest-specified-revision-unavailable',
  'rest-permission-denied-revision',
  'rest-json-body-parse-error',
  'rest-body-validation-error',
  'rest-unsupported-target-format',
  'rest-request-body-expected',
  'rest-body-too-large',
  'rest-unsupported-content-type',
  'badvalue',
  'badbool',
] as const

const htmlErrors = [
  'rest-transform-missing-html',
  'apierror-invalidtitle',
  'apierror-pagecannotexist',
  'rest-resource-limit-exceeded',
  'rest-specified-revision-unavailable',
  'rest-permission-denied-revision',
  'rest-json-body-parse-error',
  'rest-request-body-expected',
  'rest-body-too-large',
  'rest-unsupported-content-type',
  'rest-body-validation-error',
  'rest-bad-etag',
  'rest-no-stashed-content',
  'badvalue',
] as const

const places = {
  '': {},
  ForPage: { title: { description: 'Title under which the text is parsed', schema: text } },
  ForRevision: {
    title: { description: 'Title under which the text is parsed', schema: text },
    revision: { description: 'Id of the revision whose text is used if the body has none', schema: text },
  },
} as const

const written = { oneOf: [text, { type: 'number' }, { type: 'boolean' }] }
/** A text, or a text in a page bundle. */
const bundled = { oneOf: [...written.oneOf, { ...object({ body: written }), additionalProperties: true }] }

/** Page and revision that a text was made from. */
const originalName = {
  title: text,
  revid: { oneOf: [{ type: 'integer', minimum: 0 }, { ...text, pattern: '^\\d{0,15}$' }, { type: 'boolean' }] },
}

/** Fields of Parsoid's clients without an effect. */
const withoutEffect = Object.fromEntries(
  [
    'from',
    'format',
    'updates',
    'previous',
    'data-parsoid',
    'pagelanguage',
    'scrub_wikitext',
    'scrubWikitext',
    'subst',
  ].map(name => [name, {}]),
)
/** Null counts as missing. */
const withAllOptional = (fields: Readonly<Record<string, Schema>>) => {
  const members = Object.entries(fields).map(([name, schema]) => [
    name,
    Object.keys(schema).length === 0 ? schema : nullable(schema),
  ])
  return object(Object.fromEntries(members), Object.keys(fields))
}

/** A form has no booleans. */
const toggle = { oneOf: [{ type: 'boolean' }, { type: 'integer', enum: [0, 1] }, stash.schema] }

const original = withAllOptional({
  ...originalName,
  etag: text,
  renderid: text,
  wikitext: bundled,
  source: bundled,
  html: bundled,
  contentmodel: {},
  'data-parsoid': {},
  'data-mw': {},
})
const wikitext = (offsetType: Schema) =>
  withAllOptional({
    ...{ wikitext: bundled, contentmodel: text, body_only: toggle, stash: toggle, offsetType, original },
    ...withoutEffect,
  })
const units = { ...text, enum: offsetTypes }
const html = {
  ...withAllOptional({ html: bundled, original, contentmodel: {}, ...withoutEffect }),
  required: ['html'],
}

const ifMatch: ParameterDescription = {
  description: 'Entity tag of the HTML: unchanged parts keep their source',
  schema: text,
  isHeader: true,
}

/** Describes the transform of wikitext to HTML. */
export function wikitextToHtml(place: TransformPlace): RouteDescription {
  return {
    name: `transformWikitextToHtml${place}`,
    summary: 'HTML of an unsaved text',
    tag: 'Transforms',
    parameters: {
      ...places[place],
      body_only: { description: 'Only the content of the body of the document', schema: stash.schema },
      flavor,
      stash,
    },
    body: wikitext(text),
    takesForms: true,
    responses: { 200: htmlResponse('A document, or the content of its body') },
    errors,
  }
}

/** Describes the transform of wikitext to lint problems. */
export function wikitextToLint(place: TransformPlace): RouteDescription {
  return {
    name: `transformWikitextToLint${place}`,
    summary: 'Problems of an unsaved text',
    tag: 'Transforms',
    parameters: {
      ...places[place],
      offsetType: {
        description: 'Unit of positions, if the body has none',
        schema: { ...units, default: 'ucs2' },
      },
    },
    body: wikitext(units),
    takesForms: true,
    responses: { 200: jsonResponse('Problems, with their positions', listOf(named('Lint'))) },
    errors,
  }
}

/** Describes the transform of HTML to wikitext. */
export function htmlToWikitext(place: TransformPlace): RouteDescription {
  return {
    name: `transformHtmlToWikitext${place}`,
    summary: 'Wikitext of HTML; unchanged parts of the original keep their source',
    tag: 'Transforms',
    parameters: { ...places[place], 'If-Match': ifMatch },
    body: html,
    takesForms: true,
    responses: { 200: textResponse('Wikitext') },
    errors: htmlErrors,
  }
}

/** Describes the refusal of any other pair of formats. */
export function otherTransform(place: TransformPlace): RouteDescription {
  const format = { description: 'Name of a format', schema: text }
  return {
    name: `transform${place}`,
    isUndocumented: true,
    summary: 'Any other pair of formats: there is no such transform',
    tag: 'Transforms',
    parameters: { from: format, to: format, ...places[place] },
    responses: {},
    errors: ['rest-invalid-transform', 'badvalue'],
  }
}
