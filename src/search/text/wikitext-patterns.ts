/** Patterns of wikitext markup for reading words. All are bounded; most are sticky. */

/** Elements whose content is not shown. */
export const silentTags = new Set(['style', 'script', 'templatestyles', 'templatedata'])
/** Elements whose text has no markup; formulas are shown as their source. */
export const verbatimTags = new Set(['nowiki', 'pre', 'syntaxhighlight', 'source', 'math', 'chem', 'ce'])
/** Those in which character references are read all the same. */
export const decodedTags = new Set(['nowiki', 'pre'])
/**
 * Tags that separate no words. Source: HTML Living Standard, 3.2.5.2.5, Phrasing content, without those that are shown as something else;
 * https://html.spec.whatwg.org/#non-conforming-features; tags of MediaWiki that leave no element.
 */
export const inlineTags =
  /^(?:a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|i|ins|kbd|mark|q|s|samp|small|span|strong|sub|sup|time|u|var|wbr|big|font|strike|tt|nowiki|tvar|noinclude|onlyinclude)$/

/** A tag whose attributes have quotes, and perhaps angle brackets in them. */
export const quotedTag = /<(\/?)([A-Za-z][A-Za-z0-9]{0,20})[\s/](?:"[^"<]{0,2000}"|'[^'<]{0,2000}'|[^<>"']){0,2000}>/y
/** A tag as it opens or closes. */
export const tag = /<(\/?)([A-Za-z][A-Za-z0-9]{0,20})(?:[\s/][^<>]{0,2000})?>/y
/** The beginning of a template call, with its name. */
export const templateName =
  /\{\{\s*(?:(?:subst|safesubst|msg|raw):\s*)?([^{}|[\]<>\s](?:[^{}|[\]<>]{0,199}[^{}|[\]<>\s])?)\s*(?=\||\}\}|<!--)/iy
/** The name of a parameter, after its pipe. */
export const parameterName = /\|\s*(?:[^=|{}[\]<>\s][^=|{}[\]<>\n]{0,79})?=/y
/** The beginning of a link, with its target and the following delimiter. */
export const linkTarget = /\[\[\s*([^[\]{}|<>\s](?:[^[\]{}|<>\n]{0,398}[^[\]{}|<>\s])?)\s*(\||\]\])/y
/** Display option of a picture, after its pipe; not text of the page. */
export const fileOption =
  /\|\s*(?:thumb|thumbnail|frame|framed|frameless|border|left|right|center|none|(?:baseline|middle|top|bottom|sub|super|text-top|text-bottom)|upright(?:\s{0,10}=?[^|[\]\n]{0,40})|(?:\d{1,5}|\d{0,5}x\d{1,5})\s{0,10}px|(?:link|class|lang|page|thumbtime|start|end)\s*=[^|[\]\n]{0,400})\s*(?=\||\]\])/iy
/** Any option or caption of a picture without markup, after its pipe. */
export const anyOption = /\|[^|[\]{}\n]{1,400}(?=\||\]\])/y
/** Attributes of a table cell, with the pipe after them. */
export const cellAttributes = /[^|[\]{}\n=]{0,40}=[^|[\]{}\n]{0,400}\|(?!\|)/y
/** `__NOTOC__` and its like. */
export const behaviourSwitch = /__[A-Z]{3,30}__/y
/** Names of the template that describes a page. */
export const description = /^short ?desc(?:ription)?$/i
/** The description of a page. */
export const descriptionCall = /\{\{\s*short[ _]?desc(?:ription)?\s*[:|]\s*(?:1\s*=)?([^{}|]{1,1000})/iy
/** A parameter's value that is the name of a picture. */
export const pictureValue =
  /\s*(?:\[\[\s*)?(?:(?:file|image)\s*:\s*)?([^[\]{}|<>\s=][^[\]{}|<>\n=]{0,239}\.(?:jpe?g|png|gif|svg|webp|tiff?|avif))\s*(?=[|\n}\]])/iy
/** The alternative text of a picture, after its pipe, without the text. */
export const altOption = /\|\s*alt\s*=/iy
/** Option of a picture in a gallery, after its pipe. */
export const galleryOption = /\|\s*(?:link|class|lang|page)\s*=[^|[\]\n]{0,400}/iy
/** The file of a line of a gallery. */
export const galleryFile = /[ \t]*([^[\]{}|<>\s](?:[^[\]{}|<>\n]{0,238}[^[\]{}|<>\s])?)[ \t]*(?=\||\n)/y
/** The caption of a gallery, in its tag. */
export const galleryCaption = /\scaption\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))/i
