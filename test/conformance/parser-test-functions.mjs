/** The parser functions that exist only in the parser tests, as the reference's test set-up defines them. */

const texts = call => Array.from({ length: call.count }, (_, index) => call.text(index))
const joined = call => texts(call).join(' ')
const chosen = call => call.text(call.text(0) === '' ? 2 : 1)

/** Names of arguments; those without a name are numbered. */
function argumentNames(call) {
  let count = 0
  return texts(call).map(text => (text.includes('=') ? text.slice(0, text.indexOf('=')) : String(++count)))
}

/** Makes the functions of the parser tests. */
export const parserTestFunctions = [
  { name: '#f1_wt', run: joined },
  { name: 'f1_wt_nohash', isVariable: true, run: joined },
  { name: '#f1_wt_hash', key: 'f1_wt_nohash', isVariable: true, run: joined },
  { name: '#f2_if', run: chosen },
  { name: '#もし', key: 'f2_if', run: chosen },
  { name: '#f3_uc', run: call => call.changed(0, text => text.toUpperCase()) },
  { name: '#f4_return_html', isVariable: true, run: () => 'html <b> contents</b>' },
  { name: '#f6_async_return', run: call => call.text(1) },
  { name: '#f7_kv', run: () => '(arguments)' },
  {
    name: '#pfh_countnamedargs',
    run: call => String(new Set(argumentNames(call)).size),
  },
  {
    name: '#f9_comment',
    isVariable: true,
    run: () => '<!-- WARNING: template omitted, post-expand include size too large -->',
  },
]
