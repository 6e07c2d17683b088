/** Types of a resolved file link: the file, the options, and the texts they produce. */

import type { ChildNode } from '../tree/node.ts'
import type { FileMetadata } from '../wiki-source.ts'
import type { MediaOption, MediaOptions, MediaPart } from './options.ts'
import { captionText, plainText } from './text.ts'

/** Target of a picture's link. */
export interface MediaLink {
  readonly href: string
  /** Title of the page, reading form; null for an external address. */
  readonly title: string | null
  /** Further attributes of the link: rel, target. */
  readonly attributes?: Iterable<readonly [string, string]>
}

/** A file to be shown, with the wiki's metadata. */
export interface MediaFile {
  /** Title with the wiki's name of the namespace, URL form: `File:Low_tide.jpg`. */
  readonly title: string
  /** Without the namespace, URL form. */
  readonly name: string
  readonly metadata: FileMetadata | null
  /** The picture named by `thumb=`; null if there is none. */
  readonly thumbnail: { readonly name: string | null; readonly metadata: FileMetadata | null } | null
  /** Reason why an existing file is not shown. */
  readonly refusal?: 'badfile' | 'limit' | null
}

/** Services of the wiki and the page for media elements. */
export interface MediaContext {
  /** Pixels of a thumbnail without an explicit size. */
  readonly thumbnailWidth: number
  /** Parses the text after `link=`; null if it is not a target. */
  readonly resolveLink: (target: string) => MediaLink | null
  /** Parses a part of the link as the content of a paragraph. */
  readonly parse: (part: MediaPart) => ChildNode[]
}

/** A problem, in the form of `data-mw`. */
export interface MediaError {
  readonly key: string
  readonly message: string
  readonly params?: Readonly<Record<string, string>>
}

/** Problems with a file. */
export const errors = {
  missing: { key: 'apierror-filedoesnotexist', message: 'This image does not exist.' },
  badfile: { key: 'apierror-badfile', message: 'This image is on the bad file list.' },
  limit: { key: 'apierror-imagelimitexceeded', message: 'Image is not rendered due to image limit was exceeded' },
} as const satisfies Record<string, MediaError>

/** Input for the parts of one element. */
export interface Shown {
  readonly file: MediaFile
  /** Metadata of the shown file: the file's own, or that of its manual thumbnail. */
  readonly metadata: FileMetadata | null
  readonly options: MediaOptions
  readonly context: MediaContext
  readonly error: MediaError | null
  readonly kind: 'image' | 'video' | 'audio' | 'broken'
  readonly isFigure: boolean
  /** Text of a caption that is not shown beside the file; "" if there is none. */
  readonly hiddenCaption: string
  /** Value of `alt`; null if none is given. */
  readonly alt: string | null
  readonly link: MediaLink | 'none' | 'invalid' | null
}

/** Determines the file to show, and its form. */
export function show(
  options: MediaOptions,
  {
    file,
    caption,
    context,
    isFigure,
  }: Pick<Shown, 'file' | 'context' | 'isFigure'> & { caption: readonly ChildNode[] | null },
): Shown {
  const metadata = file.thumbnail === null ? file.metadata : file.thumbnail.metadata
  const error = errorOf(file)
  const link = options.values.get('link')
  return {
    file,
    metadata,
    options,
    context,
    error,
    kind: error === null ? kindOf(metadata!) : 'broken',
    isFigure,
    hiddenCaption: showsCaption(options) ? '' : captionText(caption ?? []).trim(),
    alt: options.values.has('alt') ? textOfOption(options.values.get('alt')!, context) : null,
    link: link === undefined ? null : readLink(textOfOption(link, context), context),
  }
}

/** Returns true if options make a block: a `figure`. */
export function isBlock({ format, halign }: Pick<MediaOptions, 'format' | 'halign'>): boolean {
  return halign !== null || showsCaption({ format })
}

/** Returns true if the caption is visible under the file; otherwise it becomes the picture's title. */
export function showsCaption({ format }: Pick<MediaOptions, 'format'>): boolean {
  return format === 'thumbnail' || format === 'manualthumb' || format === 'framed'
}

function errorOf({ metadata, thumbnail, refusal }: MediaFile): MediaError | null {
  if (refusal !== undefined && refusal !== null) return errors[refusal]
  if (metadata === null) return errors.missing
  if (thumbnail === null || thumbnail.metadata !== null) return null
  if (thumbnail.name !== null) return errors.missing
  return { key: 'apierror-invalidtitle', message: 'Invalid thumbnail title.', params: { name: '' } }
}

function kindOf({ mediatype }: FileMetadata): Shown['kind'] {
  if (mediatype === 'AUDIO') return 'audio'
  return mediatype === 'VIDEO' ? 'video' : 'image'
}

/** Reads the text of an option: its markup is parsed, but only the resulting text counts. */
export function textOfOption({ value, part }: MediaOption, context: MediaContext): string {
  if (isPlain(value)) return value
  const text = plainText(context.parse(part)).trim()
  const prefix = part.text.trim().length - value.length
  return text.slice(prefix).trim()
}

/** Returns true if a wikitext is plain text. */
export function isPlain(text: string): boolean {
  return !/[<>&'[\]{}_~]|-\{|:\/\//.test(text)
}

function readLink(target: string, context: MediaContext): NonNullable<Shown['link']> {
  if (target === '') return 'none'
  return context.resolveLink(target) ?? 'invalid'
}

/** Page of a document that is shown; undefined if none was given. */
export function pageOf({ values }: MediaOptions): number | undefined {
  const page = values.get('page')?.part.text.replace(/^\D*/, '').trim() ?? ''
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : undefined
}

/** Language of a drawing that is shown; undefined if none was given. */
export function languageOf({ values }: MediaOptions, metadata: FileMetadata | null): string | undefined {
  const code = values.get('lang')?.value
  return metadata?.mediatype === 'DRAWING' && code !== undefined && isLanguage(code) ? code : undefined
}

/** Returns true if a text may be a language code. */
export function isLanguage(code: string): boolean {
  return /^[a-z0-9]{1,12}(?:-[a-z0-9]{1,12})*$/i.test(code)
}
