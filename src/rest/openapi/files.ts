/** Describes the routes of media files. */

import { deleted, fileDeletionBody } from './actions.ts'
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
/** Source: RFC 9110 14.2, 13.1.5. */
const range = {
  Range: { description: 'One part of the bytes, such as bytes=0-99', schema: text, isHeader: true },
  'If-Range': {
    description: 'The entity tag that the part belongs to; all bytes if another one is current',
    schema: text,
    isHeader: true,
  },
} as const
const errors = ['rest-nonexistent-title', 'rest-cannot-load-file', 'missingparam', 'badvalue'] as const

export const files = {
  metadata: {
    name: 'readFile',
    summary: 'Metadata of a media file',
    tag: 'Files',
    parameters: { title: { ...title, description: 'Title of a file, with or without File:' } },
    responses: { 200: jsonResponse('The file', named('File')) },
    errors,
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
    body: fileDeletionBody,
    isBodyOptional: true,
    responses: { 200: deleted },
    errors: [...notWritten, 'apierror-missingtitle', 'missingparam'],
  },
  bytes: {
    name: 'readFileBytes',
    summary: 'The bytes of a media file',
    tag: 'Files',
    parameters: { name, ...range },
    responses: {
      200: bytes,
      206: { ...bytes, description: 'The requested bytes' },
      416: emptyResponse('The file has no such bytes'),
    },
    errors,
  },
  thumbnail: {
    name: 'readFileThumbnail',
    summary: 'A thumbnail of a media file, at least this many pixels wide',
    tag: 'Files',
    parameters: {
      name,
      width: { description: 'Pixels, with or without px after them', schema: { ...text, pattern: '^\\d+(px)?$' } },
      ...range,
    },
    responses: {
      200: { description: 'A picture', content: { '*/*': null } },
      206: { ...bytes, description: 'The requested bytes' },
      416: emptyResponse('The file has no such bytes'),
    },
    errors: [...errors, 'badinteger', 'outofrange'],
  },
  reading: {
    name: 'leadToPage',
    summary: 'A page for browsers; on a server without them, a redirect to the equivalent route',
    tag: 'Pages',
    parameters: { title },
    responses: {
      200: htmlResponse('The page'),
      301: emptyResponse('The page exists under another spelling of its title'),
      302: emptyResponse('The page redirects to another one'),
      307: htmlResponse('The address of the route'),
    },
    errors: ['missingparam', 'badvalue', 'rest-invalid-title', 'rest-nonexistent-title', 'rest-no-match'],
    isPage: true,
  },
} as const satisfies Readonly<Record<string, RouteDescription>>
