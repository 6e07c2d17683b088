/**
 * The only error class and the table of errors. Keys are MediaWiki's REST message keys where one exists; other keys
 * start with `wiki-`. Keys are part of the API, sentences are not.
 *
 * Source: MediaWiki 1.43 includes/Rest/i18n/en.json (keys); https://www.mediawiki.org/wiki/API:REST_API/Status_codes.
 */

interface ErrorRule {
  /** HTTP status. The command line exits with 3 for 409, and with 2 for any other. */
  readonly status: number
  /** The sentence; `$1`, `$2` are replaced by the params. */
  readonly text: string
}

/** Every error that a caller can receive: key, HTTP status, sentence. */
export const errorTable = {
  'rest-nonexistent-title': { status: 404, text: 'The specified page ($1) does not exist' },
  'rest-invalid-title': { status: 404, text: 'The specified title ($1) does not refer to a wiki page: $2' },
  'rest-nonexistent-revision': { status: 404, text: 'The specified revision ($1) does not exist' },
  'apierror-nosuchsection': { status: 404, text: 'There is no section $1' },
  'rest-nonexistent-title-revision': {
    status: 404,
    text: 'The specified revision ($1) does not exist for the specified page ($2)',
  },
  'rest-permission-denied-revision': { status: 403, text: 'The text of revision $1 is not publicly accessible' },
  'wiki-hide-latest': { status: 400, text: 'Revision $1 is the latest one of $2: its text cannot be hidden' },
  'rest-cannot-load-file': { status: 404, text: 'The file for title "$1" cannot be loaded' },
  'rest-media-too-many-links': { status: 400, text: 'Too many media links found on title $1 ($2 allowed)' },
  'rest-pagehistory-incompatible-params': {
    status: 400,
    text: 'Parameters "older_than" and "newer_than" cannot both be specified',
  },
  'rest-pagehistory-param-range-error': { status: 400, text: 'Revision id must be greater than 0' },
  'rest-pagehistorycount-parameters-invalid': {
    status: 400,
    text: 'Parameters "from" and "to" go together, and only with the types "edits" and "editors"',
  },
  'rest-pagehistorycount-too-many-revisions': { status: 500, text: 'The page has too many minor edits to count them' },
  'rest-compare-nonexistent': {
    status: 404,
    text: 'The revision specified by the $1 parameter does not exist',
  },
  'rest-compare-inaccessible': {
    status: 403,
    text: 'The revision specified by the $1 parameter is not publicly accessible',
  },
  'rest-compare-page-mismatch': {
    status: 400,
    text: 'The specified revisions belong to different pages; refusing to compare them',
  },
  'rest-compare-wrong-content': {
    status: 400,
    text: 'The revision specified by the $1 parameter has a content type which cannot be converted to text',
  },
  'rest-bad-content-model': { status: 400, text: 'Bad content model: $1' },
  'apierror-no-direct-editing': { status: 400, text: 'Pages of the content model $1 cannot be edited' },
  'rest-update-cannot-create-page': {
    status: 409,
    text: 'The page $1 exists already: give the id of its latest revision to update it',
  },
  'apierror-articleexists': { status: 409, text: 'The page $1 exists already' },
  'apierror-missingtitle': { status: 404, text: 'The page you specified ($1) does not exist' },
  'apierror-invalidtitle': { status: 400, text: 'Bad title "$1": $2' },
  'apierror-pagecannotexist': { status: 400, text: 'A page named "$1" cannot exist in this namespace' },
  'wiki-empty-text': { status: 400, text: 'The text of $1 is empty; nothing was written' },
  'wiki-bad-character': {
    status: 400,
    text: 'The text of $1 contains $2, which no page can hold, in line $3; nothing was written',
  },
  'apierror-contenttoobig': { status: 400, text: 'The text is larger than the limit of $1 bytes' },
  'invalid-json-data': { status: 400, text: 'The text is not valid JSON: $1' },
  'edit-conflict': { status: 409, text: 'Edit conflict: somebody else has changed $1' },
  'undo-failure': { status: 409, text: 'The edit of $1 cannot be undone: later edits changed the same words' },
  'undo-norev': { status: 400, text: 'The edit created $1: there is no revision before it to go back to' },
  'wiki-patch-mismatch': { status: 409, text: 'The patch does not fit $1 as it is now' },
  'wiki-open-conflicts': { status: 409, text: 'The text has unresolved conflicts: $1' },
  'wiki-changed-meanwhile': {
    status: 409,
    text: 'The page $1 was changed after this form was opened. Read what changed; the form now acts on the latest text',
  },
  'wiki-behind': { status: 409, text: 'Cannot record $1: $2; nothing was written' },
  'rest-no-match': {
    status: 404,
    text: 'The requested relative path ($1) did not match any known handler',
  },
  'rest-json-body-parse-error': { status: 400, text: 'The request body is not a valid JSON object: $1' },
  'rest-body-validation-error': { status: 400, text: 'The request body is invalid: $1' },
  'rest-extraneous-body-fields': { status: 400, text: 'The request body has unknown fields: $1' },
  'rest-request-body-expected': { status: 411, text: 'A request body is expected' },
  'rest-unsupported-content-type': { status: 415, text: 'The content type $1 is not supported; send $2' },
  'wiki-unsupported-coding': { status: 415, text: 'The coding $1 is not supported; send gzip, deflate or none' },
  'rest-body-too-large': { status: 413, text: 'The request body is larger than $1 bytes' },
  'rest-precondition-failed': { status: 412, text: 'The page $1 does not meet the condition in the request headers' },
  'rest-write-denied': { status: 403, text: 'This server does not accept edits' },
  'wiki-bot-denied': { status: 403, text: 'Only a token made with --bot may mark an edit as a bot’s' },
  'apierror-permissiondenied': {
    status: 403,
    text: 'This requires the scope "$1"; the token has: $2',
  },
  'wiki-proof-required': {
    status: 403,
    text: 'A session alone has not the rights of an owner: send a token or a new sign-in link with the form',
  },
  protectedpagetext: {
    status: 403,
    text: 'Only an owner may change the file $1: programs run such files or are configured by them. The setting editableFiles opens files to editors',
  },
  'rest-cross-origin-anon-write': { status: 403, text: 'A page of another site may not edit this wiki' },
  'rest-badtoken': {
    status: 403,
    text: 'The CSRF token does not belong to this session; GET /session returns the right one',
  },
  'apierror-ratelimited': { status: 429, text: 'Too many failed logins from your address; try again in a minute' },
  'rest-invalid-transform': { status: 404, text: 'There is no transform from $1 to $2' },
  'rest-unsupported-target-format': { status: 406, text: 'This response is not available as $1' },
  'rest-specified-revision-unavailable': { status: 404, text: 'There is no revision $1' },
  'rest-transform-missing-html': { status: 400, text: 'No html was supplied' },
  'rest-bad-etag': { status: 400, text: 'The entity tag $1 does not identify rendered HTML' },
  'rest-no-stashed-content': { status: 412, text: 'The stored HTML $1 does not exist or has expired' },
  'rest-resource-limit-exceeded': { status: 413, text: 'The $1 is larger than the limit of $2' },
  'rest-transform-missing-text': { status: 400, text: 'No title or wikitext was given' },
  missingparam: { status: 400, text: 'The parameter "$1" must be set' },
  badinteger: { status: 400, text: 'Invalid value "$2" for integer parameter "$1"' },
  outofrange: { status: 400, text: 'The value "$2" for parameter "$1" must be between $3 and $4' },
  badbool: { status: 400, text: 'Invalid value "$2" for boolean parameter "$1"' },
  'wiki-unknown-parameters': { status: 400, text: 'The query has unknown parameters: $1' },
  badvalue: { status: 400, text: 'Unrecognized value for parameter "$1": $2' },
  'wiki-usage': { status: 400, text: '$1' },
  'wiki-not-found': { status: 404, text: 'No git repository at $1 or above it' },
  'wiki-bad-repository': { status: 500, text: 'The repository at $1 cannot be read as a wiki: $2' },
  'wiki-bad-git-settings': { status: 500, text: 'The settings file $1 of git is unusable: it $2' },
  'wiki-branch-missing': { status: 500, text: 'The branch $1 of the repository at $2 is gone' },
  'wiki-objects-missing': { status: 500, text: 'The repository lacks the object $1, or it is damaged' },
  'wiki-saved-unread': {
    status: 500,
    text: 'The change is saved as commit $1, but the wiki could not be read afterwards; do not send it again',
  },
  'wiki-not-synced': {
    status: 500,
    text: 'The change is made ($1), but the disk reports $2: it may or may not be there after a power failure',
  },
  'wiki-taken-out': {
    status: 409,
    text: 'A git command took the change (commit $1) out of the branch as soon as it was saved; wiki verify lists it',
  },
  'wiki-cannot-write': { status: 500, text: 'The repository at $1 cannot be written to: $2' },
  'wiki-unsafe-repository': {
    status: 403,
    text: 'The repository at $1 belongs to somebody else, so git would refuse it; nothing was written',
  },
  'wiki-hook-refused': { status: 403, text: 'The hook $1 refuses the edit; nothing was written: $2' },
  'wiki-not-signed': { status: 500, text: 'The commit could not be signed; nothing was written: $1' },
  'wiki-index-damaged': { status: 500, text: 'The index is damaged; the next request rebuilds it' },
  'wiki-bad-config': { status: 400, text: '$1: $2 must be $3' },
  'wiki-settings-kept': { status: 409, text: 'The settings of the branch are not in use: $1; nothing was written' },
  'wiki-bad-patch': { status: 400, text: 'The patch cannot be applied: $1' },
  'wiki-bad-pattern': { status: 400, text: 'The pattern /$1/ cannot be searched for: $2' },
  'wiki-bad-revision': { status: 400, text: '"$1" does not name a revision' },
  'wiki-render-limit': { status: 503, text: 'The page $1 cannot be rendered: $2' },
  'wiki-page-too-complex': { status: 413, text: 'The page is too complex: rendering it takes more than $1 steps' },
  'wiki-texts-too-complex': { status: 413, text: 'The texts are too complex: comparing them takes more than $1 steps' },
  'wiki-search-building': { status: 503, text: 'The search index is being built; pages still to be indexed: $1' },
  'wiki-too-many-streams': { status: 503, text: 'Too many pages follow the changes of this wiki' },
  'wiki-work-limit': { status: 503, text: 'The $1 was stopped: $2' },
  'wiki-too-large': { status: 500, text: 'The repository is larger than $1' },
  'wiki-merge-conflict': { status: 409, text: 'Both sides changed the same words; conflicts: $1' },
  'wiki-repository-busy': { status: 409, text: 'The repository is in the middle of a $1; nothing was written' },
  'wiki-merge-unfinished': { status: 409, text: 'Git could not finish the merge: $1' },
  'wiki-locked': { status: 409, text: 'Another process holds the lock $1; nothing was written' },
  'wiki-uncommitted': { status: 409, text: 'The file $1 has changes that are not committed; nothing was written' },
  'wiki-no-author': { status: 400, text: 'No user name and address are known for the edit' },
  'wiki-login-required': {
    status: 401,
    text: 'Edits need a token: send the header "Authorization: Bearer <token>"; "wiki token create <name>" makes one',
  },
  'wiki-unknown-token': {
    status: 401,
    text: 'The token is not known here, has expired or was revoked; "wiki token create <name>" makes a new one',
  },
  'wiki-nonexistent-token': { status: 404, text: 'There is no token $1' },
  'wiki-bad-token-file': { status: 500, text: 'The file of tokens is damaged, so nobody can log in: $1' },
  'wiki-bad-token-path': { status: 400, text: 'The file $1 cannot store a token: $2' },
  'wiki-title-collision': { status: 409, text: 'The file $1 has the same title as $2' },
  'wiki-bad-file': { status: 400, text: 'The file $1 cannot be added: $2' },
  'wiki-lfs-missing': { status: 404, text: 'The content of $1 is stored in Git LFS, and this clone does not have it' },
  'wiki-conversion-failed': {
    status: 409,
    text: 'The content of $1 cannot be converted by its git attributes: $2',
  },
  'wiki-not-utf8': { status: 409, text: 'The page $1 contains bytes that are not UTF-8; this edit would destroy them' },
  'wiki-bad-work-file': { status: 400, text: 'The file $1 of the work tree cannot be read: $2' },
  'wiki-bad-dump': { status: 400, text: 'The dump cannot be read: $1:$2: $3' },
  'wiki-import-namespaces': { status: 400, text: 'The dump has namespaces that the wiki does not know: $1' },
  'wiki-import-exists': { status: 409, text: 'The wiki has pages of the dump already: $1; nothing was written' },
  'wiki-import-overtaken': { status: 409, text: 'The branch moved during the import; nothing was written' },
  'wiki-no-work-tree': { status: 400, text: 'The repository is bare: it has no work tree' },
  'wiki-bad-host': { status: 400, text: 'The Host header "$1" is not valid' },
  'wiki-host-not-allowed': { status: 403, text: 'This server does not answer to the host "$1"' },
  'wiki-no-action-api': { status: 404, text: 'This server has no action API: use the REST API at $1, described at $2' },
  'wiki-bad-request': { status: 400, text: 'The request is not valid HTTP: $1' },
  'wiki-bad-url': {
    status: 400,
    text: 'The URL of the request is not valid: percent-encode all but ASCII, é as %C3%A9',
  },
  'wiki-request-timeout': { status: 408, text: 'The request did not arrive in time' },
  'wiki-chunks-too-large': { status: 413, text: 'The extensions of the chunks are too large' },
  'wiki-bad-expectation': { status: 417, text: 'The expectation "$1" is not supported' },
  'wiki-headers-too-large': {
    status: 431,
    text: 'The URL and the headers of the request are larger than 16 KiB, or more than 100',
  },
  'wiki-port-in-use': { status: 400, text: 'Port $1 of $2 is in use' },
  'wiki-cannot-listen': { status: 400, text: 'Cannot listen on port $1 of $2: $3' },
} as const satisfies Record<string, ErrorRule>

/** A key of the error table. */
export type ErrorKey = keyof typeof errorTable

/** Details of a `WikiError` besides its key. */
export interface ErrorDetails {
  /** Values for `$1`, `$2` ... of the sentence. */
  readonly params?: readonly (string | number)[]
  /** Advice for users at a terminal. It is never sent over HTTP. */
  readonly hint?: string
  /** Further members of the REST error body, before `errorKey`. */
  readonly data?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** An expected error, meant for the caller. Any other thrown value is a bug. */
export class WikiError extends Error {
  /** Key in the error table: MediaWiki's message key where one exists. */
  readonly code: ErrorKey
  readonly status: number
  /** Values of `$1`, `$2` ... in the sentence. */
  readonly params: readonly (string | number)[]
  readonly hint: string | undefined
  readonly data: Readonly<Record<string, unknown>>

  constructor(code: ErrorKey, details: ErrorDetails = {}) {
    super(fillText(errorTable[code].text, details.params ?? []), { cause: details.cause })
    this.name = 'WikiError'
    this.code = code
    this.status = errorTable[code].status
    this.params = details.params ?? []
    this.hint = details.hint
    this.data = details.data ?? {}
  }
}

/** Returns true for a `WikiError`, with this key if one is given. */
export function isWikiError(error: unknown, code?: ErrorKey): error is WikiError {
  // Compares names, because the command line consists of several bundles, each with its own class.
  return (
    error instanceof Error && error.name === 'WikiError' && (code === undefined || (error as WikiError).code === code)
  )
}

/** Replaces `$1`, `$2` ... of a sentence. */
export function fillText(text: string, params: readonly (string | number)[]): string {
  return text.replace(/\$(\d)/g, (_, digit: string) => String(params[Number(digit) - 1] ?? ''))
}
