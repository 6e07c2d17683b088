/** Types of the API: generated from its OpenAPI document by `node scripts/client-routes.mjs`, and not edited. */

/** Objects of responses, by their names in the document. */
export interface Schemas {
  GenericErrorResponseModel: {
    readonly errorKey?: string
    readonly messageTranslations?: Readonly<Record<string, string>>
    readonly message?: string
    readonly httpCode: number
    readonly httpReason: string
    readonly error?: string
    readonly actionModuleErrorCode?: string
    readonly name?: string
    readonly failureCode?: string
  }
  PageSource: {
    readonly id: number
    readonly key: string
    readonly title: string
    readonly latest: { readonly id: number; readonly timestamp: string }
    readonly content_model: 'wikitext' | 'markdown' | 'json' | 'css' | 'javascript' | 'text'
    readonly license: { readonly url: string; readonly title: string }
    readonly source: string
    readonly redirect_target?: string
  }
  PageBare: {
    readonly id: number
    readonly key: string
    readonly title: string
    readonly latest: { readonly id: number; readonly timestamp: string }
    readonly content_model: 'wikitext' | 'markdown' | 'json' | 'css' | 'javascript' | 'text'
    readonly license: { readonly url: string; readonly title: string }
    readonly html_url: string
    readonly redirect_target?: string
  }
  PageWithHtml: {
    readonly id: number
    readonly key: string
    readonly title: string
    readonly latest: { readonly id: number; readonly timestamp: string }
    readonly content_model: 'wikitext' | 'markdown' | 'json' | 'css' | 'javascript' | 'text'
    readonly license: { readonly url: string; readonly title: string }
    readonly html: string
    readonly redirect_target?: string
  }
  PageLanguage: { readonly code: string; readonly name: string; readonly key: string; readonly title: string }
  SearchResults: {
    readonly pages: readonly {
      readonly id: number
      readonly key: string
      readonly title: string
      readonly excerpt: string
      readonly matched_title: string | null
      readonly anchor?: string | null
      readonly description: string | null
      readonly thumbnail: {
        readonly mimetype: string
        readonly size: number | null
        readonly width: number | null
        readonly height: number | null
        readonly duration: number | null
        readonly url: string
      } | null
    }[]
  }
  HistorySegment: {
    readonly revisions: readonly {
      readonly id: number
      readonly size: number
      readonly minor: boolean
      readonly timestamp: string
      readonly user: { readonly id: number | null; readonly name: string } | null
      readonly comment: string | null
      readonly delta: number | null
      readonly page: { readonly id: number; readonly key: string; readonly title: string }
    }[]
    readonly latest: string
    readonly older?: string
    readonly newer?: string
    readonly shallow?: boolean
  }
  ChangeList: {
    readonly changes: readonly {
      readonly id: number | null
      readonly size: number
      readonly minor: boolean
      readonly timestamp: string
      readonly user: { readonly id: number | null; readonly name: string } | null
      readonly comment: string | null
      readonly delta: number | null
      readonly page: { readonly id: number; readonly key: string; readonly title: string }
      readonly type: 'new' | 'edit' | 'delete'
      readonly previous: number | null
      readonly bot: boolean
      readonly reverted: boolean
      readonly commit: string
    }[]
    readonly latest: string
    readonly older?: string
    readonly newer?: string
    readonly shallow?: boolean
  }
  Authorship: {
    readonly id: number
    readonly key: string
    readonly title: string
    readonly revision: { readonly id: number; readonly timestamp: string }
    readonly words: number
    readonly revisions: readonly {
      readonly id: number
      readonly timestamp: string
      readonly user: { readonly id: number | null; readonly name: string } | null
      readonly comment: string | null
      readonly minor: boolean
      readonly commit: string
      readonly words: number
    }[]
    readonly lines: readonly {
      readonly revision: number | null
      readonly spans: readonly { readonly text: string; readonly revision: number | null }[]
    }[]
    readonly shallow?: boolean
  }
  HistoryCount: { readonly count: number; readonly limit: boolean; readonly shallow?: boolean }
  RevisionSource: {
    readonly id: number
    readonly size: number
    readonly minor: boolean
    readonly timestamp: string
    readonly user: { readonly id: number | null; readonly name: string } | null
    readonly comment: string | null
    readonly delta: number | null
    readonly page: { readonly id: number; readonly key: string; readonly title: string }
    readonly content_model: 'wikitext' | 'markdown' | 'json' | 'css' | 'javascript' | 'text'
    readonly license: { readonly url: string; readonly title: string }
    readonly source: string
  }
  RevisionBare: {
    readonly id: number
    readonly size: number
    readonly minor: boolean
    readonly timestamp: string
    readonly user: { readonly id: number | null; readonly name: string } | null
    readonly comment: string | null
    readonly delta: number | null
    readonly page: { readonly id: number; readonly key: string; readonly title: string }
    readonly content_model: 'wikitext' | 'markdown' | 'json' | 'css' | 'javascript' | 'text'
    readonly license: { readonly url: string; readonly title: string }
    readonly html_url: string
  }
  RevisionWithHtml: {
    readonly id: number
    readonly size: number
    readonly minor: boolean
    readonly timestamp: string
    readonly user: { readonly id: number | null; readonly name: string } | null
    readonly comment: string | null
    readonly delta: number | null
    readonly page: { readonly id: number; readonly key: string; readonly title: string }
    readonly content_model: 'wikitext' | 'markdown' | 'json' | 'css' | 'javascript' | 'text'
    readonly license: { readonly url: string; readonly title: string }
    readonly html: string
  }
  DiffElement: {
    readonly type: number
    readonly lineNumber?: number
    readonly moveInfo?: { readonly id: string; readonly linkId: string; readonly linkDirection: 0 | 1 }
    readonly text: string
    readonly offset: { readonly from: number | null; readonly to: number | null }
    readonly highlightRanges?: readonly { readonly start: number; readonly length: number; readonly type: 0 | 1 }[]
  }
  Comparison: {
    readonly from: {
      readonly id: number
      readonly slot_role: string
      readonly sections: readonly { readonly level: number; readonly heading: string; readonly offset: number }[]
    }
    readonly to: {
      readonly id: number
      readonly slot_role: string
      readonly sections: readonly { readonly level: number; readonly heading: string; readonly offset: number }[]
    }
    readonly diff: readonly Schemas['DiffElement'][]
  }
  File: {
    readonly title: string
    readonly file_description_url: string
    readonly latest: {
      readonly timestamp: string
      readonly user: { readonly id: number | null; readonly name: string | null }
    }
    readonly preferred: {
      readonly mediatype:
        | 'BITMAP'
        | 'DRAWING'
        | 'AUDIO'
        | 'VIDEO'
        | 'MULTIMEDIA'
        | 'UNKNOWN'
        | 'OFFICE'
        | 'TEXT'
        | 'EXECUTABLE'
        | 'ARCHIVE'
        | '3D'
      readonly size: number | null
      readonly width: number | null
      readonly height: number | null
      readonly duration: number | null
      readonly url: string
    }
    readonly thumbnail: {
      readonly mediatype:
        | 'BITMAP'
        | 'DRAWING'
        | 'AUDIO'
        | 'VIDEO'
        | 'MULTIMEDIA'
        | 'UNKNOWN'
        | 'OFFICE'
        | 'TEXT'
        | 'EXECUTABLE'
        | 'ARCHIVE'
        | '3D'
      readonly size: number | null
      readonly width: number | null
      readonly height: number | null
      readonly duration: number | null
      readonly url: string
    }
    readonly original: {
      readonly mediatype:
        | 'BITMAP'
        | 'DRAWING'
        | 'AUDIO'
        | 'VIDEO'
        | 'MULTIMEDIA'
        | 'UNKNOWN'
        | 'OFFICE'
        | 'TEXT'
        | 'EXECUTABLE'
        | 'ARCHIVE'
        | '3D'
      readonly size: number | null
      readonly width: number | null
      readonly height: number | null
      readonly duration: number | null
      readonly url: string
    }
  }
  PageFiles: {
    readonly files: readonly {
      readonly title: string
      readonly file_description_url: string
      readonly latest: {
        readonly timestamp: string
        readonly user: { readonly id: number | null; readonly name: string | null }
      }
      readonly preferred: {
        readonly mediatype:
          | 'BITMAP'
          | 'DRAWING'
          | 'AUDIO'
          | 'VIDEO'
          | 'MULTIMEDIA'
          | 'UNKNOWN'
          | 'OFFICE'
          | 'TEXT'
          | 'EXECUTABLE'
          | 'ARCHIVE'
          | '3D'
        readonly size: number | null
        readonly width: number | null
        readonly height: number | null
        readonly duration: number | null
        readonly url: string
      }
      readonly thumbnail: {
        readonly mediatype:
          | 'BITMAP'
          | 'DRAWING'
          | 'AUDIO'
          | 'VIDEO'
          | 'MULTIMEDIA'
          | 'UNKNOWN'
          | 'OFFICE'
          | 'TEXT'
          | 'EXECUTABLE'
          | 'ARCHIVE'
          | '3D'
        readonly size: number | null
        readonly width: number | null
        readonly height: number | null
        readonly duration: number | null
        readonly url: string
      }
    }[]
  }
  Lint: {
    readonly type: string
    readonly dsr: readonly (number | null)[]
    readonly templateInfo: { readonly name: string } | { readonly multiPartTemplateBlock: true } | null
    readonly params: Readonly<Record<string, unknown>> | readonly string[]
  }
  Session: {
    readonly user: {
      readonly name: string
      readonly bot: boolean
      readonly scopes: readonly ('read' | 'edit' | 'upload' | 'delete' | 'admin')[]
    }
    readonly csrf_token: string | null
  }
}

/** Requests and responses by method and route. */
export interface Routes {
  get: {
    /** Description of the search for browsers */
    '/search': { request: { query?: { ctype?: string | undefined } }; response: string }
    /** Pages whose titles or texts contain the searched words */
    '/search/page': {
      request: { query: { q: string; limit?: number | undefined } }
      response: Schemas['SearchResults']
    }
    /** Pages whose titles start with the typed text */
    '/search/title': {
      request: { query: { q: string; limit?: number | undefined; match?: 'beginning' | 'words' | undefined } }
      response: Schemas['SearchResults']
    }
    /** A page with its source */
    '/page/{title}': {
      request: {
        path: { title: string }
        query?: {
          redirect?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
        }
      }
      response: Schemas['PageSource']
    }
    /** A page without its source */
    '/page/{title}/bare': {
      request: {
        path: { title: string }
        query?: {
          redirect?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
        }
      }
      response: Schemas['PageBare']
    }
    /** A page with its HTML */
    '/page/{title}/with_html': {
      request: {
        path: { title: string }
        query?: {
          redirect?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
          flavor?: 'view' | 'edit' | 'stash' | 'fragment' | undefined
          stash?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
        }
      }
      response: Schemas['PageWithHtml']
    }
    /** The HTML of a page */
    '/page/{title}/html': {
      request: {
        path: { title: string }
        query?: {
          redirect?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
          flavor?: 'view' | 'edit' | 'stash' | 'fragment' | undefined
          stash?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
        }
      }
      response: string
    }
    /** Pages on the same topic in other languages */
    '/page/{title}/links/language': {
      request: { path: { title: string } }
      response: readonly Schemas['PageLanguage'][]
    }
    /** Files that a page shows */
    '/page/{title}/links/media': { request: { path: { title: string } }; response: Schemas['PageFiles'] }
    /** Problems of the wikitext of a page */
    '/page/{title}/lint': {
      request: {
        path: { title: string }
        query?: {
          redirect?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
        }
      }
      response: readonly Schemas['Lint'][]
    }
    /** Metadata of a media file */
    '/file/{title}': { request: { path: { title: string } }; response: Schemas['File'] }
    /** Revisions of a page, newest first: the latest ones, or those around one */
    '/page/{title}/history': {
      request: {
        path: { title: string }
        query?: {
          older_than?: number | undefined
          newer_than?: number | undefined
          filter?: 'anonymous' | 'bot' | 'minor' | 'reverted' | undefined
        }
      }
      response: Schemas['HistorySegment']
    }
    /** The revision that introduced each word of a page; restored text keeps its original one */
    '/page/{title}/authorship': { request: { path: { title: string } }; response: Schemas['Authorship'] }
    /** Number of edits of a kind, or of editors, of a page */
    '/page/{title}/history/counts/{type}': {
      request: {
        path: {
          title: string
          type:
            | 'anonymous'
            | 'bot'
            | 'editors'
            | 'edits'
            | 'minor'
            | 'reverted'
            | 'temporary'
            | 'anonedits'
            | 'botedits'
            | 'revertededits'
        }
        query?: { from?: number | undefined; to?: number | undefined }
      }
      response: Schemas['HistoryCount']
    }
    /** Pages in order of their titles */
    '/pages': {
      request: {
        query?: {
          prefix?: string | undefined
          namespace?: number | undefined
          redirects?: boolean | undefined
          limit?: number | undefined
          after?: string | undefined
        }
      }
      response: {
        readonly pages: readonly {
          readonly id: number
          readonly key: string
          readonly title: string
          readonly latest: { readonly id: number; readonly timestamp: string }
          readonly content_model: 'wikitext' | 'markdown' | 'json' | 'css' | 'javascript' | 'text'
          readonly redirect: string | null
          readonly size: number
        }[]
        readonly next: string | null
      }
    }
    /** Media files in order of their titles */
    '/files': {
      request: { query?: { prefix?: string | undefined; limit?: number | undefined; after?: string | undefined } }
      response: {
        readonly files: readonly {
          readonly title: string
          readonly path: string
          readonly mediatype:
            | 'BITMAP'
            | 'DRAWING'
            | 'AUDIO'
            | 'VIDEO'
            | 'MULTIMEDIA'
            | 'UNKNOWN'
            | 'OFFICE'
            | 'TEXT'
            | 'EXECUTABLE'
            | 'ARCHIVE'
            | '3D'
          readonly mime: string
          readonly size: number
          readonly latest: {
            readonly timestamp: string
            readonly user: { readonly id: number | null; readonly name: string | null }
          }
        }[]
        readonly next: string | null
      }
    }
    /** The latest changes as a feed: of the wiki, a page, a user, or the members of a category */
    '/feed': {
      request: {
        query?: {
          format?: 'atom' | 'json' | 'rss' | undefined
          title?: string | undefined
          user?: string | undefined
          category?: string | undefined
        }
      }
      response: string
    }
    /** Changes of all pages, newest first, in the order in which they reached the branch */
    '/changes': {
      request: {
        query?: {
          limit?: number | undefined
          older_than?: string | undefined
          newer_than?: string | undefined
          user?: string | undefined
          since?: string | undefined
          until?: string | undefined
          title?: string | undefined
          prefix?: string | undefined
          namespace?: number | undefined
          minor?: boolean | undefined
          bot?: boolean | undefined
        }
      }
      response: Schemas['ChangeList']
    }
    /** Pages that link to a title, even if it has no page */
    '/page/{title}/links/here': {
      request: {
        path: { title: string }
        query?: {
          kind?: 'link' | 'redirect' | 'template' | 'file' | 'category' | undefined
          limit?: number | undefined
          after?: string | undefined
        }
      }
      response: {
        readonly links: readonly {
          readonly id: number
          readonly key: string
          readonly title: string
          readonly kind: 'link' | 'redirect' | 'template' | 'file' | 'category'
          readonly redirect: string | null
          readonly through: string | null
        }[]
        readonly total: number
        readonly next: string | null
      }
    }
    /** Pages, files, templates and categories that a page links to */
    '/page/{title}/links/out': {
      request: {
        path: { title: string }
        query?: {
          kind?:
            | 'link'
            | 'redirect'
            | 'template'
            | 'file'
            | 'category'
            | 'section'
            | 'external'
            | 'interwiki'
            | 'language'
            | undefined
          limit?: number | undefined
          after?: string | undefined
        }
      }
      response: {
        readonly links: readonly {
          readonly key: string
          readonly title: string
          readonly kind:
            | 'link'
            | 'redirect'
            | 'template'
            | 'file'
            | 'category'
            | 'section'
            | 'external'
            | 'interwiki'
            | 'language'
          readonly exists: boolean
          readonly through: string | null
        }[]
        readonly total: number
        readonly next: string | null
      }
    }
    /** Members of a category, subcategories first */
    '/category/{name}': {
      request: { path: { name: string }; query?: { limit?: number | undefined; after?: string | undefined } }
      response: {
        readonly key: string
        readonly title: string
        readonly exists: boolean
        readonly members: readonly {
          readonly key: string
          readonly title: string
          readonly kind: 'page' | 'subcategory' | 'file'
          readonly through: string | null
        }[]
        readonly total: number
        readonly next: string | null
      }
    }
    /** Pages and titles by their links: orphaned, wanted, uncategorized and others */
    '/lists/{name}': {
      request: {
        path: {
          name:
            | 'orphans'
            | 'dead-ends'
            | 'wanted'
            | 'wanted-files'
            | 'wanted-templates'
            | 'wanted-categories'
            | 'uncategorized'
            | 'unused-files'
            | 'unused-templates'
            | 'double-redirects'
            | 'broken-redirects'
            | 'most-linked'
            | 'longest'
            | 'shortest'
        }
        query?: { namespace?: number | undefined; limit?: number | undefined; after?: string | undefined }
      }
      response: {
        readonly list: string
        readonly pages: readonly {
          readonly key: string
          readonly title: string
          readonly pages?: number
          readonly bytes?: number
          readonly target?: string
        }[]
        readonly total: number
        readonly next: string | null
      }
    }
    /** A revision without its source */
    '/revision/{id}/bare': { request: { path: { id: number } }; response: Schemas['RevisionBare'] }
    /** A revision with its source */
    '/revision/{id}': { request: { path: { id: number } }; response: Schemas['RevisionSource'] }
    /** The HTML of a revision, with the current templates */
    '/revision/{id}/html': {
      request: {
        path: { id: number }
        query?: {
          flavor?: 'view' | 'edit' | 'stash' | 'fragment' | undefined
          stash?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
        }
      }
      response: string
    }
    /** A revision with its HTML */
    '/revision/{id}/with_html': {
      request: {
        path: { id: number }
        query?: {
          flavor?: 'view' | 'edit' | 'stash' | 'fragment' | undefined
          stash?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
        }
      }
      response: Schemas['RevisionWithHtml']
    }
    /** Problems of the wikitext of a revision */
    '/revision/{id}/lint': { request: { path: { id: number } }; response: readonly Schemas['Lint'][] }
    /** Compare two revisions of a page, line by line */
    '/revision/{from}/compare/{to}': {
      request: { path: { from: number; to: number } }
      response: Schemas['Comparison']
    }
    /** The signed-in user, and the CSRF token that edits with a cookie need */
    '/session': { request: Record<never, never>; response: Schemas['Session'] }
    /** This description */
    '/specs/v0/module/-': { request: Record<never, never>; response: Readonly<Record<string, unknown>> }
    /** This description */
    '/specs/v0/module/content/v1': { request: Record<never, never>; response: Readonly<Record<string, unknown>> }
    /** This description */
    '/openapi.json': { request: Record<never, never>; response: Readonly<Record<string, unknown>> }
    /** The APIs of this wiki */
    '/specs/v0/discovery': { request: Record<never, never>; response: Readonly<Record<string, unknown>> }
  }
  post: {
    /** Create a page */
    '/page': {
      request: {
        body: {
          readonly source: string
          readonly comment: string | null
          readonly content_model?: string | null
          readonly minor?: boolean
          readonly bot?: boolean
          readonly token?: string | null
          readonly title: string
        }
      }
      response: Schemas['PageSource']
    }
    /** Rename a page; it keeps its id and history */
    '/page/{title}/move': {
      request: {
        path: { title: string }
        body: {
          readonly comment?: string | null
          readonly dryRun?: boolean
          readonly token?: string | null
          readonly to: string
          readonly redirect?: boolean
          readonly updateLinks?: boolean
          readonly retitleLinks?: boolean
          readonly latest?: { readonly id: number; readonly timestamp?: string } | null
        }
      }
      response: {
        readonly id: number
        readonly from: { readonly key: string; readonly title: string }
        readonly to: { readonly key: string; readonly title: string }
        readonly redirect: boolean
        readonly replaced: boolean
        readonly latest: number | null
        readonly links?: {
          readonly pages: readonly { readonly key: string; readonly title: string; readonly links: number }[]
          readonly unchanged: readonly { readonly title: string; readonly link: string }[]
          readonly unread: readonly string[]
        }
        readonly patch?: string
      }
    }
    /** Restore a deleted page, with its id and history */
    '/page/{title}/restore': {
      request: {
        path: { title: string }
        body: {
          readonly comment?: string | null
          readonly dryRun?: boolean
          readonly token?: string | null
          readonly revision?: number | null
        }
      }
      response: {
        readonly id: number | null
        readonly key: string
        readonly title: string
        readonly from: number | null
        readonly latest: number | null
        readonly commit: string | null
      }
    }
    /** Undo revisions; later edits stay, merged by words */
    '/page/{title}/undo': {
      request: {
        path: { title: string }
        body: {
          readonly comment?: string | null
          readonly dryRun?: boolean
          readonly token?: string | null
          readonly revision: number
          readonly after?: number | null
          readonly minor?: boolean
          readonly bot?: boolean
        }
      }
      response: {
        readonly changed: boolean
        readonly merged: boolean
        readonly undone: readonly number[]
        readonly comment: string
        readonly page: Schemas['PageSource']
        readonly patch?: string
      }
    }
    /** HTML of an unsaved text */
    '/transform/wikitext/to/html': {
      request: {
        query?: {
          body_only?:
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | undefined
          flavor?: 'view' | 'edit' | 'stash' | 'fragment' | undefined
          stash?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
        }
        body: {
          readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
          readonly contentmodel?: string | null
          readonly body_only?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly stash?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly offsetType?: string | null
          readonly original?: {
            readonly title?: string | null
            readonly revid?: number | string | boolean | null
            readonly etag?: string | null
            readonly renderid?: string | null
            readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly source?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly html?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly contentmodel?: unknown
            readonly 'data-parsoid'?: unknown
            readonly 'data-mw'?: unknown
          } | null
          readonly from?: unknown
          readonly format?: unknown
          readonly updates?: unknown
          readonly previous?: unknown
          readonly 'data-parsoid'?: unknown
          readonly pagelanguage?: unknown
          readonly scrub_wikitext?: unknown
          readonly scrubWikitext?: unknown
          readonly subst?: unknown
        }
      }
      response: string
    }
    /** HTML of an unsaved text */
    '/transform/wikitext/to/html/{title}': {
      request: {
        path: { title: string }
        query?: {
          body_only?:
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | undefined
          flavor?: 'view' | 'edit' | 'stash' | 'fragment' | undefined
          stash?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
        }
        body: {
          readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
          readonly contentmodel?: string | null
          readonly body_only?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly stash?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly offsetType?: string | null
          readonly original?: {
            readonly title?: string | null
            readonly revid?: number | string | boolean | null
            readonly etag?: string | null
            readonly renderid?: string | null
            readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly source?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly html?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly contentmodel?: unknown
            readonly 'data-parsoid'?: unknown
            readonly 'data-mw'?: unknown
          } | null
          readonly from?: unknown
          readonly format?: unknown
          readonly updates?: unknown
          readonly previous?: unknown
          readonly 'data-parsoid'?: unknown
          readonly pagelanguage?: unknown
          readonly scrub_wikitext?: unknown
          readonly scrubWikitext?: unknown
          readonly subst?: unknown
        }
      }
      response: string
    }
    /** HTML of an unsaved text */
    '/transform/wikitext/to/html/{title}/{revision}': {
      request: {
        path: { title: string; revision: string }
        query?: {
          body_only?:
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | undefined
          flavor?: 'view' | 'edit' | 'stash' | 'fragment' | undefined
          stash?: 'no' | 'yes' | 'false' | 'true' | '0' | '1' | 'n' | 'y' | 'f' | 't' | 'off' | 'on' | '' | undefined
        }
        body: {
          readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
          readonly contentmodel?: string | null
          readonly body_only?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly stash?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly offsetType?: string | null
          readonly original?: {
            readonly title?: string | null
            readonly revid?: number | string | boolean | null
            readonly etag?: string | null
            readonly renderid?: string | null
            readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly source?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly html?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly contentmodel?: unknown
            readonly 'data-parsoid'?: unknown
            readonly 'data-mw'?: unknown
          } | null
          readonly from?: unknown
          readonly format?: unknown
          readonly updates?: unknown
          readonly previous?: unknown
          readonly 'data-parsoid'?: unknown
          readonly pagelanguage?: unknown
          readonly scrub_wikitext?: unknown
          readonly scrubWikitext?: unknown
          readonly subst?: unknown
        }
      }
      response: string
    }
    /** Wikitext of HTML; unchanged parts of the original keep their source */
    '/transform/html/to/wikitext': {
      request: {
        body: {
          readonly html: string | number | boolean | { readonly body: string | number | boolean } | null
          readonly original?: {
            readonly title?: string | null
            readonly revid?: number | string | boolean | null
            readonly etag?: string | null
            readonly renderid?: string | null
            readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly source?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly html?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly contentmodel?: unknown
            readonly 'data-parsoid'?: unknown
            readonly 'data-mw'?: unknown
          } | null
          readonly contentmodel?: unknown
          readonly from?: unknown
          readonly format?: unknown
          readonly updates?: unknown
          readonly previous?: unknown
          readonly 'data-parsoid'?: unknown
          readonly pagelanguage?: unknown
          readonly scrub_wikitext?: unknown
          readonly scrubWikitext?: unknown
          readonly subst?: unknown
        }
      }
      response: string
    }
    /** Wikitext of HTML; unchanged parts of the original keep their source */
    '/transform/html/to/wikitext/{title}': {
      request: {
        path: { title: string }
        body: {
          readonly html: string | number | boolean | { readonly body: string | number | boolean } | null
          readonly original?: {
            readonly title?: string | null
            readonly revid?: number | string | boolean | null
            readonly etag?: string | null
            readonly renderid?: string | null
            readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly source?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly html?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly contentmodel?: unknown
            readonly 'data-parsoid'?: unknown
            readonly 'data-mw'?: unknown
          } | null
          readonly contentmodel?: unknown
          readonly from?: unknown
          readonly format?: unknown
          readonly updates?: unknown
          readonly previous?: unknown
          readonly 'data-parsoid'?: unknown
          readonly pagelanguage?: unknown
          readonly scrub_wikitext?: unknown
          readonly scrubWikitext?: unknown
          readonly subst?: unknown
        }
      }
      response: string
    }
    /** Wikitext of HTML; unchanged parts of the original keep their source */
    '/transform/html/to/wikitext/{title}/{revision}': {
      request: {
        path: { title: string; revision: string }
        body: {
          readonly html: string | number | boolean | { readonly body: string | number | boolean } | null
          readonly original?: {
            readonly title?: string | null
            readonly revid?: number | string | boolean | null
            readonly etag?: string | null
            readonly renderid?: string | null
            readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly source?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly html?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly contentmodel?: unknown
            readonly 'data-parsoid'?: unknown
            readonly 'data-mw'?: unknown
          } | null
          readonly contentmodel?: unknown
          readonly from?: unknown
          readonly format?: unknown
          readonly updates?: unknown
          readonly previous?: unknown
          readonly 'data-parsoid'?: unknown
          readonly pagelanguage?: unknown
          readonly scrub_wikitext?: unknown
          readonly scrubWikitext?: unknown
          readonly subst?: unknown
        }
      }
      response: string
    }
    /** Problems of an unsaved text */
    '/transform/wikitext/to/lint': {
      request: {
        query?: { offsetType?: 'byte' | 'char' | 'ucs2' | undefined }
        body: {
          readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
          readonly contentmodel?: string | null
          readonly body_only?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly stash?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly offsetType?: 'byte' | 'char' | 'ucs2' | null
          readonly original?: {
            readonly title?: string | null
            readonly revid?: number | string | boolean | null
            readonly etag?: string | null
            readonly renderid?: string | null
            readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly source?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly html?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly contentmodel?: unknown
            readonly 'data-parsoid'?: unknown
            readonly 'data-mw'?: unknown
          } | null
          readonly from?: unknown
          readonly format?: unknown
          readonly updates?: unknown
          readonly previous?: unknown
          readonly 'data-parsoid'?: unknown
          readonly pagelanguage?: unknown
          readonly scrub_wikitext?: unknown
          readonly scrubWikitext?: unknown
          readonly subst?: unknown
        }
      }
      response: readonly Schemas['Lint'][]
    }
    /** Problems of an unsaved text */
    '/transform/wikitext/to/lint/{title}': {
      request: {
        path: { title: string }
        query?: { offsetType?: 'byte' | 'char' | 'ucs2' | undefined }
        body: {
          readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
          readonly contentmodel?: string | null
          readonly body_only?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly stash?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly offsetType?: 'byte' | 'char' | 'ucs2' | null
          readonly original?: {
            readonly title?: string | null
            readonly revid?: number | string | boolean | null
            readonly etag?: string | null
            readonly renderid?: string | null
            readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly source?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly html?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly contentmodel?: unknown
            readonly 'data-parsoid'?: unknown
            readonly 'data-mw'?: unknown
          } | null
          readonly from?: unknown
          readonly format?: unknown
          readonly updates?: unknown
          readonly previous?: unknown
          readonly 'data-parsoid'?: unknown
          readonly pagelanguage?: unknown
          readonly scrub_wikitext?: unknown
          readonly scrubWikitext?: unknown
          readonly subst?: unknown
        }
      }
      response: readonly Schemas['Lint'][]
    }
    /** Problems of an unsaved text */
    '/transform/wikitext/to/lint/{title}/{revision}': {
      request: {
        path: { title: string; revision: string }
        query?: { offsetType?: 'byte' | 'char' | 'ucs2' | undefined }
        body: {
          readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
          readonly contentmodel?: string | null
          readonly body_only?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly stash?:
            | boolean
            | 0
            | 1
            | 'no'
            | 'yes'
            | 'false'
            | 'true'
            | '0'
            | '1'
            | 'n'
            | 'y'
            | 'f'
            | 't'
            | 'off'
            | 'on'
            | ''
            | null
          readonly offsetType?: 'byte' | 'char' | 'ucs2' | null
          readonly original?: {
            readonly title?: string | null
            readonly revid?: number | string | boolean | null
            readonly etag?: string | null
            readonly renderid?: string | null
            readonly wikitext?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly source?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly html?: string | number | boolean | { readonly body: string | number | boolean } | null
            readonly contentmodel?: unknown
            readonly 'data-parsoid'?: unknown
            readonly 'data-mw'?: unknown
          } | null
          readonly from?: unknown
          readonly format?: unknown
          readonly updates?: unknown
          readonly previous?: unknown
          readonly 'data-parsoid'?: unknown
          readonly pagelanguage?: unknown
          readonly scrub_wikitext?: unknown
          readonly scrubWikitext?: unknown
          readonly subst?: unknown
        }
      }
      response: readonly Schemas['Lint'][]
    }
    /** Merge two texts that are based on a third; nothing is saved */
    '/merge': {
      request: {
        body: {
          readonly base: { readonly id: number } | { readonly title: string } | { readonly text: string }
          readonly mine: { readonly id: number } | { readonly title: string } | { readonly text: string }
          readonly theirs: { readonly id: number } | { readonly title: string } | { readonly text: string }
          readonly by?: 'lines' | 'words' | null
        }
      }
      response: { readonly merged: boolean; readonly conflicts: number; readonly text: string }
    }
    /** Compare two texts, line by line: of revisions, of pages, or unsaved */
    '/compare': {
      request: {
        body: {
          readonly from: { readonly id: number } | { readonly title: string } | { readonly text: string }
          readonly to: { readonly id: number } | { readonly title: string } | { readonly text: string }
        }
      }
      response: Schemas['Comparison']
    }
    /** Begin a session with a token: sets a cookie */
    '/session': { request: { body: { readonly token: string } }; response: Schemas['Session'] }
  }
  put: {
    /** Save a text as the next revision of a page, or as the first one of a new page */
    '/page/{title}': {
      request: {
        path: { title: string }
        body: {
          readonly source: string
          readonly comment: string | null
          readonly content_model?: string | null
          readonly minor?: boolean
          readonly bot?: boolean
          readonly token?: string | null
          readonly latest?: { readonly id: number; readonly timestamp?: string } | null
        }
      }
      response: Schemas['PageSource']
    }
    /** Add a media file, or a new version of one; the body is its bytes */
    '/file/{title}': {
      request: {
        path: { title: string }
        query?: { comment?: string | undefined }
        body: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream
      }
      response: Schemas['File']
    }
  }
  delete: {
    /** Delete a page; its history stays, and it can be restored */
    '/page/{title}': {
      request: {
        path: { title: string }
        body?: {
          readonly comment?: string | null
          readonly dryRun?: boolean
          readonly token?: string | null
          readonly latest?: { readonly id: number; readonly timestamp?: string } | null
        }
      }
      response: {
        readonly deleted: readonly { readonly key: string; readonly title: string }[]
        readonly commit: string | null
      }
    }
    /** Delete a media file with its description page; both can be restored */
    '/file/{title}': {
      request: {
        path: { title: string }
        body?: { readonly comment?: string | null; readonly dryRun?: boolean; readonly token?: string | null }
      }
      response: {
        readonly deleted: readonly { readonly key: string; readonly title: string }[]
        readonly commit: string | null
      }
    }
    /** End the session */
    '/session': { request: Record<never, never>; response: null }
  }
}
