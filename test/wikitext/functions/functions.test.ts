import { describe, expect, test } from 'vitest'
import { expand, type Setting } from '../_expand.ts'

const pages = {
  Quay: 'the quay',
  'MediaWiki:Greeting': 'Hello, $1!',
}

const cases: Readonly<Record<string, readonly (readonly [text: string, expected: string])[]>> = {
  'names of pages': [
    ['{{PAGENAME}}', 'Ropes/Knots &#38; more'],
    ['{{FULLPAGENAME}}', 'Help talk:Ropes/Knots &#38; more'],
    ['{{PAGENAMEE}}', 'Ropes/Knots_%26_more'],
    ['{{SUBPAGENAME}}', 'Knots &#38; more'],
    ['{{BASEPAGENAME}}', 'Ropes'],
    ['{{ROOTPAGENAME}}', 'Ropes'],
    ['{{NAMESPACE}}', 'Help talk'],
    ['{{NAMESPACEE}}', 'Help_talk'],
    ['{{NAMESPACENUMBER}}', '13'],
    ['{{SUBJECTSPACE}}', 'Help'],
    ['{{SUBJECTPAGENAME}}', 'Help:Ropes/Knots &#38; more'],
    ['{{TALKPAGENAME:Quay}}', 'Talk:Quay'],
    ['{{PAGENAME:user:ada}}', 'Ada'],
    ['{{FULLPAGENAME:Special:version}}', 'Special:Version'],
    ['{{PAGENAME:<}}', ''],
    ['{{pagename}}', '[[:Template:Pagename]]'],
  ],
  'the wiki': [
    ['{{SITENAME}}', 'Harbour'],
    ['{{SERVER}} {{server}} {{SERVERNAME}}', 'http://wiki.example http://wiki.example wiki.example'],
    ['{{NUMBEROFPAGES}} {{NUMBEROFPAGES:R}}', '1,234,567 1234567'],
    ['{{CONTENTLANGUAGE}}', 'en'],
    ['{{!}}{{=}}', '|='],
  ],
  'the time': [
    ['{{CURRENTYEAR}}-{{CURRENTMONTH}}-{{CURRENTDAY2}}', '2024-03-05'],
    ['{{CURRENTDAY}} {{CURRENTMONTHNAME}} {{CURRENTMONTHABBREV}}', '5 March Mar'],
    ['{{CURRENTDAYNAME}} {{CURRENTDOW}} {{CURRENTWEEK}}', 'Tuesday 2 10'],
    ['{{CURRENTTIME}} {{CURRENTTIMESTAMP}}', '07:08 20240305070809'],
    ['{{LOCALTIME}} {{LOCALDAY}}', '20:08 5'],
  ],
  letters: [
    ['{{lc:ÄB}} {{UC:äb}} {{lcfirst:ÄB}} {{ucfirst:äb}}', 'äb ÄB äB Äb'],
    ['{{uc:a<nowiki>b</nowiki>}}', 'A<nowiki>b</nowiki>'],
    ['{{padleft:7|3}} {{padright:7|3|ab}} {{padleft:long|2}}', '007 7ab long'],
    ['{{padleft:a|9999|b}}', `${'b'.repeat(499)}a`],
    ['{{ns:1}} {{ns:image}} {{nse:user talk}}', 'Talk File User_talk'],
    ['{{ns:99}}', '[[:Template:Ns:99]]'],
    ['{{urlencode:a b/ü}} {{urlencode:a b/ü|PATH}} {{urlencode:a b/ü|WIKI}}', 'a+b%2F%C3%BC a%20b%2F%C3%BC a_b/%C3%BC'],
    ['{{anchorencode: a  b}}', 'a_b'],
    ['{{localurl:Quay|action=raw}} {{fullurl:a b}}', '/wiki/Quay?action=raw http://wiki.example/wiki/A_b'],
    ['{{#special:Version}}', 'Special:Version'],
    ['{{int:Greeting|you}} {{int:Nothing}}', 'Hello, you! ⧼Nothing⧽'],
  ],
  numbers: [
    ['{{formatnum:1234567.891}}', '1,234,567.891'],
    ['{{formatnum:-1234}} {{formatnum:123}}', '-1,234 123'],
    ['{{formatnum:1,234.5|R}}', '1234.5'],
    ['{{formatnum:1234|NOSEP}}', '1234'],
    ['{{plural:1|boat|boats}} {{plural:2|boat|boats}} {{plural:0|0=none|boat|boats}}', 'boat boats none'],
    ['{{grammar:genitive|boat}} {{gender:Ada|he|she|they}}', 'boat they'],
  ],
  languages: [
    ['{{#language:de}} {{#language:de|en}}', 'Deutsch German'],
    ['{{#dir:he}} {{#dir:en}}', 'rtl ltr'],
    ['{{#bcp47:zh-yue}}', 'yue'],
    ['{{#formatdate:2024-03-05|dmy}}', '<span class="mw-formatted-date" title="2024-03-05">5 March 2024</span>'],
    ['{{#formatdate:soon}}', 'soon'],
  ],
  tags: [
    ['{{#tag:ref|a b|name=x y}}', '<ref name="x y">a b</ref>'],
    ['{{#tag:ref|a|name="x"}}', '<ref name="x">a</ref>'],
    ['{{#tag:ref|<nowiki>a</nowiki>|name=">"}}', '<ref name="&gt;"><nowiki>a</nowiki></ref>'],
    ['{{#tag:ref|a|name="<nowiki>x</nowiki>"}}', '<ref name="x">a</ref>'],
    ['{{#tag:b|a}}', '<b>a</b>'],
    ['{{#tag:boat|a}}', '<span class="error">Unknown extension tag "boat"</span>'],
    ['{{#invoke:Boat|sail}}', expect.stringContaining('class="error"') as unknown as string],
  ],
  choices: [
    ['{{#if:|a|b}}{{#if: x | a | b }}{{#if:x}}', 'ba'],
    ['{{#ifeq:1|1.0|a|b}}{{#ifeq:a|A|a|b}}{{#ifeq:"1"|"1.0"|a|b}}', 'abb'],
    ['{{#ifeq:&amp;|&|a|b}}', 'a'],
    ['{{#iferror:{{#expr:1/0}}|a|b}}{{#iferror:x|a|b}}{{#iferror:x|a}}', 'abx'],
    ['{{#iferror:<span class="no error">x</span>|a|b}}{{#iferror:<i class="error">x</i>|a|b}}', 'ab'],
    ['{{#ifexist:Quay|a|b}}{{#ifexist:Nowhere|a|b}}{{#ifexist:<|a|b}}', 'abb'],
    ['{{#ifexpr:1>0|a|b}}{{#ifexpr:|a|b}}{{#ifexpr:0|a|b}}', 'abb'],
    ['{{#switch:b|a=1|b=2|c=3}}', '2'],
    ['{{#switch:a|a|b=2|c=3}}', '2'],
    ['{{#switch:x|a=1|#default=2|c=3}}', '2'],
    ['{{#switch:x|a=1|2}}', '2'],
    ['{{#switch:02|2=a|b}}', 'a'],
    ['{{#switch:x|a=1}}', ''],
    ['{{#titleparts:a/b/c|2}} {{#titleparts:a/b/c|1|2}} {{#titleparts:a/b/c||-1}}', 'A/b b c'],
    ['{{#rel2abs:./x|a/b}} {{#rel2abs:../x|a/b}} {{#rel2abs:x|a/b}}', 'a/b/x a/x x'],
    ['{{#rel2abs:../../../x|a}}', expect.stringContaining('Invalid depth') as unknown as string],
    ['{{#if:1|{{#if:|a|{{lc:B}}}}|c}}', 'b'],
  ],
  strings: [
    ['{{#len:äbc}}{{#len:a<nowiki>b</nowiki>}}', '31'],
    ['{{#pos:abcabc|c}} {{#pos:abcabc|c|3}} {{#rpos:abcabc|c}} {{#rpos:abc|x}}', '2 5 5 -1'],
    ['{{#sub:abcdef|2}} {{#sub:abcdef|1|2}} {{#sub:abcdef|-2}} {{#sub:abcdef|1|-1}}', 'cdef bc ef bcde'],
    ['{{#count:banana|an}} {{#replace:banana|an|o}}', '2 booa'],
    ['{{#explode:a-b-c|-|1}} {{#explode:a-b-c|-|-1}} {{#explode:a-b-c|-|1|2}}', 'b c b-c'],
    ['{{#urldecode:a%20b+%C3%BC}}', 'a b ü'],
    [`{{#len:${'a'.repeat(1001)}}}`, '<span class="error">Error: String exceeds 1000 character limit.</span>'],
  ],
}

const setting: Setting = { title: 'Help talk:Ropes/Knots & more', pages, timeZone: 'Pacific/Auckland' }

describe.each(Object.entries(cases))('%s', (_, rows) => {
  test.each(rows)('%j gives %j', async (text, expected) => {
    expect(await expand(text, setting)).toEqual(expected)
  })
})

test('a revision describes itself', async () => {
  const page = { id: 7, revision: 41, timestamp: '2024-02-29T13:05:09Z', user: 'Ada' }
  const text = '{{REVISIONID}} {{REVISIONDAY2}} {{REVISIONTIMESTAMP}} {{REVISIONUSER}} {{PAGEID}} {{REVISIONUSER:Quay}}'
  expect(await expand(text, { pages, page })).toBe('41 29 20240229130509 Ada 7 Ada')
  expect(await expand('{{REVISIONID}}{{PAGESIZE:Quay}}', { pages })).toBe('8')
})

test.each([
  ['de', '{{formatnum:1234567.8}} {{CURRENTMONTHNAME}} {{lc:ÄÖ}}', '1.234.567,8 März äö'],
  ['hi', '{{formatnum:12345678}}', '1,23,45,678'],
  ['pl', '{{plural:2|łódź|łodzie|łodzi}} {{plural:5|łódź|łodzie|łodzi}} {{formatnum:1234}}', 'łodzie łodzi 1234'],
  ['tr', '{{uc:i}} {{lc:I}}', 'İ ı'],
])('in the language %s %s gives %s', async (language, text, expected) => {
  expect(await expand(text, { config: { language } })).toBe(expected)
})
