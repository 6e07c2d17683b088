/** Names of tags whose content is not the page's own wikitext. */

/** Tags of extensions, and of what is taken into other pages. */
export const extensionTags: ReadonlySet<string> = new Set(
  'ce chem gallery graph hiero imagemap includeonly indicator inputbox languages mapframe maplink math noinclude onlyinclude nowiki poem pre ref references score section source syntaxhighlight templatedata templatestyles timeline translate tvar'.split(
    ' ',
  ),
)
