/** The style sheet of HTML from the API: legible on any screen, without external resources. */

import type { Reply } from './handler.ts'

const style = `:root{color-scheme:light dark}
body{max-width:52rem;margin:2rem auto;padding:0 1rem;font:1rem/1.6 system-ui,sans-serif;color:light-dark(#202122,#e4e6e8);background:light-dark(#fff,#16181b);overflow-wrap:break-word}
h1,h2{font-family:Georgia,serif;font-weight:normal;border-bottom:1px solid light-dark(#c8ccd1,#54595d);line-height:1.3;margin:1.4em 0 .4em}
h3,h4,h5,h6{line-height:1.3;margin:1.2em 0 .3em}
a{color:light-dark(#36c,#88a3e8);text-decoration:none}a:hover{text-decoration:underline}
a.new{color:light-dark(#bf3c2c,#fd7865)}
a.external::after,a[rel~="mw:ExtLink"]:not(:has(img))::after{content:"\\2197";font-size:.75em;opacity:.6}
pre,code,kbd,samp,tt{font-family:ui-monospace,monospace;font-size:.9em}
pre{padding:.8em 1em;overflow-x:auto;border:1px solid light-dark(#eaecf0,#303336);background:light-dark(#f8f9fa,#202326)}
blockquote{margin:1em 2em;opacity:.9}
table{border-collapse:collapse}
.wikitable{margin:1em 0;background:light-dark(#f8f9fa,#202326)}
.wikitable>*>tr>*{border:1px solid light-dark(#a2a9b1,#54595d);padding:.2em .5em;vertical-align:top}
.wikitable>*>tr>th{background:light-dark(#eaecf0,#303336)}
figure{margin:.5em 0 1em}figure img,img{max-width:100%;height:auto}
figcaption{font-size:.875em;line-height:1.4}
figure[typeof~="mw:File/Thumb"],figure[typeof~="mw:File/Frame"],figure[typeof="mw:File/Thumb"]{float:right;clear:right;margin:.3em 0 1em 1.4em;padding:.3em;max-width:50%;border:1px solid light-dark(#c8ccd1,#54595d);background:light-dark(#f8f9fa,#202326)}
.mw-halign-left{float:left!important;clear:left!important;margin:.3em 1.4em 1em 0!important}
.mw-halign-right{float:right;clear:right}
.mw-halign-center{float:none!important;margin:.5em auto!important;width:fit-content}
.mw-halign-none{float:none!important}
.infobox{float:right;clear:right;margin:0 0 1em 1.4em;max-width:22rem;font-size:.875em;border:1px solid light-dark(#a2a9b1,#54595d);background:light-dark(#f8f9fa,#202326)}
.gallery{display:flex;flex-wrap:wrap;gap:.6em;padding:0;list-style:none}
.reference,sup,sub{line-height:1}.reference{font-size:.8em;vertical-align:super}
.references,.mw-references-wrap{font-size:.9em}.mw-references-columns{columns:20rem}
.mw-empty-elt{display:none}.error{color:light-dark(#bf3c2c,#fd7865)}
dl{margin:.3em 0}dd{margin-left:1.6em}
@media(max-width:40rem){figure[typeof~="mw:File/Thumb"],.infobox{float:none;max-width:100%;margin:.5em 0}}
`

/** Sends the style sheet. */
export async function styleSheet(): Promise<Reply> {
  return { type: 'text/css; charset=utf-8', body: style }
}
