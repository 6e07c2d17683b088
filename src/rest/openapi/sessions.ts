/** Describes the routes of sessions and the entry points of the API. */

import { emptyResponse, htmlResponse, jsonResponse, type RouteDescription } from './describe.ts'
import { named, object, text } from './schemas.ts'

const refused = [
  'wiki-login-required',
  'wiki-unknown-token',
  'rest-cross-origin-anon-write',
  'apierror-ratelimited',
] as const

export const sessions = {
  state: {
    name: 'readSession',
    summary: 'The signed-in user, and the CSRF token that edits with a cookie need',
    tag: 'Sessions',
    responses: { 200: jsonResponse('The session', named('Session')) },
    errors: refused,
  },
  start: {
    name: 'startSession',
    summary: 'Begin a session with a token: sets a cookie',
    tag: 'Sessions',
    body: object({ token: text }),
    responses: { 200: jsonResponse('The session', named('Session')) },
    errors: [
      ...refused,
      'rest-body-validation-error',
      'rest-extraneous-body-fields',
      'rest-json-body-parse-error',
      'rest-request-body-expected',
      'rest-body-too-large',
      'rest-unsupported-content-type',
    ],
  },
  end: {
    name: 'endSession',
    summary: 'End the session',
    tag: 'Sessions',
    responses: { 204: emptyResponse('The session has ended') },
    errors: refused,
  },
} as const satisfies Readonly<Record<string, RouteDescription>>

export const roots = {
  discovery: {
    name: 'discover',
    summary: 'The APIs of this wiki',
    tag: 'Description',
    responses: { 200: jsonResponse('The APIs, and the URLs of their descriptions', { type: 'object' }) },
  },
  style: {
    name: 'readStyle',
    summary: 'The style sheet of the HTML of pages',
    tag: 'Pages',
    responses: { 200: { description: 'The style sheet', content: { 'text/css': { type: 'string' } } } },
  },
  specification: {
    name: 'describe',
    summary: 'This description',
    tag: 'Description',
    responses: { 200: jsonResponse('An OpenAPI document', { type: 'object' }) },
  },
  specificationRoot: {
    name: 'enterSpecification',
    isUndocumented: true,
    summary: 'Leads to the description',
    tag: 'Description',
    responses: { 307: htmlResponse('The URL of the description') },
  },
  discoveryRoot: {
    name: 'enterDiscovery',
    isUndocumented: true,
    summary: 'Redirects to the list of APIs',
    tag: 'Description',
    responses: { 307: htmlResponse('The address of the list') },
  },
  apiRoot: {
    name: 'enter',
    summary: 'Leads to the description',
    tag: 'Description',
    responses: {
      307: htmlResponse('The URL of the description; browsers are redirected to the main page'),
      308: htmlResponse('The URL of the description'),
    },
  },
} as const satisfies Readonly<Record<string, RouteDescription>>
