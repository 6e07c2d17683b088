/** Random pages of common constructs, for tests of relations between pages. */

export type Random = () => number

function one<Value>(random: Random, values: readonly Value[]): Value {
  return values[Math.floor(random() * values.length)]!
}

/** Words of the same class: letters only, without a meaning to the engine. */
const words = ['tide', 'Ebb', 'marée', 'Волна', 'åska', '潮', 'Ωμέγα', '\u00a0x', 'a\u3000b']
const word = (random: Random): string => one(random, words)
const tag = (random: Random): string => one(random, ['b', 'I', 'span', 'CODE', 'small', 'Sub', 'del'])

const inline: readonly ((random: Random) => string)[] = [
  word,
  random => `''${word(random)}'' ${word(random)}`,
  random => `'''${word(random)}'''`,
  random => `[[${one(random, ['Tide', 'Marée', 'Волна', 'Missing'])}${one(random, ['', '|x', '#y', '#y|z'])}]]s`,
  random =>
    `[http://${one(random, ['a.example', '[2001:db8::1]'])}/${one(random, ['', 'b?c&d', '#e'])} ${word(random)}]`,
  () => 'http://a.example/b(c), http://[2001:db8::1]/.',
  random => {
    const name = tag(random)
    return `<${name} title="${word(random)}">${word(random)}</${name}>`
  },
  random => `<nowiki>[[${word(random)}]] ''b''</nowiki>`,
  random => `&eacute;&#x41;&amp;${word(random)}`,
  random => `{{Say|${word(random)}}}`,
  random => `${word(random)}<br>${word(random)}`,
]

/** Makes a text that fits in one line. */
export const phrase = (random: Random): string =>
  Array.from({ length: 1 + Math.floor(random() * 3) }, () => one(random, inline)(random)).join(' y ')

const blocks: readonly ((random: Random) => string)[] = [
  phrase,
  random => `${phrase(random)}\n${phrase(random)}`,
  random => `* ${phrase(random)}\n*# ${phrase(random)}\n* ${phrase(random)}`,
  random => `; ${word(random)}\n: ${phrase(random)}`,
  random => ` ${word(random)}\n ${word(random)}`,
  random => `{| class="a"\n! ${word(random)} !! ${word(random)}\n|-\n| ${phrase(random)}\n| b || ${word(random)}\n|}`,
  random => `<div>\n${phrase(random)}\n</div>`,
  random => `<blockquote>\n ${phrase(random)}\n</blockquote>`,
  random => `<table><tr><td>${phrase(random)}</td></tr></table>`,
  random => `----\n${phrase(random)}`,
  random => `{{Say|1=${word(random)}}}`,
]

/** Makes a page of up to three blocks. */
export const page = (random: Random): string =>
  Array.from({ length: 1 + Math.floor(random() * 3) }, () => one(random, blocks)(random)).join('\n\n')

/** HTML without the data about its source, and without white space between tags. */
export function plain(text: string): string {
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/ (?:about|typeof|data-mw|data-mw-i18n|data-parsoid)=(?:"[^"]*"|'[^']*')/g, '')
    .replace(/<span>((?:(?!<span[ >])[\s\S])*?)<\/span>/g, '$1')
    .replace(/<span>((?:(?!<span[ >])[\s\S])*?)<\/span>/g, '$1')
    .replace(
      /[ \t\n]*(<\/?(?:p|div|blockquote|ul|ol|li|dl|dt|dd|table|tbody|tr|td|th|pre|hr|br)\b[^>]*>)[ \t\n]*/g,
      '$1',
    )
    .replace(/[ \t\n]+/g, ' ')
    .trim()
}
