/** The tags that only the parser tests know: what the reference's own set-up of its tests makes of them. */

const element = (name, attributes = [], children = []) => {
  const node = { kind: 'element', name, attributes: new Map(attributes), children: [], parent: null, data: {} }
  for (const child of children) adopt(node, child)
  return node
}
const text = value => ({ kind: 'text', text: value, parent: null })
const comment = value => ({ kind: 'comment', text: value, parent: null, data: {} })
const adopt = (parent, child) => {
  child.parent = parent
  parent.children.push(child)
}

/** How PHP's var_export shows attributes. */
const exported = attributes =>
  `array (\n${[...attributes].map(([name, value]) => `  '${name}' => '${value}',\n`).join('')})`

/** `<tag>` shows what it was given. */
const tag = {
  tags: ['tag', 't', 'tåg'],
  render: ({ body, attributes }) => [
    element('pre', [], [text(`\n${body === null ? 'NULL' : `'${body}'`}\n${exported(attributes)}`)]),
  ],
}

/** `<statictag>` keeps texts for a later `<statictag action="flush"/>`. */
const statictag = {
  tags: ['statictag'],
  render: ({ body, attributes }, context) => {
    const kept = context.state('statictag', () => ({ text: '' }))
    if (attributes.get('action') !== 'flush') {
      kept.text = body ?? ''
      return [element('span')]
    }
    return [element('span', [], [text(kept.text)])]
  },
}

const holder =
  (name, parse) =>
  ({ body, bodyOffset }, context) => [element(name, [], context[parse](body ?? '', { offset: bodyOffset }))]

/** Makes the extensions of the parser tests. */
export const testExtensions = [
  tag,
  statictag,
  { tags: ['spantag', 'spantaglegacy'], render: holder('span', 'parseInline') },
  { tags: ['divtag'], render: holder('div', 'parseBlocks') },
  { tags: ['asidetag'], render: holder('aside', 'parseBlocks') },
  { tags: ['pwraptest'], render: () => [element('span', [], [comment('CMT')]), element('style', [], [text('p{}')])] },
  { tags: ['sealtag'], render: () => [element('span')] },
]
