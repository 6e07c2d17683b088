/** Spellings of links that users of other wikis know, from their documentation: every part of the product reads them alike. */

import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { checkChange } from '../../src/operations/check-change.ts'
import { movePage } from '../../src/operations/move-page.ts'
import { outgoingLinks } from '../../src/operations/page-links.ts'
import { readPage } from '../../src/operations/read-page.ts'
import { renderPage } from '../../src/operations/render-page.ts'
import { oneIn } from '../_rounds.ts'
import { hasGit, needsGit } from '../_setup.ts'
import { ada, commitFiles, newWiki } from './_wiki.ts'

beforeEach(context => needsGit(context))

interface Repository {
  readonly files: readonly string[]
  /** Texts of files that are longer than a word. */
  readonly texts?: Readonly<Record<string, string>>
  /** The page with the links, their source, and the expected address. */
  readonly links: readonly (readonly [from: string, written: string, address: string])[]
}

const repositories: Readonly<Record<string, Repository>> = {
  // Source: https://github.com/gollum/gollum/wiki, https://docs.github.com/en/communities/documenting-your-project-with-wikis
  Gollum: {
    files: [
      'Home.md',
      '_Sidebar.md',
      'Getting-Started-v1.md',
      'guide/Deep-Page.md',
      'guide/_Sidebar.md',
      'guide/Old-Page.rst',
      'guide/Notes.org.md',
      'Both.adoc',
      'deep/Both.md',
      'images/x.png',
      'Text.mediawiki',
    ],
    links: [
      ['Home.md', '[[Getting Started v1]]', 'Getting-Started-v1'],
      ['Home.md', '[[getting-started_v1]]', 'Getting-Started-v1'],
      ['Home.md', '[[Begin here|Getting-Started-v1]]', 'Getting-Started-v1'],
      ['Home.md', '[[Begin here|Getting Started v1#first-steps]]', 'Getting-Started-v1#first-steps'],
      ['Home.md', '[begin](Getting-Started-v1)', 'Getting-Started-v1'],
      ['Home.md', '[begin](Getting-Started-v1#first-steps)', 'Getting-Started-v1#first-steps'],
      ['Home.md', '[begin](./Getting-Started-v1.md)', 'Getting-Started-v1'],
      ['Home.md', '[begin](../wiki/Getting-Started-v1)', 'Getting-Started-v1'],
      ['Home.md', '[begin](/owner/project/wiki/Getting-Started-v1)', 'Getting-Started-v1'],
      ['Home.md', '[[Deep Page]]', 'Guide/Deep-Page'],
      ['Home.md', '[[Old Page]]', 'Guide/Old-Page.rst'],
      ['guide/Deep-Page.md', '[old](Old-Page)', 'Guide/Old-Page.rst'],
      ['Home.md', '[[guide/Old-Page.rst]]', 'Guide/Old-Page.rst'],
      ['Home.md', '[[Notes.org]]', 'Guide/Notes.org'],
      ['Home.md', '[[Both]]', 'Deep/Both'],
      ['guide/_Sidebar.md', '[[Home]]', 'Home'],
      ['guide/_Sidebar.md', '[deep](Deep-Page)', 'Guide/Deep-Page'],
      ['guide/Deep-Page.md', '[[/Home]]', 'Home'],
      ['Home.md', '[[/images/x.png]]', 'File:Images/x.png'],
      ['guide/Deep-Page.md', '[[images/x.png|width=40px|alt=An x]]', 'File:Images/x.png'],
      ['Home.md', '[[x.png|frame|align=right]]', 'File:Images/x.png'],
      ['guide/Deep-Page.md', '![x](images/x.png)', 'File:Images/x.png'],
      ['Home.md', '<img src="images/x.png" width="20">', 'File:Images/x.png'],
      ['Home.md', '[[Begin|#part]]', 'Home#part'],
      ['Home.md', '[[here|Getting Started v1]]', 'Getting-Started-v1'],
      ['Home.md', '[[here|Deep Page]]', 'Guide/Deep-Page'],
      ['Home.md', '[[here|Deep Page#part]]', 'Guide/Deep-Page#part'],
      ['Text.mediawiki', '[[File:images/x.png]]', 'File:Images/x.png'],
      ['Text.mediawiki', '[[images/x.png]]', 'File:Images/x.png'],
      ['Text.mediawiki', '[[Getting Started v1|begin]]', 'Getting-Started-v1'],
    ],
  },
  // Source: https://docs.github.com/en/repositories/managing-your-repositorys-settings-and-features/customizing-your-repository/about-readmes
  GitHub: {
    files: [
      'README.md',
      'docs/x.md',
      'docs/deep/README.md',
      'a.mediawiki',
      'bip-0340.mediawiki',
      'LICENSE',
      'src/run.py',
      'docs/p.svg',
    ],
    links: [
      ['README.md', '[x](docs/x.md#heading)', 'Docs/x#heading'],
      ['README.md', '[x](/docs/x.md)', 'Docs/x'],
      ['docs/deep/README.md', '[x](../x.md)', 'Docs/x'],
      ['docs/x.md', '[x](deep/)', 'Docs/deep/README'],
      ['docs/x.md', '[x](deep)', 'Docs/deep/README'],
      ['docs/x.md', '[x][1]\n\n[1]: ../README.md "Read"', 'README'],
      ['README.md', '[x](LICENSE)', 'Special:RepositoryFile/LICENSE'],
      ['docs/x.md', '[x](../src/run.py)', 'Special:RepositoryFile/src/run.py'],
      ['docs/x.md', '[x](../src)', 'Special:PrefixIndex/src/'],
      ['README.md', '<a href="docs/x.md">x</a>', 'Docs/x'],
      ['README.md', '<img src="docs/p.svg">', 'File:Docs/p.svg'],
      ['a.mediawiki', '[[bip-0340.mediawiki|340]]', 'Bip-0340'],
      ['a.mediawiki', '[[docs/x.md#heading|x]]', 'Docs/x#heading'],
      ['a.mediawiki', '[[src/run.py]]', 'Special:RepositoryFile/src/run.py'],
    ],
  },
  // Source: https://help.obsidian.md/links, https://help.obsidian.md/embeds, https://help.obsidian.md/aliases
  Obsidian: {
    files: [
      'index.md',
      'sea/Low tide.md',
      'sea/deep/Spring tide.md',
      'attachments/map one.png',
      'harbour.md',
      'x.canvas',
    ],
    texts: { 'harbour.md': '---\naliases: [Port, "The haven"]\n---\ntext\n' },
    links: [
      ['index.md', '[[Low tide]]', 'Sea/Low_tide'],
      ['index.md', '[[low tide|ebb]]', 'Sea/Low_tide'],
      ['index.md', '[[sea/Low tide.md]]', 'Sea/Low_tide'],
      ['index.md', '[[Spring tide#When it comes#At night]]', 'Sea/deep/Spring_tide#at-night'],
      ['index.md', '| a | b |\n|---|---|\n| [[Spring tide\\|st]] | x |', 'Sea/deep/Spring_tide'],
      ['sea/Low tide.md', '[[Port]]', 'Harbour'],
      ['sea/Low tide.md', '[[the haven|there]]', 'Harbour'],
      ['index.md', '![[Low tide]]', 'Sea/Low_tide'],
      ['index.md', '![[map one.png|200]]', 'File:Attachments/map_one.png'],
      ['sea/Low tide.md', '![[attachments/map one.png|200x100]]', 'File:Attachments/map_one.png'],
      ['index.md', '![map](attachments/map%20one.png)', 'File:Attachments/map_one.png'],
      ['index.md', '[ebb](sea/Low%20tide.md#Part)', 'Sea/Low_tide#Part'],
      ['index.md', '[ebb](<sea/Low tide.md>)', 'Sea/Low_tide'],
      ['index.md', '[[#Some heading]]', 'Index#some-heading'],
      ['index.md', '[[x.canvas]]', 'Special:RepositoryFile/x.canvas'],
    ],
  },
  // Source: https://wiki.dendron.so/notes/3472226a-ff3c-432d-bf5d-10926f39f6c2, https://foambubble.github.io/foam/user/features/wikilinks
  'Dendron and Foam': {
    files: ['root.md', 'db.redis.md', 'db.redis.start.md', 'notes/inbox.md'],
    texts: { 'db.redis.md': '---\nid: abc\ntitle: Redis store\n---\ntext\n' },
    links: [
      ['root.md', '[[db.redis]]', 'Db.redis'],
      ['root.md', '[[The store|db.redis]]', 'Db.redis'],
      ['root.md', '[[The start|db.redis.start#first]]', 'Db.redis.start#first'],
      ['root.md', '[[Redis store]]', 'Db.redis'],
      ['root.md', '![[db.redis.start]]', 'Db.redis.start'],
      ['root.md', '[[inbox]]\n\n[inbox]: notes/inbox.md "Inbox"', 'Notes/inbox'],
    ],
  },
  // Source: https://docs.logseq.com
  Logseq: {
    files: ['pages/contents.md', 'pages/sea___low tide.md', 'pages/word.md', 'journals/2024_01_05.md'],
    texts: { 'pages/word.md': 'title:: The Word\nalias:: second name, third name\ntags:: a\n\n- text\n' },
    links: [
      ['pages/contents.md', '- [[sea/low tide]]', 'Pages/sea_low_tide'],
      ['journals/2024_01_05.md', '- [[Sea/Low tide|ebb]]', 'Pages/sea_low_tide'],
      ['pages/contents.md', '- [[The Word]]', 'Pages/word'],
      ['journals/2024_01_05.md', '- TODO [[third name]]', 'Pages/word'],
      ['pages/contents.md', '- [[2024-01-05]]', 'Journals/2024_01_05'],
    ],
  },
  // Source: https://docs.requarks.io/en/editors/markdown
  'Wiki.js': {
    files: ['home.md', 'install/linux.md', 'de/home.md', 'de/install/linux.md', 'dir/x.png'],
    links: [
      ['home.md', '[t](/en/install/linux)', 'Install/linux'],
      ['home.md', '[t](/install/linux#step-1)', 'Install/linux#step-1'],
      ['home.md', '[t](/de/install/linux)', 'De/install/linux'],
      ['install/linux.md', '[t](/home)', 'Home'],
      ['de/install/linux.md', '[t](/de/home)', 'De/home'],
      ['install/linux.md', '![x](/dir/x.png =20x)', 'File:Dir/x.png'],
      ['install/linux.md', '![x](/dir/x.png =20x30)', 'File:Dir/x.png'],
    ],
  },
  // Source: https://docs.gitlab.com/user/project/wiki/markdown, https://learn.microsoft.com/azure/devops/project/wiki/markdown-guidance
  'GitLab and Azure': {
    files: [
      'home.md',
      'Release-notes.md',
      'Team/Foo%2DBar.md',
      'Team/On-call.md',
      'uploads/1/a.png',
      '.attachments/b-1.png',
      '.order',
    ],
    links: [
      ['home.md', '[t](Release-notes)', 'Release-notes'],
      ['home.md', '[[Release notes]]', 'Release-notes'],
      ['home.md', '[[News|Release-notes]]', 'Release-notes'],
      ['Team/On-call.md', '[t](/Release-notes)', 'Release-notes'],
      ['Team/On-call.md', '[t](/Release%20notes)', 'Release-notes'],
      ['Team/On-call.md', '[t](../Release-notes)', 'Release-notes'],
      ['home.md', '[t](Team/On-call)', 'Team/On-call'],
      ['home.md', '[t](/Team/Foo%2DBar)', 'Team/Foo-Bar'],
      ['home.md', '[t](/Team/Foo%2DBar.md)', 'Team/Foo-Bar'],
      ['Team/On-call.md', '![a](uploads/1/a.png)', 'File:Uploads/1/a.png'],
      ['Team/On-call.md', '![b](/.attachments/b-1.png =500x250)', 'File:.attachments/b-1.png'],
      ['home.md', '[[_TOC_]] [t](./Team/On-call.md)', 'Team/On-call'],
    ],
  },
  // Source: https://jekyllrb.com/docs/liquid/tags/#links, https://gohugo.io/shortcodes/relref/
  'sites of Jekyll and Hugo': {
    files: ['index.md', '_posts/2020-01-02-first.md', 'docs/usage.md', 'help.md', 'img/a.png', 'content/docs/a b.md'],
    texts: { 'help.md': '---\npermalink: /how/to/\nredirect_from: /old.html\n---\n## Part\n' },
    links: [
      ['index.md', '[t]({% link docs/usage.md %})', 'Docs/usage'],
      ['index.md', '[*t*]({{ site.baseurl }}{% link docs/usage.md %}#part)', 'Docs/usage#part'],
      ['index.md', '[t]({%- link docs/usage.md -%})', 'Docs/usage'],
      ['index.md', '[t]({{ site.baseurl }}{% post_url 2020-01-02-first %})', 'Posts/2020-01-02-first'],
      ['docs/usage.md', '[t]({{ site.url }}{{ site.baseurl }}/help.html "Help")', 'Help'],
      ['docs/usage.md', '[t]({{site.baseurl}}/help)', 'Help'],
      ['docs/usage.md', "[t]({{ '/help' | relative_url }})", 'Help'],
      ['docs/usage.md', '![a]({{ "/img/a.png" | absolute_url }})', 'File:Img/a.png'],
      ['docs/usage.md', '[![a]({{ site.baseurl }}/img/a.png)]({% link help.md %})', 'Help'],
      ['docs/usage.md', '<img src="{{ site.baseurl }}/img/a.png">', 'File:Img/a.png'],
      ['docs/usage.md', '<a href="{{ site.baseurl }}/help/">x</a>', 'Help'],
      ['docs/usage.md', '[t](/how/to/#part)', 'Help#part'],
      ['docs/usage.md', '[t](/old.html)', 'Help'],
      ['docs/usage.md', '[t](/2020/01/02/first.html#part)', 'Posts/2020-01-02-first#part'],
      ['docs/usage.md', '[t]({{ site.baseurl }}/news/2020/01/02/first/)', 'Posts/2020-01-02-first'],
      ['index.md', '[t]({{< relref "/docs/a b.md#part" >}})', 'Content/docs/a_b#part'],
      ['index.md', '[t]({{% ref "a b" %}}#part)', 'Content/docs/a_b#part'],
      ['content/docs/a b.md', '[t]({{< ref "/docs/a b" >}}) [u]({{ page.url }})', 'Content/docs/a_b'],
    ],
  },
  // Source: https://www.mkdocs.org/user-guide/writing-your-docs, https://docusaurus.io/docs/markdown-features/links, https://rust-lang.github.io/mdBook
  'folders of documents': {
    files: ['docs/index.md', 'docs/guide/intro.md', 'docs/guide/index.md', 'docs/img/a.png', 'docs/SUMMARY.md'],
    texts: { 'docs/guide/intro.md': '# Long heading {#short}\n\n## Why? { #why .big }\n\n## How? {: #how}\n' },
    links: [
      ['docs/index.md', '[t](guide/intro.md#short)', 'Docs/guide/intro#short'],
      ['docs/index.md', '[t](guide/intro.md#why) [u](guide/intro.md#how)', 'Docs/guide/intro#how'],
      ['docs/index.md', '[t](guide/)', 'Docs/guide/index'],
      ['docs/index.md', '[t](/guide/intro.html)', 'Docs/guide/intro'],
      ['docs/guide/intro.md', '[t](/guide/index.md)', 'Docs/guide/index'],
      ['docs/guide/intro.md', '[t](/guide)', 'Docs/guide/index'],
      ['docs/index.md', '[t](@site/docs/guide/intro.md)', 'Docs/guide/intro'],
      ['docs/SUMMARY.md', '[t](./guide/intro.html)', 'Docs/guide/intro'],
      ['docs/guide/intro.md', '![a](../img/a.png)', 'File:Docs/img/a.png'],
      ['docs/guide/intro.md', '[t](../index.md?plain=1)', 'Docs/index'],
    ],
  },
  // Source: https://docusaurus.io/docs/markdown-features/links, https://docusaurus.io/docs/sidebar/autogenerated
  Docusaurus: {
    files: [
      'docs/guide/usage.md',
      'docs/intro.md',
      'docs/guide/install.mdx',
      'docs/02-api/01-rest.md',
      'blog/2023-03-04-second.md',
      'blog/2024-01-02-hello/index.md',
    ],
    texts: {
      'docs/intro.md': '---\nid: start\nslug: /\n---\ntext\n',
      'docs/guide/install.mdx': '---\nid: installing\nslug: /get-started\n---\n## One {#one}\n',
      'docs/guide/usage.md': '---\nslug: use-it\n---\n## Part\n',
      'blog/2024-01-02-hello/index.md': '---\nslug: hello\n---\n',
    },
    links: [
      ['docs/intro.md', '[t](./guide/install.mdx#one)', 'Docs/guide/install#one'],
      ['docs/guide/usage.md', '[t](install)', 'Docs/guide/install'],
      ['docs/guide/usage.md', '[t](/docs/get-started)', 'Docs/guide/install'],
      ['docs/guide/usage.md', '[t](/get-started#one)', 'Docs/guide/install#one'],
      ['docs/intro.md', '[t](/docs/guide/installing)', 'Docs/guide/install'],
      ['docs/intro.md', '[t](/docs/guide/use-it#part)', 'Docs/guide/usage#part'],
      ['docs/intro.md', '[t](guide/use-it)', 'Docs/guide/usage'],
      ['docs/guide/usage.md', '[t](/docs)', 'Docs/intro'],
      ['docs/guide/usage.md', '[t](/docs/start)', 'Docs/intro'],
      ['docs/guide/usage.md', '[t](../api/rest)', 'Docs/02-api/01-rest'],
      ['docs/intro.md', '[t](/docs/api/rest)', 'Docs/02-api/01-rest'],
      ['docs/intro.md', '[t](/blog/hello)', 'Blog/2024-01-02-hello/index'],
      ['docs/intro.md', '[t](/blog/2023/03/04/second)', 'Blog/2023-03-04-second'],
      ['docs/intro.md', ':::tip[Title]\n\n[t](guide/usage.md)\n\n:::', 'Docs/guide/usage'],
    ],
  },
  // Source: https://gohugo.io/shortcodes/ref, https://gohugo.io/content-management/urls
  Hugo: {
    files: [
      'content/docs/install.md',
      'content/docs/_index.md',
      'content/docs/deploy/index.md',
      'content/posts/first.md',
    ],
    texts: { 'content/posts/first.md': '+++\nslug = "my-first"\n+++\n' },
    links: [
      ['content/docs/install.md', '[t]({{< ref "#part" >}})', 'Content/docs/install#part'],
      ['content/docs/install.md', '[t]({{< ref "/docs" >}})', 'Content/docs/_index'],
      ['content/docs/install.md', '[t](../deploy/)', 'Content/docs/deploy/index'],
      ['content/docs/install.md', '[t](/posts/my-first/)', 'Content/posts/first'],
    ],
  },
  // Source: https://squidfunk.github.io/mkdocs-material/reference/admonitions, https://python-markdown.github.io/extensions/toc
  MkDocs: {
    files: ['docs/guide.md', 'docs/index.md', 'docs/about/license.md'],
    links: [
      ['docs/index.md', '!!! note "See"\n\n    text\n\n    [t](guide.md)', 'Docs/guide'],
      ['docs/index.md', '??? tip\n    - [t](about/license.md#part)', 'Docs/about/license#part'],
      ['docs/index.md', '=== "Tab"\n\n    !!! note\n\n        [t](guide.md)', 'Docs/guide'],
      ['docs/index.md', '[TOC]\n\n[[toc]] [t](guide.md)', 'Docs/guide'],
      ['docs/guide.md', '[t](../about/license/)', 'Docs/about/license'],
    ],
  },
  // Source: https://docs.gitea.com/usage/wiki
  Gitea: {
    files: ['Getting-Started.md', 'Home.md', 'Release+Notes.md', 'Build%20Guide.md', 'C%2B%2B.md', 'images/a.png'],
    links: [
      ['Home.md', '[t](Getting-Started.-)', 'Getting-Started'],
      ['Home.md', '[t](Build+Guide)', 'Build_Guide'],
      ['Home.md', '[[Release Notes]]', 'Release+Notes'],
      ['Home.md', '[t](Release-Notes)', 'Release+Notes'],
      ['Home.md', '[[C++]]', 'C++'],
      ['Home.md', '![a](raw/images/a.png)', 'File:Images/a.png'],
      ['Home.md', '![a](/owner/repository/wiki/raw/images/a.png)', 'File:Images/a.png'],
    ],
  },
  // Source: https://github.com/gollum/gollum/wiki
  'formats and macros of Gollum': {
    files: ['Bilbo-Baggins.md', 'Home.md', 'Mordor/Mount-Doom.rdoc', 'Elrond.creole', 'Arwen.pod', 'Frodo.mkd'],
    links: [
      ['Home.md', '[[Mount Doom]]', 'Mordor/Mount-Doom.rdoc'],
      ['Home.md', '[[Elrond]] [[Arwen]]', 'Arwen.pod'],
      ['Home.md', '[[Frodo]]', 'Frodo'],
      ['Home.md', '[[include:Bilbo Baggins]]', 'Bilbo-Baggins'],
      ['Home.md', '[[include:/Bilbo-Baggins.md]]', 'Bilbo-Baggins'],
      ['Home.md', ':::mermaid\nA[[x]] --> B\n:::\n\n[[Frodo]]', 'Frodo'],
    ],
  },
  // Source: https://help.obsidian.md/syntax
  'comments of Obsidian': {
    files: ['index.md', 'sea/Low tide.md'],
    links: [
      ['index.md', '%%see [[Nowhere]]%% [[Low tide]]', 'Sea/Low_tide'],
      ['index.md', '%%\n[[Nowhere]]\n\nsecret\n%%\n\n[[Low tide]]', 'Sea/Low_tide'],
    ],
  },
  // Source: https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github
  'addresses of GitHub': {
    files: ['docs/setup.md', 'README.md', 'docs/README.md', 'docs/a.svg'],
    links: [
      ['README.md', '[t](../../blob/main/docs/setup.md#part)', 'Docs/setup#part'],
      ['docs/setup.md', '[t](../../../blob/main/README.md)', 'README'],
      ['README.md', '[t](/owner/repository/blob/main/docs/setup.md)', 'Docs/setup'],
      ['README.md', '[t](../../tree/main/docs)', 'Docs/README'],
      ['README.md', '![a](../../raw/main/docs/a.svg)', 'File:Docs/a.svg'],
    ],
  },
}

const headings = ['First steps', 'Heading', 'Part', 'First', 'Step 1', 'At night', 'Some heading']
  .map(text => `## ${text}\n`)
  .join('\n')

function addressesIn(html: string): string[] {
  return [...html.matchAll(/(?:href|resource)="\.\/([^"]*)"/g)].map(([, address = '']) => decodeURIComponent(address))
}

async function wikiOf({ files, texts = {}, links }: Repository) {
  const made = await newWiki({}, {})
  // A mark before each link distinguishes the links of a page.
  const contentOf = (path: string) => {
    const written = links
      .filter(([from]) => from === path)
      .map(([, source], at) => `Mark ${at} of ${files.indexOf(path)}:\n\n${source}`)
    return [texts[path] ?? headings, ...written].join('\n\n')
  }
  const contents = files.map(path => [path, path.endsWith('.png') ? 'no picture' : contentOf(path)] as const)
  await commitFiles(made.wiki, Object.fromEntries(contents))
  await made.wiki.store.refresh({ force: true })
  const titleOf = (path: string) => [...made.wiki.store.pages()].find(page => page.path === path)?.title ?? ''
  return { ...made, titleOf }
}

describe.each(oneIn(4, Object.entries(repositories)))('%s', { tags: 'rounds' }, (_, repository) => {
  let made: Awaited<ReturnType<typeof wikiOf>>
  beforeAll(async () => {
    if (hasGit) made = await wikiOf(repository)
  })

  test('each spelling is rendered, listed and checked consistently', { tags: 'long' }, async () => {
    const { wiki, titleOf } = made
    const pages = [...new Set(repository.links.map(([from]) => from))]
    for (const page of pages) {
      const { html } = await renderPage(wiki, { title: titleOf(page), bodyOnly: true })
      const parts = html
        .split(new RegExp(`Mark \\d+ of ${repository.files.indexOf(page)}:`))
        .slice(1)
        .map(addressesIn)
      const listed = (await outgoingLinks(wiki, { title: titleOf(page) })).members.map(({ key }) => key)
      for (const [at, [from, written, address]] of repository.links.filter(([from]) => from === page).entries()) {
        expect(parts[at], `${from}: ${written}`).toContain(address)
        const key = address.replace(/#.*/s, '')
        if (!address.startsWith('Special:') && !written.includes('#Some') && !/\|#|"#/.test(written))
          expect(listed, `${from}: ${written}`).toContain(key)
      }
      expect(html).not.toContain('redlink=1')
    }
    const { problems } = await checkChange(wiki, { from: null, to: 'HEAD', sinceParting: false })
    const broken = problems.filter(({ kind }) => /link|missing|anchor/.test(kind))
    expect(broken.map(({ path, text }) => `${path} ${text}`)).toEqual([])
  })

  test('each page can move with its links', async () => {
    const { wiki } = made
    const movable = [...wiki.store.pages()].filter(
      ({ path }) => /\.md$/.test(path) && !/(?:^|\/)(?:_|home|readme|index)/i.test(path),
    )
    const page = movable[0]
    if (page === undefined) return
    const linksTo = async (key: string) => {
      const found: string[] = []
      for (const { title, id } of [...wiki.store.pages()]) {
        const { members } = await outgoingLinks(wiki, { title })
        found.push(...members.filter(member => member.key === key).map(({ kind }) => `${id} ${kind}`))
      }
      return found.sort()
    }
    const before = await linksTo(page.key)
    const request = { from: page.title, to: 'Moved/New name', comment: null, author: ada, redirect: false }
    const { to, links } = await movePage(wiki, { ...request, updateLinks: true })
    expect(links?.unchanged).toEqual([])
    expect(await linksTo(to.key)).toEqual(before)
  })
})

test('a link without a file extension keeps that form when the page moves', async () => {
  const { wiki } = await wikiOf({
    files: ['Home.md', 'guide/Old-Page.rst'],
    links: [['Home.md', '[[Old Page]] [old](guide/Old-Page) [[guide/Old-Page.rst]]', '']],
  })
  const move = { from: 'Guide/Old-Page.rst', to: 'Guide/New.rst', comment: null, author: ada, updateLinks: true }
  expect((await movePage(wiki, move)).links?.unchanged).toEqual([])
  const { source } = await readPage(wiki, { title: 'Home', base: '' })
  expect(source).toContain('[[Old Page|New]] [old](guide/New) [[guide/Old-Page.rst|guide/New.rst]]')
})
