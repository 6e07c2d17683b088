/**
 * Character references of letters, so that a word is found however it is written. Other symbols separate words. Source: HTML
 * Living Standard, 13.5, Named character references.
 */

import { composed } from '../../core/composed-text.ts'

/** Combining marks by the ends of names: `eacute` is e with an acute accent. */
const marks: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  tilde: '\u0303',
  uml: '\u0308',
  ring: '\u030a',
  cedil: '\u0327',
  caron: '\u030c',
  breve: '\u0306',
  macr: '\u0304',
  ogon: '\u0328',
  dblac: '\u030b',
  dot: '\u0307',
}
const accented = new RegExp(`^([A-Za-z])(${Object.keys(marks).join('|')})$`)

/** Names and characters in turn: the other letters, digits in fractions, and frequent symbols. */
const others = `
AElig Æ Acy А Alpha Α Bcy Б Beta Β CHcy Ч Chi Χ DJcy Ђ DScy Ѕ DZcy Џ Dcy Д Delta Δ Dstrok Đ ENG Ŋ ETH Ð Ecy Э
Epsilon Ε Eta Η Fcy Ф GJcy Ѓ Gamma Γ Gammad Ϝ Gcy Г HARDcy Ъ Hacek ˇ Hstrok Ħ IEcy Е IJlig Ĳ IOcy Ё Icy И Iota Ι
Iukcy І Jcy Й Jsercy Ј Jukcy Є KHcy Х KJcy Ќ Kappa Κ Kcy К LJcy Љ Lambda Λ Lcy Л Lmidot Ŀ Lstrok Ł Mcy М Mu Μ NJcy Њ
Ncy Н Nu Ν OElig Œ Ocy О Omega Ω Omicron Ο Oslash Ø Pcy П Phi Φ Pi Π Psi Ψ Rcy Р Rho Ρ SHCHcy Щ SHcy Ш SOFTcy Ь Scy С
Sigma Σ THORN Þ TSHcy Ћ TScy Ц Tau Τ Tcy Т Theta Θ Tstrok Ŧ Ubrcy Ў Ucy У Upsi ϒ Upsilon Υ Vcy В Xi Ξ YAcy Я YIcy Ї
YUcy Ю Ycy Ы ZHcy Ж Zcy З Zeta Ζ acy а aelig æ alpha α angst Å bcy б beta β caron ˇ chcy ч chi χ circ ˆ dcy д delta δ
digamma ϝ djcy ђ dscy ѕ dstrok đ dzcy џ ecy э eng ŋ epsi ε epsilon ε epsiv ϵ eta η eth ð fcy ф ffilig ﬃ fflig ﬀ
ffllig ﬄ filig ﬁ fjlig fj fllig ﬂ fnof ƒ frac12 ½ frac13 ⅓ frac14 ¼ frac15 ⅕ frac16 ⅙ frac18 ⅛ frac23 ⅔ frac25 ⅖
frac34 ¾ frac35 ⅗ frac38 ⅜ frac45 ⅘ frac56 ⅚ frac58 ⅝ frac78 ⅞ gamma γ gammad ϝ gcy г gjcy ѓ half ½ hardcy ъ hstrok ħ
icy и iecy е ijlig ĳ imath ı imped Ƶ inodot ı iocy ё iota ι iukcy і jcy й jmath ȷ jsercy ј jukcy є kappa κ kappav ϰ
kcy к kgreen ĸ khcy х kjcy ќ lambda λ lcy л ljcy љ lmidot ŀ lstrok ł mcy м micro µ mu μ napos ŉ ncy н njcy њ nu ν
ocy о oelig œ ohm Ω omega ω omicron ο ordf ª ordm º oslash ø pcy п phi φ phiv ϕ pi π piv ϖ psi ψ rcy р rho ρ rhov ϱ
scy с shchcy щ shcy ш sigma σ sigmaf ς sigmav ς softcy ь straightepsilon ϵ straightphi ϕ sup1 ¹ sup2 ² sup3 ³ szlig ß
tau τ tcy т theta θ thetasym ϑ thetav ϑ thorn þ tscy ц tshcy ћ tstrok ŧ ubrcy ў ucy у upsi υ upsih ϒ upsilon υ
varepsilon ϵ varkappa ϰ varphi ϕ varpi ϖ varrho ϱ varsigma ς vartheta ϑ vcy в xi ξ yacy я ycy ы yicy ї yucy ю zcy з
zeta ζ zhcy ж
`

const symbols: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  thinsp: ' ',
  ensp: ' ',
  emsp: ' ',
  shy: '',
  hellip: '…',
}

const named = new Map(Object.entries(symbols))
const pairs = others.trim().split(/\s/)
for (let at = 0; at < pairs.length; at += 2) named.set(pairs[at]!, pairs[at + 1]!)

function decodeName(name: string): string | null {
  const known = named.get(name)
  if (known !== undefined) return known
  const [, letter, mark] = accented.exec(name) ?? []
  return letter === undefined ? null : composed(letter + marks[mark!]!)
}

const entity = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/y

/** Reads a character reference at an offset; null if there is none, or an unknown one. */
export function readEntity(text: string, at: number): { readonly text: string; readonly end: number } | null {
  entity.lastIndex = at
  const found = entity.exec(text)
  if (found === null) return null
  const [whole, decimal, hexadecimal, name] = found
  const end = at + whole.length
  if (name !== undefined) {
    const decoded = decodeName(name)
    return decoded === null ? null : { text: decoded, end }
  }
  const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? { text: String.fromCodePoint(code), end } : null
}
