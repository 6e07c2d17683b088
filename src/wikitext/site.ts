/** Settings of a wiki in the form that the engine needs at every link, prepared once. */

import { foldTitle, type Title, type TitleRules, titleRules } from '../core/title.ts'
import type { WikiConfig } from '../core/wiki-config.ts'
import { type MediaWords, mediaWords } from './media/magic-words.ts'
import { type Switches, switchesOf } from './tokenize/switches.ts'

/** An interwiki prefix. */
export interface ForeignWiki {
  readonly prefix: string
  /** Address with `$1` for the title. */
  readonly url: string
  /** True for another language's edition of this wiki: a bare link to it is a property of the page and not text. */
  readonly isLanguage: boolean
}

export interface Site {
  /** Cache of parsed titles, by default namespace and text: pages repeat the same ones. */
  readonly titles: Map<string, Title | null>
  readonly config: WikiConfig
  readonly rules: TitleRules
  readonly language: string
  /** By folded prefix. */
  readonly foreign: ReadonlyMap<string, ForeignWiki>
  /** Matches the text after a link that becomes part of it. Sticky. */
  readonly linkTrail: RegExp
  /** Matches the end of the text before a link that becomes part of it; null if the language has none. */
  readonly linkPrefix: RegExp | null
  /** If true, addresses of images are shown as images, which readers' browsers load from other sites. */
  readonly showsExternalImages: boolean
  /** Words before a number that become a link. */
  readonly magicLinks: ReadonlySet<string>
  /** Folded prefixes that lead to this wiki itself. */
  readonly localPrefixes: ReadonlySet<string>
  /** Names of the options of file links. */
  readonly mediaWords: MediaWords
  /** Behaviour switches. */
  readonly switches: Switches
  /** Target window of external links; null for the page's own. */
  readonly externalLinkTarget: string | null
  /** Hosts, with their subdomains, whose links search engines may follow. */
  readonly followedDomains: readonly string[]
}

/** Settings that few wikis change. */
export interface SiteSettings
  extends Partial<Pick<Site, 'externalLinkTarget' | 'followedDomains' | 'showsExternalImages'>> {
  /** Words before a number that become a link: RFC, PMID, ISBN; all of them by default. */
  readonly magicLinks?: readonly string[]
  /** Prefixes that lead to this wiki itself. */
  readonly localPrefixes?: readonly string[]
}

/** Languages whose links take letters from the following text other than a to z. Source: MediaWiki Messages*.php. */
const trails: Readonly<Record<string, string>> = {
  ar: '[a-zء-ي]+',
  bg: '[a-zабвгдежзийклмнопрстуфхцчшщъыьэюя]+',
  ca: "(?:[a-zàèéíòóúç·ïü]|'(?!'))+",
  cs: '[a-záčďéěíňóřšťúůýž]+',
  da: '[a-zæøå]+',
  de: '[äöüßa-z]+',
  el: '[a-zαβγδεζηθικλμνξοπρστυφχψωςΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩάέήίόύώϊϋΐΰΆΈΉΊΌΎΏΪΫ]+',
  es: '[a-záéíóúñ]+',
  fa: '[ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیآأئؤة‌]+',
  fi: '[a-zäö]+',
  fr: '[a-zàâçéèêîôûäëïöüùÇÉÂÊÎÔÛÄËÏÖÜÀÈÙ]+',
  he: '[a-zא-ת]+',
  hu: '[a-záéíóúöüőűÁÉÍÓÚÖÜŐŰ]+',
  is: '[áðéíóúýþæöa-z–-]+',
  it: '[a-zàéèíîìóòúù]+',
  kaa: "(?:[a-zıʼ’“»]|'(?!'))+",
  ja: '',
  nl: '[a-zäöüïëéèà]+',
  no: '[æøåa-z]+',
  pl: '[a-zęóąśłżźćńĘÓĄŚŁŻŹĆŃ]+',
  pt: '[áâãàéêẽçíòóôõq̃úüűũa-z]+',
  ru: '[a-zабвгдеёжзийклмнопрстуфхцчшщъыьэюя]+',
  sk: '[a-záäčďéíľĺňóôŕšťúýž]+',
  sr: '[abvgdđežzijklljmnnjoprstćufhcčdžšабвгдђежзијклљмнњопрстћуфхцчџш]+',
  sv: '[a-zåäöéÅÄÖÉ]+',
  uk: '[a-zабвгґдеєжзиіїйклмнопрстуфхцчшщьєюяёъы“»]+',
  zh: '',
}

/** Languages whose links include the letters right before them. */
const prefixes: Readonly<Record<string, RegExp>> = {
  ar: /(?<![a-zA-Z\u0080-\u{10ffff}])[a-zA-Z\u0080-\u{10ffff}]+$/u,
  ckb: /(?<![a-zA-Z\u0080-\u{10ffff}])[a-zA-Z\u0080-\u{10ffff}]+$/u,
  is: /(?<![áÁðÐéÉíÍóÓúÚýÝþÞæÆöÖA-Za-z–-])[áÁðÐéÉíÍóÓúÚýÝþÞæÆöÖA-Za-z–-]+$/u,
  uk: /(?<![„«])[„«]+$/u,
}

type SettingsPart = Pick<
  Site,
  'config' | 'rules' | 'language' | 'foreign' | 'linkTrail' | 'linkPrefix' | 'mediaWords' | 'switches'
>

/** Cache of prepared settings: they are immutable and shared by many pages. */
const prepared = new WeakMap<WikiConfig, SettingsPart>()

function prepare(config: WikiConfig): SettingsPart {
  const language = config.language.toLowerCase()
  const trail = Object.hasOwn(trails, language) ? trails[language]! : '[a-z]+'
  return {
    config,
    rules: titleRules(config),
    language,
    foreign: foreignWikis(config),
    linkTrail: trail === '' ? /(?!)/y : new RegExp(trail, 'uy'),
    linkPrefix: Object.hasOwn(prefixes, language) ? prefixes[language]! : null,
    mediaWords: mediaWords(language),
    switches: switchesOf(language),
  }
}

/** Prepares a wiki's settings for the engine. */
export function siteOf(config: WikiConfig, settings: SiteSettings = {}): Site {
  const part = prepared.get(config) ?? prepare(config)
  prepared.set(config, part)
  return {
    ...part,
    titles: new Map(),
    showsExternalImages: settings.showsExternalImages ?? false,
    magicLinks: new Set(settings.magicLinks ?? ['RFC', 'PMID', 'ISBN']),
    localPrefixes: new Set((settings.localPrefixes ?? []).map(foldTitle)),
    externalLinkTarget: settings.externalLinkTarget ?? null,
    followedDomains: settings.followedDomains ?? [],
  }
}

function foreignWikis({ interwiki, languages }: WikiConfig): Map<string, ForeignWiki> {
  const rows = [
    ...Object.entries(interwiki).map(([prefix, url]) => ({ prefix, url, isLanguage: false })),
    ...Object.entries(languages).map(([prefix, url]) => ({ prefix, url, isLanguage: true })),
  ]
  return new Map(rows.map(row => [foldTitle(row.prefix), row]))
}
