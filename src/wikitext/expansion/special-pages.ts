/** Names of special pages in links. Source: MediaWiki, list of special pages. */

const names = `
  ActiveUsers AllMessages AllPages AncientPages ApiSandbox AutoblockList Badtitle Blankpage Block BlockList
  BookSources BotPasswords BrokenRedirects Categories ChangeContentModel ChangeEmail ChangePassword ComparePages
  Contribute Contributions CreateAccount DeadendPages DeletedContributions DeletePage Diff DoubleRedirects EditPage
  EditTags EditWatchlist EmailUser ExpandTemplates Export FewestRevisions FileDuplicateSearch Filepath GoToInterwiki
  Import Interwiki JavaScriptTest LinkAccounts LinkSearch ListAdmins ListBots ListDuplicatedFiles ListFiles
  ListGrants ListGroupRights ListRedirects ListUsers Lockdb Log LonelyPages LongPages MediaStatistics MergeHistory
  MIMESearch MostCategories MostImages MostInterwikis MostLinked MostLinkedCategories MostLinkedTemplates
  MostRevisions MovePage Mycontributions MyLanguage Mylog Mypage Mytalk Myuploads NewPages NewSection PageData
  PageHistory PageInfo PageLanguage PagesWithProp PasswordPolicies PasswordReset PermanentLink Preferences
  PrefixIndex ProtectedPages ProtectedTitles ProtectPage Purge Random RandomInCategory RandomRedirect RandomRootpage
  RecentChanges RecentChangesLinked Redirect RemoveCredentials ResetTokens RevisionDelete RunJobs Search ShortPages
  SpecialPages Statistics Tags TalkPage TrackingCategories Unblock UncategorizedCategories UncategorizedFiles
  UncategorizedPages UncategorizedTemplates Undelete UnlinkAccounts Unlockdb UnusedCategories UnusedFiles
  UnusedTemplates UnwatchedPages Upload UploadStash UserLogin UserLogout UserRights Version WantedCategories
  WantedFiles WantedPages WantedTemplates Watchlist WhatLinksHere WithoutInterwiki`
  .trim()
  .split(/\s+/)

/** Further names of some of them. */
const aliases: Readonly<Record<string, string>> = {
  imagelist: 'ListFiles',
  randompage: 'Random',
  recentchanges: 'RecentChanges',
  users: 'ListUsers',
  userlist: 'ListUsers',
}

const canonicalNames: ReadonlyMap<string, string> = new Map([
  ...names.map(name => [name.toLowerCase(), name] as const),
  ...Object.entries(aliases),
])

/** The canonical name of a special page, URL form; undefined if it is unknown. */
export function specialPageName(name: string): string | undefined {
  return canonicalNames.get(name.toLowerCase())
}
