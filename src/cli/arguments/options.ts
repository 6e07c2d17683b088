/** Options with the same meaning in every command, each defined once. */

/** One option. */
export interface OptionRow {
  /** Commander's notation. */
  readonly flags: string
  readonly help: string
  /** Allowed values; any other is a usage error. */
  readonly choices?: readonly string[]
  /** True if the option may be repeated, so that its value is a list. */
  readonly repeats?: true
  /** Values offered by shell completion. */
  readonly offers?: readonly string[]
}

/** Options that every command accepts. */
export const globalOptions = {
  dir: { flags: '-C, --dir <path>', help: 'the wiki to use (default: search upwards from here)' },
  json: { flags: '--json', help: 'print the JSON object of the REST API' },
  jsonl: { flags: '--jsonl', help: 'print lists as one JSON object per line' },
  color: { flags: '--color <when>', help: 'use colours', choices: ['auto', 'always', 'never'] },
  pager: { flags: '--no-pager', help: 'write straight to the terminal' },
  quiet: { flags: '-q, --quiet', help: 'print no messages on stderr' },
  input: { flags: '--no-input', help: 'never prompt and never open an editor' },
  yes: { flags: '--yes', help: 'answer every question with yes' },
} as const satisfies Record<string, OptionRow>

/** Options that several commands share, with one name and one meaning. */
export const sharedOptions = {
  limit: { flags: '-n, --limit <n>', help: 'at most this many' },
  output: { flags: '-o, --output <file>', help: 'write the result to a file' },
  file: { flags: '-f, --file <file>', help: 'read the text from a file (- is stdin)' },
  comment: { flags: '-m, --comment <text>', help: 'edit summary' },
  minor: { flags: '--minor', help: 'mark as a minor edit' },
  allowEmpty: { flags: '--allow-empty', help: 'save the text even if it is empty' },
  dryRun: { flags: '--dry-run', help: 'show the changes without making them' },
  exitCode: { flags: '--exit-code', help: 'exit with 1 if the result is empty or negative' },
  nul: { flags: '-z, --nul', help: 'titles only, each followed by NUL (for xargs -0)' },
  noVerify: { flags: '--no-verify', help: 'run no pre-commit and commit-msg hooks' },
  author: { flags: '--author <name>', help: 'only changes by users whose name contains this, in any case' },
  since: { flags: '--since <date>', help: 'only changes since then: 2026-01-31, yesterday, "3 days ago"' },
  until: { flags: '--until <date>', help: 'only changes until then; a day counts to its end' },
  date: { flags: '--date <form>', help: 'how times are shown', choices: ['auto', 'relative', 'local', 'utc', 'iso'] },
  hash: { flags: '--hash', help: 'show the commit of each change' },
  user: { flags: '--user <name-and-address>', help: 'author of the edit: "Name <address>" (default: from git)' },
  baseUrl: { flags: '--base-url <url>', help: 'root of the API in links (default: http://127.0.0.1:8080/v1)' },
} as const satisfies Record<string, OptionRow>

/** Values of the global options, as commander names them. */
export interface GlobalOptions {
  readonly dir?: string
  readonly json?: boolean
  readonly jsonl?: boolean
  readonly color?: 'auto' | 'always' | 'never'
  readonly pager: boolean
  readonly quiet?: boolean
  readonly input: boolean
  readonly yes?: boolean
  readonly baseUrl?: string
  /** Branch to use instead of HEAD's; only `wiki serve` takes it. */
  readonly branch?: string
  /** False with `--no-verify`. */
  readonly verify?: boolean
  /** Options of `wiki serve`. */
  readonly hooks?: boolean
  readonly sign?: boolean
  readonly memory?: string
}

/** Returns true if an option that may precede the command's name takes a value; undefined for any other word. */
export function leadingTakesValue(flag: string): boolean | undefined {
  const rows: readonly OptionRow[] = [...Object.values(globalOptions), ...Object.values(sharedOptions)]
  return rows.find(({ flags }) => flagNames(flags).includes(flag))?.flags.includes('<')
}

/** `-C, --dir <path>` → `['-C', '--dir']` */
export function flagNames(flags: string): string[] {
  return flags.split(/[ ,]+/).filter(word => word.startsWith('-'))
}
