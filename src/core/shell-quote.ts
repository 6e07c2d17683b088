/**
 * Names as words of command lines: in hints and messages that a person copies into a shell, and in lists that a program reads. A name is
 * data, whatever its signs are: it stays one word, and is never an option. Source: docs/cli.md, "Names in command lines".
 */

/** Quotes a word if a shell would read something else: the value of an option, or the name of a branch. */
export function shellQuote(word: string): string {
  // zsh reads `=ls` as the path of a program.
  return /^[\w@%+:,./-][\w@%+=:,./-]*$/.test(word) ? word : inShellQuotes(word)
}

/** Quotes a word always: in double quotes, or in single quotes if it contains signs that a shell reads in double ones. */
export function inShellQuotes(word: string): string {
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", "'\\''")}'` : `"${word}"`
}

/** A title as an argument of `wiki`, in quotes. */
export function titleArgument(title: string): string {
  return inShellQuotes(asTitle(title))
}

/** A path as an argument of any program, in quotes. */
export function pathArgument(path: string): string {
  return inShellQuotes(asPath(path))
}

/** A path as an argument of git's that is a pattern, after `--`, in quotes: it matches this path alone. Source: gitglossary(7), "pathspec". */
export function pathspecArgument(path: string): string {
  return inShellQuotes(/^:|[*?[\\]/.test(path) ? `:(literal)${path}` : path)
}

/** Any other name as the last argument of a command, quoted if necessary: after `--` where it would be an option. */
export function lastArgument(name: string): string {
  return name.startsWith('-') ? `-- ${shellQuote(name)}` : shellQuote(name)
}

/** A title that cannot be an option: with a colon before it, as in a link, where it begins with `-`. */
export function asTitle(title: string): string {
  return title.startsWith('-') ? `:${title}` : title
}

/** The name of a media file that cannot be an option: in its namespace where it begins with `-`. */
export function asFileTitle(name: string): string {
  return name.startsWith('-') ? `File:${name}` : name
}

/** A path that cannot be an option, or `-`, which stands for standard input: below `.` where it begins with `-`. */
export function asPath(path: string): string {
  return path.startsWith('-') ? `./${path}` : path
}
