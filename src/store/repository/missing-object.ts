/** The error for objects that git lacks or cannot read. */

import { WikiError } from '../../core/errors.ts'

/** Creates the error. A substitute for the object, such as an empty text, would be taken for the truth. */
export function missingObject(hash: string): WikiError {
  return new WikiError('wiki-objects-missing', {
    params: [hash],
    hint: 'git fsck lists what is missing; in a partial clone "git fetch --refetch --no-filter" gets it',
  })
}
