/** Describes the routes of media files. */

import { deleted, deletionBody } from './actions.ts'
import {
  emptyResponse,
  htmlResponse,
  jsonResponse,
  type ParameterDescription,
  type RouteDescription,
} from './describe.ts'
import { notWritten, title } from './pages.ts'
import { named, text } from './schemas.ts'

const name: ParameterDescription = { description: 'Name of a file, without File:', schema: { ...text, minLength: 1 } }
const bytes = { description: 'The bytes', content: { '*/*': null } }
const errors = ['rest-nonexistent-title', 'rest-cannot-load-file', 'missingparam', 'badvalue'] as const

export const files = {
  metadata: {
    name: 'readFile',
    summary: 'Metadata of a media file',
    tag: 'Files',
    parameters: { title: { ...title, description: 'Title of a file, with or without File:' } },
    responses: { 200: jsonResponse('The file', named('File')) },
    errors,
    isDated: true,
  },
  upload: {
    name: 'uploadFile',
    summary: 'Add a media file, or a new version of one; the body is its bytes',
    tag: 'Files',
    parameters: {
      title: { ...title, description: 'Title of a file, with or without File:' },
      comment: { description: 'Comment of the edit', schema: text },
      'X-CSRF-Token': { description: 'CSRF token of the session, if needed', schema: text, isHeader: true },
    },
    takesBytes: true,
    responses: { 200: jsonResponse('The file as it is now', named('File')) },
    errors: [...notWritten, 'wiki-bad-file', 'missingparam', 'badvalue'],
  },
  deletion: {
    name: 'deleteFile',
    summary: 'Delete a media file with its description page; both can be restored',
    tag: 'Files',
    parameters: { title: { ...title, description: 'Title of a file, with or without File:' } },
    body: deletionBody,
    isBodyOptional: true,
    responses: { 200: deleted },
    errors: [...notWritten, 'apierror-missingtitle', 'missingparam'],
  },
  bytes: {
    name: 'readFileBytes',
    summary: 'The bytes of a media file',
    tag: 'Files',
    parameters: { name },
    responses: {
      200: bytes,
      206: { ...bytes, description: 'The requested bytes' },
      416: emptyResponse('The file has no such bytes'),
    },
    errors,
    isDated: true,
  },
  thumbnail: {
    name: 'readFileThumbnail',
    summary: 'A thumbnail of a media file, at least this many pixels wide',
    tag: 'Files',
    parameters: {
      name,
      width: { description: 'Pixels, with or without px after them', schema: { ...text, pattern: '^\\d+(px)?$' } },
    },
    responses: {
      200: { description: 'A picture', content: { '*/*': null } },
      206: { ...bytes, description: 'The requested bytes' },
      416: emptyResponse('The file has no such bytes'),
    },
    errors: [...errors, 'badinteger', 'outofrange'],
    isDated: true,
  },
  reading: {
    name: 'leadToPage',
    summary: 'Redirects the URL of a page for browsers to the equivalent route',
    tag: 'Pages',
    parameters: { title },
    responses: { 307: htmlResponse('The address of the route') },
    errors: ['missingparam', 'badvalue'],
  },
} as const satisfies Readonly<Record<string, RouteDescription>>
