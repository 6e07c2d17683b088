/** Describes the routes of changes of the whole wiki. */

import { jsonResponse, type ParameterDescription, type RouteDescription } from './describe.ts'
import { flag, id, named, text } from './schemas.ts'

/** The id of a revision, or the cursor in a route of an earlier response. */
const cursor = (description: string): ParameterDescription => ({
  description,
  schema: { ...text, pattern: '^\\d{1,15}(-\\d{1,15})?$' },
})

export const changeLists = {
  changes: {
    name: 'listChanges',
    summary: 'Changes of all pages, newest first, in the order in which they reached the branch',
    tag: 'History',
    parameters: {
      limit: { description: 'At most this many; 50 if omitted', schema: { ...id, maximum: 500 } },
      older_than: cursor('Only changes before this one'),
      newer_than: cursor('Only the nearest changes after this one'),
      user: { description: 'Part of the author name, in any case', schema: text },
      since: { description: 'First day or time, ISO 8601; UTC without a time zone', schema: text },
      until: { description: 'Last day or moment', schema: text },
      title: { description: 'Title of the only page; its changes under former titles count', schema: text },
      prefix: { description: 'Prefix of the current title of the page, in any case', schema: text },
      namespace: { description: 'Id of the namespace of the page', schema: { type: 'integer' } },
      minor: { description: 'Only minor edits, or none', schema: flag },
      bot: { description: 'Only edits by bots, or none', schema: flag },
    },
    responses: {
      200: jsonResponse('Changes; possibly fewer than the limit with selective filters', named('ChangeList')),
    },
    errors: [
      'badinteger',
      'outofrange',
      'badbool',
      'badvalue',
      'rest-pagehistory-incompatible-params',
      'rest-nonexistent-revision',
      'rest-invalid-title',
      'rest-nonexistent-title',
    ],
  },
} as const satisfies Readonly<Record<string, RouteDescription>>
