/**
 * The library: open a wiki, then call operations on it. Nothing here reads arguments, environment or terminal. The REST
 * app is a second entry, `gitwiki/rest` (rest/app.ts): its packages load only where a server is wanted.
 */

export type { AuthoredLine, AuthoredRevision, AuthoredSpan, PageAuthorship } from './core/authorship.ts'
export type { ChangeList, ChangeType, WikiChange } from './core/change.ts'
export type {
  ComparedRevision,
  Comparison,
  DiffElement,
  DiffSection,
  HighlightRange,
  MoveInfo,
} from './core/comparison.ts'
export type { ContentModel } from './core/content-models.ts'
export { type ErrorDetails, type ErrorKey, errorTable, isWikiError, WikiError } from './core/errors.ts'
export type { FileFormat, FileListItem, FileObject, MediaType } from './core/file.ts'
export type { License, PageBare, PageListItem, PageObject, PageSource } from './core/page.ts'
export type {
  CountType,
  HistoryCount,
  HistoryFilter,
  HistoryRevision,
  HistorySegment,
  RevisionBare,
  RevisionObject,
  RevisionSource,
  User,
} from './core/revision.ts'
export type { SearchResult, SearchResults } from './core/search-result.ts'
export type { NamespaceConfig, WikiConfig } from './core/wiki-config.ts'
export { compareTexts } from './diff/compare-texts.ts'
export {
  type MarkedMerge,
  type MarkerOptions,
  type Merge,
  type MergeTextsOptions,
  mergeTexts,
  mergeWithMarkers,
} from './diff/merge.ts'
export { listSections, type SectionOptions } from './diff/sections.ts'
export { type HtmlToMarkdownOptions, htmlToMarkdown } from './html2md/index.ts'
export {
  calledTemplates,
  type HtmlToWikitextOptions,
  htmlToWikitext,
  type TemplateLayout,
} from './html2wt/index.ts'
export { type Activity, type DayActivity, wikiActivity } from './operations/activity.ts'
export { type AddedFile, type AddFileRequest, addFile } from './operations/add-file.ts'
export { type AppliedPatch, type ApplyRequest, applyPatchToPages, type PatchedPage } from './operations/apply-patch.ts'
export { type BlamePageQuery, blamePage } from './operations/blame-page.ts'
export {
  type ChangeReport,
  type CheckChangeRequest,
  type CheckedChange,
  checkChange,
} from './operations/check-change.ts'
export { checkWiki, type WikiProblem } from './operations/check-wiki.ts'
export { type CommittedWork, type CommitWorkRequest, commitWork } from './operations/commit-work.ts'
export {
  type CommitsComparison,
  type CompareCommitsQuery,
  compareCommits,
  type PageChange,
  type PatchedChange,
} from './operations/compare-commits.ts'
export {
  type Comparable,
  type CompareQuery,
  compareRevisions,
  compareWork,
  patchRevisions,
  summarizeRevisions,
} from './operations/compare-revisions.ts'
export { readConfig, type WriteConfigRequest, type WrittenConfig, writeConfig } from './operations/configure.ts'
export { type HtmlQuery, transformToWikitext } from './operations/convert-html.ts'
export { type MarkdownQuery, wikitextToMarkdown } from './operations/convert-markdown.ts'
export { type CountHistoryQuery, countHistory } from './operations/count-history.ts'
export { type CreatedPage, type CreatePageRequest, createPage } from './operations/create-page.ts'
export { type DeletedPages, type DeletePagesRequest, deletePages } from './operations/delete-page.ts'
export type { ChangeRequest, EditRequest } from './operations/editing/edit.ts'
export { type ExportDumpRequest, exportDump, exportFiles } from './operations/export-dump.ts'
export {
  type FileVersion,
  type FileVersionQuery,
  fileVersions,
  openFileVersion,
  revertFile,
  versionThumbnail,
} from './operations/file-versions.ts'
export { type FixedPage, type FixedProblems, type FixRequest, fixProblems } from './operations/fix-problems.ts'
export { type HiddenState, type HideRevisionRequest, hideRevision } from './operations/hide-revision.ts'
export { type ImportDumpRequest, type ImportedDump, importDump } from './operations/import-dump.ts'
export { type InitializedWiki, type InitWikiRequest, initWiki } from './operations/init-wiki.ts'
export {
  type CategoryMember,
  type CategoryMembers,
  categoryMembers,
  type LinkListName,
  type LinkListQuery,
  type ListedByLinks,
  type ListMember,
  listByLinks,
} from './operations/link-lists.ts'
export { lintPage, lintRevision } from './operations/lint-page.ts'
export { type LintedPart, lintPages } from './operations/lint-pages.ts'
export type { LintedText, LocatedLint, ProblemType } from './operations/lint-texts.ts'
export { type ListFilesQuery, listFiles } from './operations/list-files.ts'
export { type ListPagesQuery, listPages } from './operations/list-pages.ts'
export {
  type Mergeable,
  type MergeQuery,
  mergeTexts as mergeRevisions,
  type TextMerge,
} from './operations/merge-texts.ts'
export { type MigratedLayout, type MigrateLayoutRequest, migrateLayout } from './operations/migrate-layout.ts'
export { type MovedPage, type MovePageRequest, movePage } from './operations/move-page.ts'
export { type OpenedFile, openFile, openThumbnail } from './operations/open-file.ts'
export { type PageBlocks, type PageBlocksQuery, pageBlocks } from './operations/page-blocks.ts'
export { type PageFilesQuery, pageFiles } from './operations/page-files.ts'
export { type PageHistoryQuery, pageHistory } from './operations/page-history.ts'
export { type PageLanguage, pageLanguages } from './operations/page-languages.ts'
export {
  type IncomingLink,
  incomingLinks,
  type OutgoingLink,
  outgoingLinks,
  type PageLinksQuery,
} from './operations/page-links.ts'
export { type PageSize, type PageSizes, pageSizes } from './operations/page-sizes.ts'
export { type ReadFileQuery, readFile } from './operations/read-file.ts'
export { type ReadPageQuery, readPage, readPageBare } from './operations/read-page.ts'
export { readRevision, readRevisionBare } from './operations/read-revision.ts'
export { type RecentChangesQuery, recentChanges } from './operations/recent-changes.ts'
export {
  type HtmlFlavor,
  type RenderedPage,
  type RenderedRevision,
  type RenderedText,
  type RenderQuery,
  renderPage,
  renderRevision,
} from './operations/render-page.ts'
export { type ReplacedText, type ReplaceRequest, replaceText } from './operations/replace-text.ts'
export { type ResolveOptions, resolveRevision, type WorkText } from './operations/resolve-revision.ts'
export type { TitleQuery } from './operations/resources/find-page.ts'
export { TitleRedirect } from './operations/resources/title-redirect.ts'
export { type RestoredEdit, type RestoredEdits, type RestoreRequest, restoreEdits } from './operations/restore-edits.ts'
export { type RestoredPage, type RestorePageRequest, restorePage } from './operations/restore-page.ts'
export {
  type HistoryMatch,
  type HistorySearch,
  type HistorySearchQuery,
  searchHistory,
} from './operations/search-history.ts'
export { type SearchQuery, searchPages, searchTitles } from './operations/search-pages.ts'
export { type WikiStatus, wikiStatus } from './operations/status.ts'
export {
  type TemplateParameter,
  type TemplateParameters,
  templateParameters,
} from './operations/template-parameters.ts'
export {
  type CreateTokenRequest,
  createToken,
  listTokens,
  type NewToken,
  revokeToken,
  type Token,
} from './operations/tokens.ts'
export {
  type OffsetType,
  type TransformedText,
  type TransformQuery,
  transformToHtml,
  transformToLint,
} from './operations/transform.ts'
export { type UndoCommitRequest, type UndoneCommit, undoCommit } from './operations/undo-commit.ts'
export { type UndoneRevisions, type UndoRequest, undoRevisions } from './operations/undo-revisions.ts'
export { type UpdatedPage, type UpdatePageRequest, updatePage } from './operations/update-page.ts'
export { type LostEdit, type VerifiedWiki, type VerifyRequest, verifyWiki } from './operations/verify-wiki.ts'
export { type OpenWikiOptions, openWiki, type Wiki } from './operations/wiki.ts'
export type { Author } from './store/format/entries.ts'
export {
  contentToHtml,
  type FileMetadata,
  type Lint,
  lintWikitext,
  type MemoryWiki,
  memoryWiki,
  type PageReferences,
  type ParsedPage,
  parseWikitext,
  type Rendered,
  type RenderOptions,
  type RenderSettings,
  type SourcePage,
  type TocEntry,
  type WikiSource,
  wikitextToHtml,
} from './wikitext/index.ts'
