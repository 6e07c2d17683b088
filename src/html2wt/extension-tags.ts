/** Names of tags whose content is not wikitext of the page itself. */

/** Extension tags, and tags that control transclusion. */
export const extensionTags: ReadonlySet<string> = new Set(
  'ce chem gallery graph hiero imagemap includeonly indicator inputbox languages mapframe maplink math noinclude onlyinclude nowiki poem pre ref references score section source syntaxhighlight templatedata templatestyles timeline translate tvar'.split(
    ' ',
  ),
)
