import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const reference = readFileSync('docs/reference/wikitext.md', 'utf8')

/** Limits of the reference page: start of the row, file and name of the constant. */
const limits = [
  ['steps of building', 'expansion/limits.ts', 'maxSteps'],
  ['nesting of templates', 'expansion/limits.ts', 'maxTemplateDepth'],
  ['nesting of braces', 'expansion/limits.ts', 'maxExpansionDepth'],
  ['nodes expanded', 'expansion/limits.ts', 'maxNodes'],
  ['text of all expansions', 'expansion/limits.ts', 'maxIncludeSize'],
  ['rounds of requesting', 'convert.ts', 'maxRounds'],
  ['texts and files', 'expansion/source-cache.ts', 'maxRequests'],
  ['titles that one page', 'expansion/source-cache.ts', 'maxTitles'],
  ['nesting of links, captions', 'tokenize/depth.ts', 'maxDepth'],
  ['nesting of elements', 'tree/build.ts', 'maxTreeDepth'],
  ['formatting reopened', 'tree/build.ts', 'maxResumed'],
  ['code that is coloured', 'extensions/syntaxhighlight/tokens.ts', 'maxCodeLength'],
  ['code that is coloured', 'extensions/syntaxhighlight/syntaxhighlight.ts', 'maxMarkedLines'],
  ['`#expr`', 'functions/expression.ts', 'maxLength'],
  ['`#expr`', 'functions/expression.ts', 'maxStack'],
  ['`#time`', 'functions/time-functions.ts', 'maxFormat'],
  ['`#time`', 'functions/time-parse.ts', 'maxLength'],
  ['string functions', 'functions/string-functions.ts', 'maxString'],
  ['padding', 'functions/text-functions.ts', 'maxPadding'],
  ['TemplateData', 'extensions/templatedata.ts', 'maxLength'],
  ['Markdown |', 'models/markdown.ts', 'maxMarkdownLength'],
  ['front matter', '../core/front-matter.ts', 'longestFrontMatter'],
  ['JSON shown', 'models/json.ts', 'maxJsonDepth'],
  ['picture sizes', 'media/options.ts', 'maxPixels'],
] as const

test.each(limits)('the reference page states the limit of "%s" (%s, %s)', (row, file, constant) => {
  const source = readFileSync(`src/wikitext/${file}`, 'utf8')
  const written = new RegExp(`const ${constant} = ([\\d_ *]+)$`, 'm').exec(source)?.[1] ?? ''
  const value = written.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1)
  const line = reference.split('\n').find(one => one.startsWith(`| ${row}`)) ?? ''
  expect(line.match(/[\d,]*\d/g)).toContain(value.toLocaleString('en-US'))
})
