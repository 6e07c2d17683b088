/** Extension tags that MediaWiki's parser tests expect; the product has none of them. */
import { parseFragment } from 'parse5'

/** Makes them with the engine's constructors of nodes. */
export function parserTestTags({ element, textNode, commentNode, fragment }, { rawHtml, styleTag }) {
  const around = (tag, name, parse) => ({
    tags: [tag],
    render: ({ body, bodyOffset, attributes }, context) => {
      if (attributes.get('raw') === 'true') return [element(name, [], rawNodes(body ?? ''))]
      return [element(name, [], body === null ? [] : context[parse](body, { offset: bodyOffset }))]
    },
  })
  const rawNodes = html => parseFragment(html).childNodes.map(nodeOf)
  const nodeOf = node => {
    if (node.nodeName === '#text') return textNode(node.value)
    if (node.nodeName === '#comment') return commentNode(node.data)
    const attributes = node.attrs.map(({ name, value }) => [name, value])
    return element(node.nodeName, attributes, node.childNodes.map(nodeOf))
  }
  const dump = ({ body, attributes }) => {
    const quoted = text => `'${text.replace(/[\\']/g, '\\$&')}'`
    const lines = [...attributes].map(([name, value]) => `  ${quoted(name)} => ${quoted(value)},\n`)
    return `${body === null ? 'NULL' : quoted(body)}\narray (\n${lines.join('')})\n`
  }
  const localized = (name, data) => element(name, [['data-mw-i18n', JSON.stringify(data)]])
  const typed = (node, types, call) => {
    node.attributes.set('typeof', types)
    const body = call.body === null ? {} : { body: { extsrc: call.body } }
    node.data.mw = { name: call.name, attrs: Object.fromEntries(call.attributes), ...body }
    return [node]
  }
  const tags = [
    around('spantag', 'span', 'parseInline'),
    around('divtag', 'div', 'parseBlocks'),
    {
      tags: ['spantaglegacy'],
      render: ({ body, attributes }) => [element('span', [], [textNode(attributes.get('contents') ?? body ?? '')])],
    },
    { tags: ['tag', 't', 'tåg'], render: call => [element('pre', [], rawNodes(dump(call)))] },
    { tags: ['asidetag'], render: () => [element('aside', [], [textNode('Some aside content')])] },
    {
      tags: ['statictag'],
      render: ({ body, attributes }, { state }) => {
        const kept = state('statictag', () => ({ text: '' }))
        if (attributes.get('action') === 'flush') return [element('span', [], kept.text ? [textNode(kept.text)] : [])]
        kept.text = body ?? ''
        return [element('span')]
      },
    },
    { tags: ['sealtag'], render: () => [element('span')] },
    {
      tags: ['embedtag'],
      render: ({ name, body, bodyOffset, attributes }, { parseInline }) => {
        const node = element('span')
        const html = fragment(parseInline(body ?? '', { offset: bodyOffset }))
        node.data.mw = { name, attrs: Object.fromEntries(attributes), body: { html } }
        return [node]
      },
    },
    {
      tags: ['pwraptest'],
      render: () => [commentNode('CMT'), element('style', [], [textNode('p{}')])],
    },
    {
      tags: ['i18ntag'],
      render: call => {
        const node = localized('span', { '/': { lang: 'x-page', key: call.body } })
        return typed(node, 'mw:I18n mw:Extension/i18ntag', call)
      },
    },
    {
      tags: ['i18nattr'],
      render: call => {
        const node = localized('span', { message: { lang: 'x-user', key: call.attributes.get('message') } })
        node.children.push({ ...textNode(call.body), parent: node })
        return typed(node, 'mw:LocalizedAttrs mw:Extension/i18nattr', call)
      },
    },
  ]
  if (rawHtml) tags.push({ tags: ['html'], render: ({ body }) => (body ? rawNodes(body) : [element('link')]) })
  if (styleTag) tags.push({ tags: ['style'], render: ({ body }) => [element('style', [], [textNode(body ?? '')])] })
  return tags
}
