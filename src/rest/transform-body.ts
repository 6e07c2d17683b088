/** Parses the bodies of transforms. */

import { WikiError } from '../core/errors.ts'
import { type Body, type BodyRequest, isObject, phpText, readJsonOrForm } from '../http/read-body.ts'
import { wellFormed } from '../operations/workers/long-text.ts'

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
  readonly offsetType: unknown
  /** True to stash the HTML. */
  readonly stash: boolean
}

/**
 * Parses the body of a transform from wikitext. As in MediaWiki, the text may be in `original`, unknown fields are
 * ignored and numbers count as text.
 */
export async function readTransform(request: BodyRequest): Promise<Transform> {
  const body = await readJsonOrForm(request)
  const given = Object.hasOwn(body, 'original') && isObject(body.original) ? body.original : {}
  const wikitext = textMember(body, 'wikitext') ?? textMember(given, 'wikitext')
  return {
    wikitext: wikitext === undefined ? null : await wellFormed(wikitext),
    model: textMember(body, 'contentmodel'),
    title: textMember(given, 'title'),
    revision: revisionOf(given),
    bodyOnly: isOn(body, 'body_only'),
    offsetType: Object.hasOwn(body, 'offsetType') ? body.offsetType : undefined,
    stash: isOn(body, 'stash'),
  }
}

const affirmations: readonly unknown[] = [true, 1, '1', 'true', 'yes', 'on']

function isOn(body: Body, name: string): boolean {
  return Object.hasOwn(body, name) && affirmations.includes(body[name])
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
 * and `html` in `original`. Unknown fields are ignored, and numbers count as text. `largestHtml`, in bytes, is checked
 * later; here it bounds the body. Throws `rest-transform-missing-html`.
 *
 * Source: Parsoid's page bundles.
 */
export async function readHtmlTransform(request: BodyRequest, largestHtml: number): Promise<HtmlTransform> {
  // JSON takes half as much again, and the original comes in addition.
  const maxBodyBytes = Math.max(request.maxBodyBytes, 3 * largestHtml + 2 * 1024 * 1024)
  const body = await readJsonOrForm({ ...request, maxBodyBytes })
  const html = textMember(body, 'html')
  if (html === undefined) throw new WikiError('rest-transform-missing-html')
  const given = Object.hasOwn(body, 'original') && isObject(body.original) ? body.original : {}
  return {
    html,
    title: textMember(given, 'title'),
    revision: revisionOf(given),
    rendering: textMember(given, 'etag') || textMember(given, 'renderid') || undefined,
    original: {
      source: textMember(given, 'wikitext') ?? textMember(given, 'source'),
      html: textMember(given, 'html'),
    },
  }
}

function revisionOf(original: Body): number | undefined {
  const revision = Object.hasOwn(original, 'revid') ? Number(original.revid) : Number.NaN
  return Number.isSafeInteger(revision) && revision > 0 ? revision : undefined
}

/** Returns a text, or the text in `body`. It is not normalised to NFC, because unedited text must not change. */
function textMember(body: Body, name: string): string | undefined {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  const text = isObject(value) && Object.hasOwn(value, 'body') ? value.body : value
  if (!['string', 'number', 'boolean'].includes(typeof text)) return undefined
  return phpText(text).replace(/\p{Surrogate}/gu, '\uFFFD')
}
