/** Texts that try to cover, forge or leave the page around them: styles, classes and attributes that seeds choose. */

import { readdirSync, readFileSync } from 'node:fs'

const styles = new URL('../../src/web/style/', import.meta.url)
const sheets = readdirSync(styles)
  .filter(name => name.endsWith('.css'))
  .map(name => [name, readFileSync(new URL(name, styles), 'utf8')] as const)
const css = sheets.map(([, text]) => text).join('\n')
const namesIn = (pattern: RegExp, text = css): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name]) => name!)),
]
/** Names that the product's own style sheets know. */
const classes = namesIn(/\.([a-z][\w-]*)/g)
/** Those of its own parts, which a text may not look like. */
export const ownClasses: readonly string[] = sheets
  .filter(([name]) => !/^(?:content|code)\.css$/.test(name))
  .flatMap(([, text]) => namesIn(/\.([a-z][\w-]*)/g, text))
  .filter(
    name => !namesIn(/\.([a-z][\w-]*)/g, sheets.filter(([name]) => /^content|^code/.test(name)).join()).includes(name),
  )
const ids = [...namesIn(/#([a-z][\w-]*)(?=[\s.,:[{])/g), 'ui--content', 'place-1', 'file-limit', 'search', 'body']
const variables = namesIn(/(--[a-z-]+):/g)

const lengths = ['0', '-1px', '-120px', '-500px', '100%', '-100vh', '200vw', '99999px', '-9999em', 'calc(-100vh - 9px)']
const wide = [...lengths, '100vmax', '2000px', 'max-content', '-webkit-fill-available', 'stretch']
const layers = ['1', '3', '2147483647', '99999999999', '-1']
const pictures = [
  ...['url(/files/Tide.svg)', 'url(//evil.example/x.png)', 'u\\72l(/wiki/Plain?x=1)', 'url("/wiki/Plain?x=2")'],
  ...['image-set("/wiki/Plain?x=3" 1x)', '-webkit-image-set("/wiki/Plain?x=4" 1x)', 'src("/wiki/Plain?x=5")'],
  ...['attr(data-u type(<url>))', 'attr(data-u url)', 'var(--u)', 'image("/wiki/Plain?x=6")', 'element(#ui--content)'],
  ...['cross-fade("/wiki/Plain?x=7", red)', 'linear-gradient(red, blue)', 'conic-gradient(red, blue)', 'UR/**/L(/x)'],
]
const colours = ['red', '#f00', 'var(--link)', 'var(--bg)', 'transparent', 'Canvas', 'color-mix(in srgb, red, blue)']

/** Properties that draw somewhere else, that catch clicks, that load something, or that concern the window. */
const properties: Readonly<Record<string, readonly string[]>> = {
  position: ['fixed', 'fixed', 'fixed', 'absolute', 'absolute', 'sticky', 'sticky', 'relative', '-webkit-sticky'],
  ...each(
    ['top', 'left', 'right', 'bottom', 'inset', 'inset-block-start', 'inset-inline', 'margin', 'margin-top'],
    wide,
  ),
  ...each(['margin-left', 'margin-bottom', 'text-indent', 'padding', 'padding-bottom', 'letter-spacing'], lengths),
  ...each(['width', 'min-width', 'height', 'min-height', 'inline-size', 'max-width'], wide),
  'z-index': layers,
  transform: [
    ...[
      'translateY(-400px)',
      'translate(-50vw,-90vh)',
      'scale(40)',
      'rotate(45deg) scale(9)',
      'matrix(9,0,0,9,-900,-900)',
    ],
    ...['translateZ(9999px)', 'perspective(1px) translateZ(.9px)', 'skew(80deg)'],
  ],
  translate: ['0 -400px', '-50vw -50vh'],
  scale: ['30'],
  zoom: ['5', '0.01'],
  'box-shadow': ['0 0 0 9999px red', '0 -300px 0 200px #fff', '0 0 99px 999px rgba(0,0,0,.9)'],
  'text-shadow': ['0 -300px 0 red', '0 0 400px red'],
  outline: ['2000px solid red', '900px solid #fffe'],
  'outline-offset': ['400px'],
  border: ['700px solid red'],
  filter: ['drop-shadow(0 -300px 0 red)', 'blur(400px)'],
  'backdrop-filter': ['blur(40px)', 'invert(1)'],
  '-webkit-backdrop-filter': ['invert(1)'],
  '-webkit-box-reflect': ['above 200px', 'below 500px'],
  'mix-blend-mode': ['difference', 'multiply'],
  'clip-path': ['inset(-999px)', 'url(#x)', 'circle(9999px)'],
  mask: ['linear-gradient(red, blue)', 'none'],
  float: ['left', 'right', 'inline-start'],
  clear: ['both', 'none'],
  display: ['block', 'flex', 'grid', 'contents', 'inline-block', 'table', 'list-item', 'flow-root', 'none'],
  overflow: ['visible', 'auto', 'hidden', 'clip', 'scroll'],
  'overflow-clip-margin': ['9999px'],
  contain: ['none', 'strict'],
  'content-visibility': ['visible', 'hidden', 'auto'],
  isolation: ['auto', 'isolate'],
  'will-change': ['transform', 'top-layer'],
  ...each(['background', 'background-image', 'list-style-image', 'cursor', 'content', 'border-image-source'], pictures),
  ...each(['shape-outside', 'offset-path', 'mask-image', '-webkit-mask-image', '--u', 'behavior', 'src'], pictures),
  ...each(['background-color', 'color', 'border-color', '-webkit-text-fill-color', ...variables], colours),
  'background-attachment': ['fixed'],
  ...each(['animation', '-webkit-animation'], ['edges 1s infinite', 'edges 1ms forwards']),
  'animation-timeline': ['scroll(root)', 'view()'],
  transition: ['all 9s'],
  'pointer-events': ['none', 'all'],
  'user-select': ['none', 'all'],
  '-webkit-user-modify': ['read-write', 'read-write-plaintext-only'],
  appearance: ['textfield', 'button', 'auto'],
  '-webkit-appearance': ['searchfield', 'push-button', 'dialog'],
  'scroll-initial-target': ['nearest'],
  ...each(['scroll-margin', 'scroll-padding'], ['900px']),
  'scroll-snap-align': ['start'],
  'scroll-snap-type': ['y mandatory'],
  ...each(['overscroll-behavior', 'touch-action', 'interactivity'], ['none', 'contain', 'inert']),
  'view-transition-name': ['root', 'top'],
  ...each(['anchor-name', 'position-anchor', 'container-name', 'timeline-scope'], ['--a', 'top']),
  'position-area': ['top', 'top left'],
  ...each(['counter-reset', 'counter-set', 'counter-increment'], ['list-item 99', 'list-item -9']),
  quotes: ['"x" "y"'],
  direction: ['rtl'],
  'writing-mode': ['vertical-rl', 'sideways-lr'],
  'unicode-bidi': ['bidi-override'],
  ...each(['font', 'font-size'], ['900px serif', '2000px', '90vw', '0']),
  'line-height': ['0', '900px', '-1'],
  columns: ['200', '1px'],
  'grid-template-columns': ['repeat(9999, 1px)', 'repeat(auto-fill, 1px)'],
  'grid-area': ['9999 / 9999'],
  'vertical-align': ['900px', '-900px'],
  resize: ['both'],
  visibility: ['visible', 'hidden'],
  opacity: ['0', '1'],
  all: ['initial', 'unset', 'revert'],
  'color-scheme': ['dark', 'only light'],
  'break-before': ['page'],
}

function each(names: readonly string[], values: readonly string[]): Record<string, readonly string[]> {
  return Object.fromEntries(names.map(name => [name, values]))
}

/** Attributes and elements that act, take the focus, or claim to be something. */
const attributes: Readonly<Record<string, readonly string[]>> = {
  role: [
    'alert',
    'status',
    'dialog',
    'alertdialog',
    'search',
    'banner',
    'main',
    'textbox',
    'note',
    'log',
    'application',
  ],
  ...each(
    ['autofocus', 'contenteditable', 'inert', 'popover', 'open', 'hidden', 'draggable', 'spellcheck'],
    ['', 'true', 'manual'],
  ),
  tabindex: ['0', '1', '-1', '99'],
  accesskey: ['f', 's', '/', '?', 'e'],
  ...each(['aria-live', 'aria-modal', 'aria-hidden', 'aria-busy', 'aria-atomic'], ['assertive', 'true']),
  ...each(['popovertarget', 'commandfor', 'for', 'form', 'aria-owns', 'aria-controls', 'itemref', 'anchor'], ids),
  ...each(
    ['name', 'slot', 'part', 'is', 'exportparts', 'itemprop'],
    ['search', 'body', 'cookie', 'top', 'getElementById'],
  ),
  ...each(
    ['background', 'src', 'data-u', 'poster', 'srcset', 'ping', 'action', 'formaction', 'usemap'],
    ['/wiki/Plain?x=8', '//evil.example/x'],
  ),
  ...each(
    ['width', 'height', 'border', 'cellpadding', 'cellspacing', 'size', 'hspace', 'vspace'],
    ['99999', '-300', '100%', '9999px'],
  ),
  ...each(['align', 'valign', 'bgcolor', 'clear', 'frame', 'rules'], ['right', 'top', 'red', 'all', 'center']),
  ...each(['colspan', 'rowspan', 'span', 'start', 'value'], ['1000', '65534', '-1', '2147483647']),
  dir: ['rtl', 'auto'],
  lang: ['ar', 'ui--'],
  ...each(['data-ui-menu', 'data-ui-body', 'data-ui-session', 'data-theme', 'data-ui-choice'], ['', 'dark', 'theme']),
  onclick: ['xss()'],
}

const elements = [
  ...[
    'div',
    'div',
    'div',
    'span',
    'p',
    'table',
    'ul',
    'pre',
    'font',
    'center',
    'h1',
    'h2',
    'blockquote',
    'section',
    'b',
  ],
  ...['dialog', 'form', 'input', 'button', 'label', 'select', 'textarea', 'details', 'summary', 'fieldset', 'header'],
  ...['main', 'nav', 'footer', 'iframe', 'svg', 'math', 'marquee', 'base', 'link', 'style', 'meta', 'img', 'a', 'body'],
]

/** One attempt: a list of declarations, and the element that has it. */
export interface Attempt {
  readonly style: string
  readonly html: string
}

const signIn = 'Sign in: <b>your session has ended</b> <i>Password</i>'

/** Makes attempts of a seed; each has two to seven declarations, classes, an id and attributes. */
export function attemptsOf(random: () => number, count: number): Attempt[] {
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  const some = (least: number, most: number): unknown[] =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) })
  const names = Object.keys(properties)
  const declaration = (): string => {
    const name = one(names)
    return `${name}:${one(properties[name]!)}${one(['', '', ' !important'])}`
  }
  return Array.from({ length: count }, () => {
    const place = one([
      [],
      [],
      ['position:fixed', 'inset:0'],
      ['position:absolute', 'top:-300px', 'width:200vw', 'height:200vh'],
    ])
    const style = [...place, ...some(2, 6).map(declaration)].join(';')
    const written = [
      ['style', style],
      [
        'class',
        some(0, 3)
          .map(() => one(classes))
          .join(' '),
      ],
      ['id', one(['', ...ids])],
      ...some(0, 3).map(() => {
        const name = one(Object.keys(attributes))
        return [name, one(attributes[name]!)]
      }),
    ]
    const listed = written.filter(([, value], at) => at > 2 || value !== '')
    const open = listed.map(
      ([name, value]) => ` ${name}="${value!.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`,
    )
    const tag = one(elements)
    return {
      style,
      html: `<${tag}${open.join('')}>${tag === 'table' ? `<tr><td${open[0]}>${signIn}</td></tr>` : signIn}</${tag}>`,
    }
  })
}
