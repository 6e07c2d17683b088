/** `wiki links`: lists the links of a page, and the links to it. */

import type { ListPart } from '../../operations/linking/cursor.ts'
import type { IncomingLink, LinksBody, OutgoingLink, PageLinksQuery } from '../../operations/page-links.ts'
import type { Wiki } from '../../operations/wiki.ts'
import { sharedOptions } from '../arguments/options.ts'
import type { Command } from '../command.ts'
import type { Context } from '../context.ts'
import { type Column, printList } from '../render/table.ts'
import { visibleLine } from '../render/text.ts'

interface Values {
  readonly to?: boolean
  readonly from?: boolean
  readonly kind?: string
  readonly recursive?: boolean
  readonly limit?: string
  readonly nul?: boolean
  readonly exitCode?: boolean
}

export const links: Command<Values> = {
  summary: 'List the links of a page, and the links to it',
  details:
    'Links are found as in rendering: by title, and by path and name as in Markdown wikis. A link in a template is listed with the ' +
    'template; its conditions and arguments are not evaluated. A title without a page has links to it as well.',
  arguments: { '<title>': 'title of the page' },
  options: [
    { flags: '--to', help: 'only pages that link to it' },
    { flags: '--from', help: 'only what it links to' },
    {
      flags: '--kind <kind>',
      help: 'link, redirect, template, file or category; from it also section, external, interwiki or language',
    },
    { flags: '--recursive', help: 'follow links transitively; each page is listed once, with its distance' },
    sharedOptions.limit,
    sharedOptions.nul,
    sharedOptions.exitCode,
  ],
  examples: [
    'wiki links "Fire station"',
    'wiki links "Template:Box" --to --kind template',
    'wiki links Home --from --recursive',
  ],
  completes: 'titles',
  paged: true,
  async run(context, [title = ''], values) {
    const { incomingBody, incomingLinks, leavingKinds, outgoingBody, outgoingLinks } = await import(
      '../../operations/page-links.ts'
    )
    const { linkKinds } = await import('../../operations/linking/table-parts.ts')
    const { boundedInteger, enumParam } = await import('../../operations/resources/params.ts')
    const { pageRoute, partLimit, partRoute } = await import('../../operations/resources/routes.ts')
    const wiki = await context.snapshot()
    const limit =
      values.limit === undefined ? 1_000_000_000 : boundedInteger('limit', values.limit, { min: 1, max: 1_000_000_000 })
    const all = [...linkKinds, ...(values.to ? [] : leavingKinds)]
    const kind = values.kind === undefined ? undefined : enumParam('kind', values.kind, all)
    const into = linkKinds.find(name => name === kind)
    const query: PageLinksQuery = { title, kind: into, depth: values.recursive ? Number.POSITIVE_INFINITY : 1, limit }
    const hasIncoming = (values.to || !values.from) && into === kind
    const here = hasIncoming ? await incomingLinks(wiki, query) : null
    const hasOutgoing = values.from || (!values.to && (await hasPage(wiki, title)))
    const out = hasOutgoing ? await outgoingLinks(wiki, { ...query, kind }) : null
    const rows = [...(here?.members.map(incomingRow) ?? []), ...(out?.members.map(outgoingRow) ?? [])]
    const routeOf = (side: string, { next }: ListPart<unknown>) =>
      partRoute(pageRoute(context.base, title, `/links/${side}`), { kind, limit: partLimit(limit) }, next)
    const bodies = {
      here: here && withDistance(incomingBody(here, routeOf('here', here)), here, values),
      out: out && withDistance(outgoingBody(out, routeOf('out', out)), out, values),
    }
    const body = values.to === values.from ? bodies : values.to ? bodies.here : bodies.out
    const list = { body, items: rows, columns, none: 'No link found' }
    await printList(context, list, { nul: values.nul === true })
    if (rows.length === 0 && values.exitCode) context.answer(1)
    if (rows.length === 0 && !(await hasPage(wiki, title))) await sayMissing(context, wiki, title)
  },
}

/** A mistyped title has no links, and would look like a page without any. */
async function sayMissing(context: Context, { store }: Wiki, title: string): Promise<void> {
  const { nearTitle } = await import('../../operations/resources/near-title.ts')
  const near = nearTitle(store, title)
  const hint = near === undefined ? '' : `. Did you mean: ${visibleLine(near)}`
  await context.say(`There is no page "${visibleLine(title)}", and no link to it${hint}`)
}

/** Only links that are followed further have a distance; the API lists a page's own. */
function withDistance<Link>(
  body: LinksBody<Link>,
  { members }: ListPart<{ readonly distance: number }>,
  { recursive = false }: Pick<Values, 'recursive'>,
): LinksBody<Link> {
  if (!recursive) return body
  return { ...body, links: body.links.map((link, at) => ({ ...link, distance: members[at]!.distance })) }
}

/** A link in either direction. */
interface Row {
  readonly direction: 'to' | 'from'
  readonly key: string
  readonly title: string
  readonly kind: string
  readonly exists: boolean
  readonly redirect: string | null
  readonly through: string | null
  readonly distance: number
}

function incomingRow({ key, title, kind, redirect, through, distance }: IncomingLink): Row {
  return { direction: 'to', key, title, kind, exists: true, redirect, through, distance }
}

function outgoingRow({ key, title, kind, exists, through, distance }: OutgoingLink): Row {
  return { direction: 'from', key, title, kind, exists, redirect: null, through, distance }
}

/** A title without a page only has links to it. */
async function hasPage({ store }: Wiki, title: string): Promise<boolean> {
  const { writtenTitle } = await import('../../operations/resources/find-page.ts')
  return store.findPage(writtenTitle(store, title).key) !== undefined
}

const columns: readonly Column<Row>[] = [
  { title: '', value: ({ direction }) => direction, people: ({ direction }) => (direction === 'to' ? '←' : '→') },
  { title: 'Title', names: 'title', value: ({ title }) => title, least: 20 },
  { title: 'Kind', style: 'dim', value: ({ kind }) => kind },
  { title: 'Distance', align: 'right', style: 'dim', value: ({ distance }) => String(distance), leaves: 2 },
  { title: 'By', names: 'title', style: 'dim', value: ({ redirect, through }) => redirect ?? through ?? '', leaves: 1 },
  { title: '', style: 'red', value: ({ exists }) => (exists ? '' : 'missing') },
]
