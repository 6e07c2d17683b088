/** Reference pages that are made from the product's tables: `npx vitest run test/reference.test.ts -u` writes them. */

import { globalOptions, type OptionRow } from '../src/cli/arguments/options.ts'
import type { Command } from '../src/cli/command.ts'
import { commandTree, isGroup, type Loader } from '../src/cli/commands.ts'
import { topics } from '../src/cli/topics.ts'
import { errorTable } from '../src/core/errors.ts'

const generated = '`npx vitest run test/reference.test.ts -u` writes this page from the tables of the source.'

/** Returns `docs/reference/commands.md`. */
export async function commandsPage(): Promise<string> {
  const parts = ['# Commands', generated]
  for (const [name, load] of loaders()) parts.push(...commandSection(name, await load()))
  parts.push('## Options of every command', ...optionList(Object.values<OptionRow>(globalOptions)))
  for (const { text } of Object.values(topics)) {
    const [heading = '', ...lines] = text.trimEnd().split('\n')
    parts.push(`## ${heading}`, block(lines.join('\n').replace(/^\n+/, '')))
  }
  return `${parts.join('\n\n')}\n`
}

function loaders(): [string, Loader][] {
  return Object.entries(commandTree).flatMap(([word, entry]): [string, Loader][] =>
    isGroup(entry) ? Object.entries(entry.commands).map(([name, load]) => [`${word} ${name}`, load]) : [[word, entry]],
  )
}

function commandSection(
  name: string,
  { summary, details, arguments: notations = {}, options = [], examples }: Command,
) {
  const usage = ['wiki', name, ...(options.length > 0 ? ['[options]'] : []), ...Object.keys(notations)].join(' ')
  const rows = Object.entries(notations).map(([notation, help]) => `- \`${notation}\`: ${inline(help)}`)
  return [
    `## wiki ${name}`,
    `${inline(summary)}.`,
    ...(details === undefined ? [] : [inline(details)]),
    block(usage),
    ...(rows.length > 0 ? [rows.join('\n')] : []),
    ...optionList(options),
    ...(examples.length > 0 ? [block(examples.map(line => `$ ${line}`).join('\n'))] : []),
  ]
}

function optionList(options: readonly OptionRow[]): string[] {
  if (options.length === 0) return []
  const rows = options.map(({ flags, help, choices }) => {
    const allowed = choices === undefined ? '' : ` (${choices.map(choice => `\`${choice}\``).join(', ')})`
    return `- \`${flags}\`: ${inline(help)}${allowed}`
  })
  return [rows.join('\n')]
}

/** Returns `docs/reference/errors.md`. */
export function errorsPage(): string {
  const rows = Object.entries(errorTable).map(([key, { status, text }]) => `| \`${key}\` | ${status} | ${cell(text)} |`)
  return `# Errors

${generated}

Every error has a key, which stays, and a sentence, which may change. Over HTTP the body is
\`{"errorKey": ..., "messageTranslations": {"en": ...}, "httpCode": ..., "httpReason": ...}\`. On the command line the sentence goes to stderr with a hint,
or with \`--json\` as \`{"errorKey": ..., "message": ..., "httpCode": ...}\`. The exit status is 3 for a 409, 2 for the others, 70 for a bug. Keys without \`wiki-\`
are MediaWiki's. \`$1\` and \`$2\` stand for values of the case, such as a title.

| key | status | sentence |
|---|---:|---|
${rows.join('\n')}
`
}

function block(text: string): string {
  return `\`\`\`text\n${text}\n\`\`\``
}

/** Angle brackets would be HTML outside of code. */
function inline(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll('*', '\\*')
}

function cell(text: string): string {
  return inline(text).replaceAll('|', '\\|')
}
