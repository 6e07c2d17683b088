/** The version of the program. */

import { shortName } from '../../../operations/access/served-branch.ts'
import { urlPrefix } from '../../addresses.ts'
import { type Content, html } from '../../markup.ts'
import type { WebReply, WebRequest } from '../../request.ts'

/** The MediaWiki release whose REST API and wikitext are implemented. */
const likeMediaWiki = 'MediaWiki 1.43'
const licence = 'MIT'

/** Shows the version. An app embedded in another program may hide it. */
export async function versionPage({ options, words, wiki }: WebRequest): Promise<WebReply> {
  const discovery = `${urlPrefix()}/specs/v0/discovery`
  const entries: readonly (readonly [Content, Content])[] = [
    [words.say('versionProgram'), html`wiki ${options.version ?? ''}`],
    [words.say('settingLicence'), licence],
    [words.say('versionLike'), likeMediaWiki],
    [words.say('versionApi'), html`<a href="${discovery}">${discovery}</a>`],
    [words.say('versionBranch'), html`<bdi><code>${shortName(wiki.store.repository.branch)}</code></bdi>`],
  ]
  const rows = entries.map(([name, value]) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)
  return {
    view: { title: words.text('versionTitle'), body: html`<table class="facts"><tbody>${rows}</tbody></table>` },
  }
}
