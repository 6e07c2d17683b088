/** Describes the routes of revisions and comparisons. */

import { htmlResponse, jsonResponse, type ParameterDescription, type RouteDescription } from './describe.ts'
import { flavor, stash } from './pages.ts'
import { flag, id, listOf, named, nullable, object, text } from './schemas.ts'

const revisionId: ParameterDescription = { description: 'Id of a revision', schema: id }
const errors = ['badinteger', 'badvalue', 'rest-nonexistent-revision', 'rest-permission-denied-revision'] as const
const notCompared = [
  'rest-compare-nonexistent',
  'rest-compare-inaccessible',
  'rest-compare-page-mismatch',
  'rest-compare-wrong-content',
] as const
const side = { anyOf: [object({ id }), object({ title: text }), object({ text })] }

export const revisions = {
  source: {
    name: 'readRevisionSource',
    summary: 'A revision with its source',
    tag: 'Revisions',
    parameters: { id: revisionId },
    responses: { 200: jsonResponse('The revision', named('RevisionSource')) },
    errors,
  },
  bare: {
    name: 'readRevisionBare',
    summary: 'A revision without its source',
    tag: 'Revisions',
    parameters: { id: revisionId },
    responses: { 200: jsonResponse('The revision', named('RevisionBare')) },
    errors,
  },
  html: {
    name: 'readRevisionHtml',
    summary: 'The HTML of a revision, with the current templates',
    tag: 'Revisions',
    parameters: { id: revisionId, flavor, stash },
    responses: { 200: htmlResponse('A document') },
    errors: [...errors, 'badbool'],
  },
  withHtml: {
    name: 'readRevisionWithHtml',
    summary: 'A revision with its HTML',
    tag: 'Revisions',
    parameters: { id: revisionId, flavor, stash },
    responses: { 200: jsonResponse('The revision', named('RevisionWithHtml')) },
    errors: [...errors, 'badbool'],
  },
  lint: {
    name: 'lintRevision',
    summary: 'Problems of the wikitext of a revision',
    tag: 'Revisions',
    parameters: { id: revisionId },
    responses: { 200: jsonResponse('Problems, with their positions', listOf(named('Lint'))) },
    errors,
  },
  comparison: {
    name: 'compareRevisions',
    summary: 'Compare two revisions of a page, line by line',
    tag: 'Revisions',
    parameters: { from: { ...revisionId, description: 'Id of the base revision' }, to: revisionId },
    responses: { 200: jsonResponse('The comparison', named('Comparison')) },
    errors: ['badinteger', 'badvalue', ...notCompared],
  },
  merge: {
    name: 'mergeTexts',
    summary: 'Merge two texts that are based on a third; nothing is saved',
    tag: 'Revisions',
    body: object({ base: side, mine: side, theirs: side, by: nullable({ type: 'string', enum: ['lines', 'words'] }) }, [
      'by',
    ]),
    responses: {
      200: jsonResponse(
        'The merged text, with git conflict markers at places that both sides changed differently',
        object({ merged: flag, conflicts: { type: 'integer', minimum: 0 }, text }),
      ),
    },
    errors: [
      'rest-nonexistent-revision',
      'rest-permission-denied-revision',
      'rest-resource-limit-exceeded',
      'wiki-texts-too-complex',
      'wiki-work-limit',
      'rest-nonexistent-title',
      'rest-invalid-title',
      'rest-body-validation-error',
      'rest-extraneous-body-fields',
      'rest-json-body-parse-error',
      'rest-request-body-expected',
      'rest-body-too-large',
      'rest-unsupported-content-type',
    ],
  },
  texts: {
    name: 'compareTexts',
    summary: 'Compare two texts, line by line: of revisions, of pages, or unsaved',
    tag: 'Revisions',
    body: object({ from: side, to: side }),
    responses: { 200: jsonResponse('The comparison; the id of a text is 0', named('Comparison')) },
    errors: [
      ...notCompared,
      'rest-nonexistent-title',
      'rest-invalid-title',
      'rest-body-validation-error',
      'rest-extraneous-body-fields',
      'rest-json-body-parse-error',
      'rest-request-body-expected',
      'rest-body-too-large',
      'rest-unsupported-content-type',
    ],
  },
} as const satisfies Readonly<Record<string, RouteDescription>>
