/** Help topics, which belong to no single command. */

interface Topic {
  readonly summary: string
  readonly text: string
}

/** Name, as in `wiki help <name>`, to text. */
export const topics: Readonly<Record<string, Topic>> = {
  environment: {
    summary: 'variables that wiki reads',
    text: `Environment variables

  WIKI_DIR            the wiki to use, as --dir
  WIKI_BASE_URL       root of the API in links, as --base-url
  WIKI_PAGER, PAGER   shows long output on a terminal (default: less, with LESS=FRX)
  WIKI_EDITOR, GIT_EDITOR, VISUAL, EDITOR
                      opens the text of page create and page edit; git's setting
                      core.editor comes before VISUAL
  BROWSER             the program that serve --open starts
  NO_COLOR            no colours
  FORCE_COLOR         colours even if the output is not a terminal
  TERM                "dumb" means no colours and no pager
  GIT_AUTHOR_NAME, GIT_AUTHOR_EMAIL
                      author of edits, if --user is not given (then: git config)
  WIKI_DEBUG          1 shows the stack of a failure

An option wins over the environment, the environment over wiki.json.
`,
  },
  'exit-codes': {
    summary: 'what the exit status means',
    text: `Exit codes

    0   success; or the result is "no difference", "no findings"
    1   the result of a check is negative: compare differs, check found something,
        a command with --exit-code found nothing (search, page list, history) or
        something pending (status)
    2   failure: wrong usage, bad value, not found, read or write failure
    3   conflict with another edit; nothing was written
   70   a bug in wiki
  130   interrupted (serve ends with 0)

The status depends on the result alone, never on --json, -q or the terminal.
A reader that stops early (wiki history X | head -1) is not a failure.
`,
  },
  revisions: {
    summary: 'how to name a revision',
    text: `Revisions

  42                       id of a revision
  mw:6209                  id that an imported revision had in MediaWiki
  3f2a91c                  commit, 7 hex digits or more
  commit:1234567           the same, where all the digits are decimal
  "Main Page@latest"       latest revision of a page
  "Main Page@prev"         the one before
  "Main Page@prev~2"       two before that one
  "Main Page@{yesterday}"  last one before that time: 2026-01-31, "2026-01-31 12:00",
                           "3 days ago"; UTC where no zone is given
  "Main Page@42", "Main Page@3f2a91c"
                           the same as 42 and 3f2a91c, and refused if of another page
  "Main Page@work"         the file in the work tree (compare only)
  "Main Page"              the latest revision, or Main_Page.wiki, its file (compare only)

Where a command names the page already, the @ is enough: wiki page get "Main Page" --at @prev

Example:
  $ wiki compare "Main Page@prev" "Main Page@latest"
`,
  },
  json: {
    summary: 'output for programs',
    text: `JSON and other output for programs

  --json     the object that the REST API returns for the same, on one line
  --jsonl    lists: one JSON object per line
  -z         lists: names alone, each ended by NUL

A failure with --json prints one line on stderr and nothing on stdout:
  {"errorKey":"rest-nonexistent-title","message":"...","httpCode":404}

A limit that cuts a list leaves "next", the route of the next part. What the
API does not return, such as paths and the number of all pages, is on stderr.
"wiki links" without --to and --from has both objects, "here" and "out", and
"wiki lint" of anything but one page {"texts":[...],"total":2}.

Without these, a list that goes to a pipe or a file has one record per line, its
fields separated by tabs, untruncated, without a heading, times in ISO 8601.

Example:
  $ wiki history "Main Page" --json | jq '.revisions[].id'
`,
  },
}
