/** Maps the scopes of Highlight.js to the class names of Pygments, which style sheets use. */

/** Scope of Highlight.js to class of Pygments. A scope is looked up whole, then without its last part. */
const classes: Readonly<Record<string, string>> = {
  keyword: 'k',
  built_in: 'nb',
  type: 'kt',
  literal: 'kc',
  number: 'm',
  operator: 'o',
  punctuation: 'p',
  property: 'nx',
  regexp: 'sr',
  string: 's',
  'char.escape': 'se',
  subst: 'si',
  symbol: 'ss',
  class: 'nc',
  function: 'nf',
  variable: 'nv',
  'variable.language': 'bp',
  'variable.constant': 'no',
  title: 'nf',
  'title.class': 'nc',
  'title.class.inherited': 'nc',
  'title.function': 'nf',
  'title.function.invoke': 'nf',
  params: '',
  comment: 'c',
  doctag: 'cp',
  meta: 'cp',
  'meta.prompt': 'gp',
  'meta.keyword': 'cp',
  'meta.string': 'cpf',
  section: 'gh',
  tag: 'nt',
  name: 'nt',
  attr: 'na',
  attribute: 'na',
  bullet: 'l',
  code: 's',
  emphasis: 'ge',
  strong: 'gs',
  formula: 's',
  link: 'l',
  quote: 'gu',
  'selector-tag': 'nt',
  'selector-id': 'nn',
  'selector-class': 'nc',
  'selector-attr': 'na',
  'selector-pseudo': 'nd',
  'template-tag': 'cp',
  'template-variable': 'nv',
  addition: 'gi',
  deletion: 'gd',
}

/** Declaration keywords: they have a class of their own in JavaScript and similar languages. */
const declaring: ReadonlySet<string> = new Set(['var', 'let', 'const', 'function', 'class', 'extends', 'static'])

/** Languages whose remaining names are all of one kind. */
const plainNames: Readonly<Record<string, string>> = { javascript: 'nx', typescript: 'nx' }

/** Returns the class of a token; '' if it has none. */
export function classOf(scope: string, text: string, language: string): string {
  if (scope === 'keyword' && declaring.has(text) && plainNames[language] !== undefined) return 'kd'
  if (scope === 'title.function' && plainNames[language] !== undefined) return plainNames[language]
  for (let name = scope; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf('.')))) {
    if (Object.hasOwn(classes, name)) return classes[name]!
  }
  return ''
}

/** Returns the class of names without a meaning in the language itself. */
export function nameClass(language: string): string {
  return plainNames[language] ?? 'n'
}
