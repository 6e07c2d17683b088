/** Names of special pages: in English, in the wiki's language, and the aliases of MediaWiki. */

import { composed } from '../../../core/composed-text.ts'
import { type WordKey, wordsFor } from '../../words/words.ts'

/** Further English aliases of special pages. Source: MediaWiki 1.43, `$specialPageAliases` of MessagesEn.php. */
const furtherNames: Readonly<Record<string, string>> = {
  filelist: 'listfiles',
  imagelist: 'listfiles',
  randompage: 'random',
  randomrootpage: 'random',
  login: 'userlogin',
  createaccount: 'userlogin',
  delete: 'deletepage',
  undelete: 'restorepage',
  comparepages: 'diff',
  permalink: 'permanentlink',
  history: 'pagehistory',
  info: 'pageinfo',
  edit: 'editpage',
  orphanedpages: 'lonelypages',
  brokenlinks: 'wantedpages',
  mostlinked: 'mostlinkedpages',
  unusedfiles: 'unusedimages',
}

/** Special pages by the message that is their name in the wiki's language. */
const namedBy: Readonly<Partial<Record<WordKey, string>>> = {
  search: 'search',
  recentChanges: 'recentchanges',
  allPages: 'allpages',
  whatLinksHere: 'whatlinkshere',
  lists: 'lists',
  files: 'listfiles',
  randomPage: 'random',
  newPage: 'newpage',
  signIn: 'userlogin',
  specialPages: 'specialpages',
  statistics: 'statistics',
  versionTitle: 'version',
  lintTitle: 'linterrors',
  keysTitle: 'keys',
}

/** MediaWiki's aliases in the languages of the pages. Source: `$specialPageAliases` of its message files. */
const namesOfMediaWiki: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: {
    anmelden: 'userlogin',
    abmelden: 'userlogout',
    letzteänderungen: 'recentchanges',
    hochladen: 'upload',
    dateien: 'listfiles',
    dateiliste: 'listfiles',
    dateipfad: 'filepath',
    statistik: 'statistics',
    zufälligeseite: 'random',
    alleseiten: 'allpages',
    präfixindex: 'prefixindex',
    spezialseiten: 'specialpages',
    beiträge: 'contributions',
    meinebeiträge: 'mycontributions',
    linkliste: 'whatlinkshere',
    verweisliste: 'whatlinkshere',
    verschieben: 'movepage',
    löschen: 'deletepage',
    wiederherstellen: 'restorepage',
    kategorien: 'categories',
    suche: 'search',
    permanentlink: 'permanentlink',
    verwaisteseiten: 'lonelypages',
    sackgassenseiten: 'deadendpages',
    nichtkategorisierteseiten: 'uncategorizedpages',
    gewünschteseiten: 'wantedpages',
    gewünschtekategorien: 'wantedcategories',
    unbenutztedateien: 'unusedimages',
    unbenutztevorlagen: 'unusedtemplates',
    doppelteweiterleitungen: 'doubleredirects',
    kaputteweiterleitungen: 'brokenredirects',
    meistverlinkteseiten: 'mostlinkedpages',
    längsteseiten: 'longpages',
    kürzesteseiten: 'shortpages',
  },
  ar: {
    دخولالمستخدم: 'userlogin',
    خروجالمستخدم: 'userlogout',
    أحدثالتغييرات: 'recentchanges',
    رفع: 'upload',
    عرضالملفات: 'listfiles',
    قائمةالملفات: 'listfiles',
    مسارملف: 'filepath',
    إحصاءات: 'statistics',
    عشوائي: 'random',
    صفحةعشوائية: 'random',
    كلالصفحات: 'allpages',
    فهرسبادئة: 'prefixindex',
    صفحاتخاصة: 'specialpages',
    مساهمات: 'contributions',
    مساهماتي: 'mycontributions',
    ماذايصلهنا: 'whatlinkshere',
    نقلصفحة: 'movepage',
    استرجاع: 'restorepage',
    تصنيفات: 'categories',
    بحث: 'search',
    مقارنةالصفحات: 'diff',
    وصلةدائمة: 'permanentlink',
    رابطدائم: 'permanentlink',
    صفحاتوحيدة: 'lonelypages',
    صفحاتيتيمة: 'lonelypages',
    صفحاتنهايةمسدودة: 'deadendpages',
    صفحاتغيرمصنفة: 'uncategorizedpages',
    صفحاتمطلوبة: 'wantedpages',
    ملفاتمطلوبة: 'wantedfiles',
    قوالبمطلوبة: 'wantedtemplates',
    تصنيفاتمطلوبة: 'wantedcategories',
    ملفاتغيرمستخدمة: 'unusedimages',
    قوالبغيرمستخدمة: 'unusedtemplates',
    تحويلاتمزدوجة: 'doubleredirects',
    تحويلاتمكسورة: 'brokenredirects',
    أكثرالصفحاتوصلا: 'mostlinkedpages',
    صفحاتطويلة: 'longpages',
    صفحاتقصيرة: 'shortpages',
    نسخة: 'version',
  },
}

/** Names of the special namespace. Source: `$namespaceNames` of MediaWiki's message files. */
const namespaceWords: Readonly<Record<string, readonly string[]>> = {
  ar: ['خاص'],
  bg: ['Специални'],
  ca: ['Especial'],
  cs: ['Speciální'],
  da: ['Speciel'],
  de: ['Spezial'],
  el: ['Ειδικό'],
  eo: ['Specialaĵo'],
  es: ['Especial'],
  et: ['Eri'],
  fa: ['ویژه'],
  fi: ['Toiminnot'],
  fr: ['Spécial'],
  he: ['מיוחד'],
  hi: ['विशेष'],
  hu: ['Speciális'],
  id: ['Istimewa'],
  it: ['Speciale'],
  ja: ['特別'],
  ko: ['특수'],
  nb: ['Spesial'],
  nl: ['Speciaal'],
  pl: ['Specjalna'],
  pt: ['Especial'],
  ru: ['Служебная'],
  sk: ['Špeciálne'],
  sr: ['Посебно', 'Posebno'],
  tr: ['Özel'],
  uk: ['Спеціальна'],
  vi: ['Đặc biệt'],
  zh: ['特殊'],
}

const languageOfWord = new Map(
  Object.entries(namespaceWords).flatMap(([language, names]) =>
    names.map(name => [plainName(name), language] as const),
  ),
)

/** Returns the language in which a name means the special namespace; null if it is none of the known ones. */
export function languageOfSpecial(namespace: string): string | null {
  return languageOfWord.get(plainName(namespace)) ?? null
}

/** Returns the possible names of a special page in the table of pages, most likely first. */
export function possibleNames(written: string, language: string): readonly string[] {
  const plain = plainName(written)
  const base = wordsFor(language).language
  return [plain, own(furtherNames, plain), own(namesOfMediaWiki[base] ?? {}, plain), wordNames(base).get(plain)].filter(
    name => name !== undefined,
  )
}

/** Ignores case, spaces and underscores. */
function plainName(name: string): string {
  return composed(name).toLowerCase().replaceAll(/[ _]/g, '')
}

const tables = new Map<string, ReadonlyMap<string, string>>()

function wordNames(language: string): ReadonlyMap<string, string> {
  const words = wordsFor(language)
  const table =
    tables.get(language) ??
    new Map(Object.entries(namedBy).map(([word, special]) => [plainName(words.text(word as WordKey)), special]))
  tables.set(language, table)
  return table
}

function own(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
