import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const reference = readFileSync('docs/reference/wikitext.md', 'utf8')

/** Limits of the reference page: start of the row, file and name of the constant. */
const limits = [
  ['steps of building', 'expansion/limits.ts', 'maximumSteps'],
  ['nesting of templates', 'expansion/limits.ts', 'maximumTemplateDepth'],
  ['nesting of braces', 'expansion/limits.ts', 'maximumExpansionDepth'],
  ['nodes expanded', 'expansion/limits.ts', 'maximumNodes'],
  ['text of all expansions', 'expansion/limits.ts', 'maximumIncludeSize'],
  ['rounds of requesting', 'convert.ts', 'maximumRounds'],
  ['texts and files', 'expansion/source-cache.ts', 'maximumRequests'],
  ['titles that one page', 'expansion/source-cache.ts', 'maximumTitles'],
  ['nesting of links, captions', 'tokenize/depth.ts', 'maximumDepth'],
  ['nesting of elements', 'tree/build.ts', 'maximumTreeDepth'],
  ['formatting reopened', 'tree/build.ts', 'maximumResumed'],
  ['code that is coloured', 'extensions/syntaxhighlight/tokens.ts', 'maximumCodeLength'],
  ['code that is coloured', 'extensions/syntaxhighlight/syntaxhighlight.ts', 'maximumMarkedLines'],
  ['`#expr`', 'functions/expression.ts', 'maximumLength'],
  ['`#expr`', 'functions/expression.ts', 'maximumStack'],
  ['`#time`', 'functions/time-functions.ts', 'maximumFormat'],
  ['`#time`', 'functions/time-parse.ts', 'maximumLength'],
  ['string functions', 'functions/string-functions.ts', 'maximumString'],
  ['padding', 'functions/text-functions.ts', 'maximumPadding'],
  ['TemplateData', 'extensions/templatedata.ts', 'maximumLength'],
  ['Markdown |', 'models/markdown.ts', 'maximumMarkdownLength'],
  ['front matter', 'models/front-matter.ts', 'maximumLength'],
  ['JSON shown', 'models/json.ts', 'maximumJsonDepth'],
  ['picture sizes', 'media/options.ts', 'maximumPixels'],
] as const

test.each(limits)('the reference page states the limit of "%s" (%s, %s)', (row, file, constant) => {
  const source = readFileSync(`src/wikitext/${file}`, 'utf8')
  const written = new RegExp(`const ${constant} = ([\\d_ *]+)$`, 'm').exec(source)?.[1] ?? ''
  const value = written.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1)
  const line = reference.split('\n').find(one => one.startsWith(`| ${row}`)) ?? ''
  expect(line.match(/[\d,]*\d/g)).toContain(value.toLocaleString('en-US'))
})
