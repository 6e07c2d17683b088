/** `wiki token`: manages access tokens for edits through the server. */

import { scopeNames, usualScopes } from '../../core/scopes.ts'
import type { Token } from '../../operations/tokens.ts'
import type { Command } from '../command.ts'
import { type Column, printList } from '../render/table.ts'
import { shortTime } from '../render/text.ts'

interface CreateValues {
  readonly email?: string
  readonly bot?: boolean
  readonly scope?: string
  readonly expires?: string
}

export const tokenCreate: Command<CreateValues> = {
  summary: 'Create a token for edits through the server; it is shown once',
  details:
    'Clients send it as "Authorization: Bearer <token>". This user becomes the author of the edits made with it.',
  arguments: { '<name>': 'name of the user' },
  options: [
    { flags: '--email <address>', help: "the user's address" },
    {
      flags: '--scope <names>',
      help: `its rights, separated by commas: ${scopeNames.join(', ')} (default: ${usualScopes.join(',')})`,
    },
    { flags: '--bot', help: "mark the edits as a bot's" },
    { flags: '--expires <when>', help: 'last day of validity (2027-01-31) or a number of days (90d); default: no end' },
  ],
  examples: [
    'wiki token create "Ada Example" --email ada@example.org',
    'wiki token create Sweeper --bot --scope edit --expires 90d',
  ],
  async run(context, [name = ''], { email: address, bot, scope, expires }) {
    const { createToken } = await import('../../operations/tokens.ts')
    const made = await createToken(await context.wiki(), {
      ...{ name, address, bot, expires },
      scopes: scope?.split(',').map(part => part.trim()),
    })
    await (context.options.json ? context.printJson(made) : context.print(`${made.token}\n`))
    const until = made.expires === null ? '' : ` until ${shortTime(made.expires)}`
    await context.say(`Token ${made.id} of ${made.name}${until}. Keep it now: it cannot be shown again.`)
  },
}

export const tokenList: Command = {
  summary: 'List the tokens, not their secrets',
  examples: ['wiki token list', 'wiki token list --json'],
  async run(context) {
    const { listTokens } = await import('../../operations/tokens.ts')
    const body = await listTokens(await context.wiki())
    await printList(context, { body, items: body.tokens, columns, none: 'No token' })
  },
}

const columns: readonly Column<Token>[] = [
  { title: 'Id', value: token => token.id },
  { title: 'User', style: 'cyan', value: token => token.name },
  { title: 'Address', value: token => token.address },
  { title: 'Kind', value: token => (token.bot ? 'bot' : 'user') },
  { title: 'Scopes', value: token => token.scopes.join(',') },
  { title: 'Made (UTC)', value: ({ created }) => created, people: ({ created }) => shortTime(created) },
  {
    title: 'Expires (UTC)',
    value: ({ expires }) => expires ?? '',
    people: ({ expires }) => (expires === null ? 'never' : shortTime(expires)),
  },
]

export const tokenRevoke: Command = {
  summary: 'Revoke a token, and end its sessions',
  arguments: { '<id>': 'its id, from wiki token list' },
  examples: ['wiki token revoke 5f0c1a2b'],
  async run(context, [id = '']) {
    const { revokeToken } = await import('../../operations/tokens.ts')
    const revoked = await revokeToken(await context.wiki(), id)
    if (context.options.json) await context.printJson(revoked)
    await context.say(`Revoked token ${revoked.id} of ${revoked.name}`)
  },
}
