/** Title to file path and back: total, reversible, and safe on Windows for every legal title and content model. */

import { hash } from 'node:crypto'
import { configFile } from '../../core/config.ts'
import { type ContentModel, contentModels, modelsByExtension } from '../../core/content-models.ts'
import { isWikiError, WikiError } from '../../core/errors.ts'
import { mediaFormats } from '../../core/file.ts'
import { namespaceIds } from '../../core/namespaces.ts'
import { findNamespace, parseTitle, type Title, type TitleRules, titleRules } from '../../core/title.ts'
import type { WikiConfig } from '../../core/wiki-config.ts'

/** Rules by which files of a wiki are named. `pathRules` creates them. */
export interface PathRules {
  readonly titles: TitleRules
  /** Folder of the pages, no slash at either end; "" for the repository's top. */
  readonly root: string
  readonly layout: WikiConfig['layout']
}

/** Returns the folder of Obsidian's settings, which makes the folder of a wiki's pages a vault. */
export function vaultFolder(root: string): string {
  return root === '' ? '.obsidian' : `${root}/.obsidian`
}

/** Meaning of a file for the wiki. */
export type PathMeaning =
  | { readonly kind: 'page'; readonly title: Title; readonly model: ContentModel }
  | { readonly kind: 'file'; readonly title: Title }

/** Bytes of an encoded part of a title beyond which it continues in a further folder. */
const maxPieceBytes = 200
/** A folder name that ends in `%` and has fewer bytes than this is literal. */
const minContinuedBytes = 150

/**
 * Text types that are media directly under the folder of the namespace File, as uploads in MediaWiki. A name that ends in `%` is
 * a page, as everywhere.
 */
const mediaText = /^File\/.*[^%/]\.[tT][xX][tT]$/s

/** Characters that Windows refuses, `%` itself, and `~1`: git refuses what looks like the short name of `.git`. */
const unsafeCharacter = /[%<>:"\\|?*/\p{Cc}]|~(?=\d)/gu
/** A leading dot would hide the file; git treats `.git` as its own even with an invisible letter before it. */
const unsafeStart = /^(?:\.|[\u200c-\u200d\u206a-\u206f\ufeff])/u
/** Device names on Windows, whatever follows the first dot. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i
/** A slash makes a folder where it stands between two other characters. */
const folderSlash = /(?<=[^/])\/(?=[^/])/
/**
 * A part of a path that is hidden or empty, or that git takes for its own folder; also after a backslash, which Windows reads as
 * a slash. The folder in which Azure's wikis keep pictures is none.
 */
const hiddenOrEmpty =
  /(?:^|[/\\])(?:[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]*\.(?!attachments[/\\])|git~\d[ .]*(?:[:/\\]|$)|[/\\]|$)/i

/** True if a path, from the root of the wiki, contains a part that is hidden, empty, or git's own. */
export function isHiddenPath(inside: string): boolean {
  return hiddenOrEmpty.test(inside)
}

/** Prepares the rules for the file paths of a wiki. */
export function pathRules(config: WikiConfig, titles: TitleRules = titleRules(config)): PathRules {
  return { titles, root: config.root, layout: config.layout }
}

/** Names the file that a new page with this title and content model is written to, from the repository's top. */
export function pathOfTitle(title: Title, model: ContentModel, rules: PathRules): string {
  const { extensions, extensionInTitle } = contentModels[model]
  if (!extensionInTitle) return pathOf(title, title.name, `.${extensions[0]}`, rules)
  if (model === 'text' && title.namespace === namespaceIds.file)
    return pathOf(title, title.name, `%.${extensions[0]}`, rules)
  const extension = extensionOf(title.name)
  return extension !== undefined && modelsByExtension.get(extension.toLowerCase()) === model
    ? pathOf(title, title.name.slice(0, -extension.length - 1), `.${extension}`, rules)
    : pathOf(title, title.name, `%.${extensions[0]}`, rules)
}

/**
 * Names the file that new media with this title are written to, from the repository's top. Throws `rest-invalid-title` if the
 * title is not in the namespace File or has no extension of a media file.
 */
export function pathOfFile(title: Title, rules: PathRules): string {
  const extension = extensionOf(title.name)
  if (title.namespace !== namespaceIds.file) refuse(title.text, 'it is not in the namespace File')
  if (extension === undefined || !isMedia(extension))
    refuse(title.text, 'it has no file extension of an image, sound or video')
  // A text is media only where it lies under `File/` itself.
  const placed: PathRules = extension.toLowerCase() === 'txt' ? { ...rules, layout: 'folders' } : rules
  return pathOf(title, title.name.slice(0, -extension.length - 1), `.${extension}`, placed)
}

/**
 * Interprets a path, from the repository's top, as a page or media file; null if it is neither. Reading is tolerant: spaces for
 * underscores, aliases for namespaces, characters that only Linux allows. Throws `rest-invalid-title` if the extension is the
 * wiki's, but the name makes no legal title.
 */
export function titleOfPath(path: string, rules: PathRules): PathMeaning | null {
  const inside = rules.root === '' ? path : path.startsWith(`${rules.root}/`) ? path.slice(rules.root.length + 1) : ''
  if (isHiddenPath(inside) || isConfigFile(path)) return null
  return (
    (rules.layout === 'sharded' ? readSharded(inside, rules) : null) ?? readPath(inside, rules, isMediaText(inside))
  )
}

/**
 * Returns the path of a file in another layout: the same name, with or without the folder of its title's hash. Returns the path
 * itself if it makes no title, is a media text, or would mean another title there.
 */
export function pathInLayout(path: string, rules: PathRules, layout: WikiConfig['layout']): string {
  const title = legalTitle(path, rules)
  if (title === null) return path
  const inside = rules.root === '' ? path : path.slice(rules.root.length + 1)
  const top = path.slice(0, path.length - inside.length)
  const isSharded = rules.layout === 'sharded' && readSharded(inside, rules) !== null
  const plain = isSharded ? withoutShard(path, rules.root) : path
  const other =
    layout === 'sharded' && !isMediaText(inside) ? `${top}${shardOf(title)}/${plain.slice(top.length)}` : plain
  return legalTitle(other, { ...rules, layout })?.key === title.key ? other : path
}

/** Strips the folder of the layout `sharded` from a path; null if its first folder cannot be one. */
export function unsharded(path: string, root: string): string | null {
  const top = root === '' ? '' : `${root}/`
  return path.startsWith(top) && /^[0-9a-f]{2}\/./s.test(path.slice(top.length, top.length + 4))
    ? withoutShard(path, root)
    : null
}

/** The page `wiki.json` cannot lie at the top, where the settings are. */
function withoutShard(path: string, root: string): string {
  const top = root === '' ? '' : `${root}/`
  const plain = top + path.slice(top.length + 3)
  return isConfigFile(plain) ? encodeStart(plain) : plain
}

function legalTitle(path: string, rules: PathRules): Title | null {
  return legalMeaning(path, rules)?.title ?? null
}

/** Interprets a path like `titleOfPath`; null also for a name that makes no legal title. */
export function legalMeaning(path: string, rules: PathRules): PathMeaning | null {
  try {
    return titleOfPath(path, rules)
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return null
    throw error
  }
}

/** Returns true if a path means the page with this title and content model. */
export function meansPage(path: string, page: { title: Title; model: ContentModel }, rules: PathRules): boolean {
  const meaning = legalMeaning(path, rules)
  return meaning?.kind === 'page' && meaning.model === page.model && meaning.title.key === page.title.key
}

/** Orders two paths by the bytes of their UTF-8, as git does. */
export function comparePaths(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return codeUnitRank(x) - codeUnitRank(y)
  }
  return a.length - b.length
}

/** UTF-16 sorts surrogates before U+E000, although what they stand for comes after U+FFFF. */
function codeUnitRank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

function pathOf(title: Title, stem: string, ending: string, rules: PathRules): string {
  const names = stem.split(folderSlash).map(encodeSegment)
  const last = names.pop()! + ending
  const path = inNamespace(title.namespace, [...names.map(encodeExtension), last].join('/'), rules)
  const sharded = rules.layout === 'sharded' ? `${shardOf(title)}/${path}` : path
  const rooted = rules.root === '' ? sharded : `${rules.root}/${sharded}`
  return isConfigFile(rooted) ? encodeStart(rooted) : rooted
}

function inNamespace(namespace: number, path: string, rules: PathRules): string {
  if (namespace !== namespaceIds.main) return `${rules.titles.namespaces.get(namespace)!.folder}/${path}`
  return splitFolder(path, rules).namespace === namespaceIds.main ? path : encodeStart(path)
}

/** Encodes the text between two folder slashes as one name or, if that is too long, several. */
function encodeSegment(segment: string): string {
  const encoded = segment.replace(unsafeCharacter, percentEncode)
  if (Buffer.byteLength(encoded) <= maxPieceBytes) return encodeEnds(encoded)
  return cutPieces(encoded).map(encodeEnds).join('%/')
}

function cutPieces(encoded: string): string[] {
  const pieces: string[] = []
  let piece = ''
  let bytes = 0
  for (const [character] of encoded.matchAll(/%[0-9A-F]{2}|./gsu)) {
    const size = Buffer.byteLength(character)
    if (bytes + size > maxPieceBytes) {
      pieces.push(piece)
      piece = ''
      bytes = 0
    }
    piece += character
    bytes += size
  }
  return [...pieces, piece]
}

function encodeEnds(name: string): string {
  const ended = name.replace(/\.$/, percentEncode)
  return unsafeStart.test(ended) || deviceName.test(ended) ? encodeStart(ended) : ended
}

/** `Common.css/doc` must not need a folder with the name of the file `Common.css`. */
function encodeExtension(folder: string): string {
  const extension = extensionOf(folder)?.toLowerCase()
  if (extension === undefined || !(modelsByExtension.has(extension) || isMedia(extension))) return folder
  return folder.replace(/\.(?=[^.]*$)/, percentEncode)
}

function encodeStart(name: string): string {
  return name.replace(/^./su, percentEncode)
}

function percentEncode(character: string): string {
  return Buffer.from(character).toString('hex').toUpperCase().replace(/../g, '%$&')
}

/** The first folder names the shard only if it is the shard of the title of the rest. */
function readSharded(path: string, rules: PathRules): PathMeaning | null {
  const [, shard, rest] = /^([0-9a-f]{2})\/(.+)$/s.exec(path) ?? []
  if (shard === undefined || rest === undefined) return null
  try {
    const meaning = readPath(rest, rules, false)
    return meaning !== null && shardOf(meaning.title) === shard ? meaning : null
  } catch (error) {
    if (isWikiError(error, 'rest-invalid-title')) return null
    throw error
  }
}

function readPath(path: string, rules: PathRules, isText: boolean): PathMeaning | null {
  const extension = extensionOf(path)
  const model = extension && modelsByExtension.get(extension.toLowerCase())
  if (extension === undefined || !(model || isMedia(extension))) return null
  const stem = path.slice(0, -extension.length - 1)
  const { namespace, rest } = splitFolder(stem, rules)
  if (model && !isText)
    return { kind: 'page', title: readTitle(pageName(rest, extension, model, path), namespace, path, rules), model }
  const name = decodeName(namespace === namespaceIds.file ? rest : stem, path)
  return { kind: 'file', title: readTitle(`${name}.${extension}`, namespaceIds.file, path, rules) }
}

/** Strips the namespace from a path; its name is compared undecoded, so that `%54alk/` is not a namespace. */
function splitFolder(path: string, rules: PathRules): { namespace: number; rest: string } {
  const slash = path.indexOf('/')
  const namespace = slash === -1 ? undefined : findNamespace(path.slice(0, slash), rules.titles)
  if (namespace === undefined || namespace < namespaceIds.main) return { namespace: namespaceIds.main, rest: path }
  return { namespace, rest: path.slice(slash + 1) }
}

function pageName(stem: string, extension: string, model: ContentModel, path: string): string {
  if (!contentModels[model].extensionInTitle) return decodeName(stem, path)
  return stem.endsWith('%') ? decodeName(stem.slice(0, -1), path) : `${decodeName(stem, path)}.${extension}`
}

function decodeName(stem: string, path: string): string {
  const names = stem.split('/')
  const last = names.pop()!
  const folders = names.map(name => (isContinued(name) ? decode(name.slice(0, -1), path) : `${decode(name, path)}/`))
  return folders.join('') + decode(last, path)
}

function isContinued(folder: string): boolean {
  return folder.endsWith('%') && Buffer.byteLength(folder) >= minContinuedBytes
}

/** Decodes percent sequences; any other percent sign is literal. */
function decode(name: string, path: string): string {
  try {
    return name.replace(/(?:%[0-9A-Fa-f]{2})+/g, decodeURIComponent)
  } catch {
    return refuse(path, 'its name is not valid UTF-8')
  }
}

function readTitle(name: string, namespace: number, path: string, rules: PathRules): Title {
  if (name.includes('#')) refuse(path, 'it has a number sign')
  const prefix = rules.titles.namespaces.get(namespace)!.name
  return parseTitle(prefix === '' ? name : `${prefix}:${name}`, rules.titles)
}

/** True for the path, from the root of the wiki, of a media text. */
export function isMediaText(inside: string): boolean {
  return mediaText.test(inside)
}

function extensionOf(name: string): string | undefined {
  return /[^/]\.([0-9A-Za-z]+)$/.exec(name)?.[1]
}

function isMedia(extension: string): boolean {
  return Object.hasOwn(mediaFormats, extension.toLowerCase())
}

/** wiki.json in any case: on a case-insensitive file system a page of that name would overwrite it. */
function isConfigFile(path: string): boolean {
  return path.toLowerCase() === configFile
}

function shardOf(title: Title): string {
  return hash('sha1', title.key).slice(0, 2)
}

function refuse(text: string, reason: string): never {
  throw new WikiError('rest-invalid-title', { params: [text, reason] })
}
