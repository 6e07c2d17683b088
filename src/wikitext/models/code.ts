/** Style sheets, scripts and plain text, shown as source. */

import type { InTime } from '../bounded-time.ts'
import { loadHighlighter, tokensOf } from '../extensions/syntaxhighlight/tokens.ts'
import { type ChildNode, type ElementNode, element, textNode } from '../tree/node.ts'

/** Class and language of the code models. */
const languages = {
  css: { className: 'mw-css', language: 'css' },
  javascript: { className: 'mw-js', language: 'javascript' },
} as const

/** Shows code with syntax colours. */
export async function codeBlock(text: string, model: keyof typeof languages, inTime: InTime): Promise<ElementNode> {
  const { className, language } = languages[model]
  return element(
    'pre',
    [
      ['class', `mw-code ${className}`],
      ['dir', 'ltr'],
    ],
    [...(await colouredCode(text, language, inTime)), textNode('\n')],
  )
}

/** Makes a span of each token with a class. */
export async function colouredCode(code: string, language: string, inTime: InTime): Promise<ChildNode[]> {
  const tokens = language === '' ? null : tokensOf(code, language, { highlighter: await loadHighlighter(), inTime })
  if (tokens === null) return code === '' ? [] : [textNode(code)]
  return tokens.map(token => {
    const shown = textNode(token.text)
    return token.className === '' ? shown : element('span', [['class', token.className]], [shown])
  })
}

/** Shows plain text. */
export function plainBlock(text: string): ElementNode {
  return element('pre', [], [textNode(text)])
}
