/** Parses the bodies of transforms. Source: MediaWiki 1.43 includes/Rest/Handler/ParsoidHandler; Parsoid's page bundles. */

import { WikiError } from '../core/errors.ts'
import { type Body, type BodyRequest, bodyBytesFor, isObject, phpText, readJsonOrForm } from '../http/read-body.ts'
import { optionalBoolean } from '../operations/resources/params.ts'
import { wellFormed } from '../operations/workers/long-text.ts'
import { checkFields, type FieldRules } from './fields.ts'

/** Body of the transforms from wikitext. */
export interface Transform {
  /** Null if the text of a page or a revision is meant. */
  readonly wikitext: string | null
  /** Title and revision in the body. Those in the path take precedence. */
  readonly title: string | undefined
  readonly revision: number | undefined
  /** Content model of the text; that of wikitext if missing. */
  readonly model: string | undefined
  readonly bodyOnly: boolean
  /** Unit of the offsets in lint results, unchecked. */
  readonly offsetType: string | undefined
  /** True to stash the HTML. */
  readonly stash: boolean
}

/** Fields of Parsoid's clients that have no effect here. */
const parsoidFields = {
  from: 'ignored',
  format: 'ignored',
  updates: 'ignored',
  previous: 'ignored',
  'data-parsoid': 'ignored',
  pagelanguage: 'ignored',
  scrub_wikitext: 'ignored',
  scrubWikitext: 'ignored',
  subst: 'ignored',
} as const satisfies FieldRules

const wikitextFields = {
  ...parsoidFields,
  wikitext: 'optional bundle',
  original: 'optional object',
  contentmodel: 'optional text',
  body_only: 'optional switch',
  stash: 'optional switch',
  offsetType: 'optional text',
} as const satisfies FieldRules

const htmlFields = {
  ...parsoidFields,
  html: 'optional bundle',
  original: 'optional object',
  contentmodel: 'ignored',
} as const satisfies FieldRules

const originalFields = {
  title: 'optional text',
  revid: 'optional number',
  etag: 'optional text',
  renderid: 'optional text',
  wikitext: 'optional bundle',
  source: 'optional bundle',
  html: 'optional bundle',
  contentmodel: 'ignored',
  'data-parsoid': 'ignored',
  'data-mw': 'ignored',
} as const satisfies FieldRules

/**
 * Parses the body of a transform from wikitext. As in MediaWiki, the text may be in `original`, and numbers count as text.
 * `largestText`, in bytes, bounds the text.
 */
export async function readTransform(request: BodyRequest, largestText: number): Promise<Transform> {
  const { body, original } = await readTransformFields(request, wikitextFields)
  const wikitext = textMember(body, 'wikitext') ?? textMember(original, 'wikitext')
  if (wikitext !== undefined && Buffer.byteLength(wikitext) > largestText)
    throw new WikiError('rest-resource-limit-exceeded', { params: ['wikitext', `${largestText} bytes`] })
  return {
    wikitext: wikitext === undefined ? null : await wellFormed(wikitext),
    model: textMember(body, 'contentmodel'),
    title: textMember(original, 'title'),
    revision: revisionOf(original),
    bodyOnly: isOn(body, 'body_only'),
    offsetType: textMember(body, 'offsetType'),
    stash: isOn(body, 'stash'),
  }
}

async function readTransformFields(
  request: BodyRequest,
  rules: FieldRules,
): Promise<{ readonly body: Body; readonly original: Body }> {
  const body = await readJsonOrForm(request)
  checkFields(body, rules)
  const original = Object.hasOwn(body, 'original') && isObject(body.original) ? body.original : {}
  checkFields(original, originalFields, 'original.')
  return { body, original }
}

function isOn(body: Body, name: string): boolean {
  return optionalBoolean(name, Object.hasOwn(body, name) ? String(body[name] ?? '') : '') ?? false
}

/** Body of the transform from HTML. */
export interface HtmlTransform {
  readonly html: string
  /** Title in the body. */
  readonly title: string | undefined
  /** Id of the revision that the HTML was made from. */
  readonly revision: number | undefined
  /** Entity tag, or id, of the HTML as the client received it; unchecked. */
  readonly rendering: string | undefined
  /** The text that the HTML was made from, and that HTML. */
  readonly original: { readonly source?: string | undefined; readonly html?: string | undefined }
}

/**
 * Parses the body of a transform from HTML: `html` is a text, or an object with the text in `body`; so are `wikitext`
 * and `html` in `original`. Numbers count as text. `largestHtml`, in characters, is checked later; here it bounds the body, in
 * which the original's source and HTML come in addition. Throws `rest-transform-missing-html`.
 */
export async function readHtmlTransform(request: BodyRequest, largestHtml: number): Promise<HtmlTransform> {
  const maxBodyBytes = Math.max(request.maxBodyBytes, bodyBytesFor(largestHtml))
  const { body, original } = await readTransformFields({ ...request, maxBodyBytes }, htmlFields)
  const html = textMember(body, 'html')
  if (html === undefined) throw new WikiError('rest-transform-missing-html')
  return {
    html,
    title: textMember(original, 'title'),
    revision: revisionOf(original),
    rendering: textMember(original, 'etag') || textMember(original, 'renderid') || undefined,
    original: {
      source: textMember(original, 'wikitext') ?? textMember(original, 'source'),
      html: textMember(original, 'html'),
    },
  }
}

/** An editor of a new page sends 0. */
function revisionOf(original: Body): number | undefined {
  return Number(textMember(original, 'revid')) || undefined
}

/** Returns a text, or the text in `body`. It is not normalised to NFC, because unedited text must not change. */
function textMember(body: Body, name: string): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  const text = isObject(value) && Object.hasOwn(value, 'body') ? value.body : value
  return ['string', 'number', 'boolean'].includes(typeof text) ? phpText(text) : undefined
}
