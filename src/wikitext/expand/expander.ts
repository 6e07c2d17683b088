/** Expands templates, arguments, magic words and parser functions of one page to text, without waiting for anything. */

import { titleRules } from '../../core/title.ts'
import type { Expanding } from '../expansion/expanding.ts'
import type { Expander, ExpanderOptions, Expansion } from '../expansion/expansion.ts'
import type { Frame } from '../expansion/frame.ts'
import { hasVariants } from '../expansion/languages.ts'
import { newBudget, spendSteps, spendTime } from '../expansion/limits.ts'
import { createLocales } from '../expansion/locale.ts'
import { createMarkers } from '../expansion/markers.ts'
import { indexFunctions } from '../functions/registry.ts'
import type { Argument, PreNode, Template } from '../preprocess/nodes.ts'
import { preprocess } from '../preprocess/preprocess.ts'
import { frameOf, withText } from './frame.ts'
import { expandArgument, expandNodes } from './nodes.ts'
import { expandTemplate, findTemplate } from './template.ts'

/** Steps counted for each expansion in the page's own text, in addition to the nodes and tokens that it produces. */
const templateSteps = 5

/** Makes the expander for one reading of a page. */
export function createExpander(options: ExpanderOptions): Expander {
  const context = expandingOf(options)
  const { tags } = options
  const { variants, markers } = context
  return {
    pageFrame: text => {
      context.ownText ??= text
      return frameOf(text, options.title)
    },
    withText,
    preprocess: text => preprocess(text, { tags, inclusion: 'page', variants }),
    preprocessExpanded: text => preprocess(text, { tags, inclusion: 'page', variants, braces: false }),
    expandNode: (node, frame) => {
      spendSteps(context.budget, templateSteps)
      const outcome =
        node.kind === 'template' ? topOutcome(context, node, frame) : argumentOutcome(context, node, frame)
      return { ...outcome, ...markers.restore(outcome.text) }
    },
    expandToText: (nodes, frame) => markers.restore(expandTop(context, nodes, frame)).text,
    properties: context.properties,
    inTime: work => spendTime(context.budget, work),
    spendSteps: steps => spendSteps(context.budget, steps),
  }
}

/** Prepares what all parts of an expansion share. */
export function expandingOf(options: ExpanderOptions): Expanding {
  const language = options.config.language.toLowerCase()
  const locales = createLocales()
  const context: Expanding = {
    ...options,
    purpose: options.purpose ?? 'show',
    rules: titleRules(options.config),
    language,
    locales,
    locale: locales(language),
    variants: hasVariants(language),
    markers: createMarkers(),
    budget: newBudget(options.effort),
    cache: new Map(),
    sources: new Map(),
    titles: new Map(),
    properties: { displayTitle: null, defaultSort: null, templates: new Map(), languages: new Map() },
    ownFunctions: indexFunctions(options.functions ?? []),
    ownText: null,
    expand: (nodes, frame) => expandNodes(context, nodes, frame),
  }
  return context
}

/** Expands nodes as a separate text. Nothing precedes a template in it, so no markup has to start a new line. */
function expandTop(context: Expanding, nodes: readonly PreNode[], frame: Frame): string {
  return nodes
    .map(node =>
      node.kind === 'template' ? expandTemplate(context, node, frame).text : expandNodes(context, [node], frame),
    )
    .join('')
}

function topOutcome(context: Expanding, node: Template, frame: Frame): Omit<Expansion, 'tags'> {
  return findTemplate(context, node, frame).outcome ?? { kind: 'plain', text: '', target: null, function: null }
}

function argumentOutcome(context: Expanding, node: Argument, frame: Frame): Omit<Expansion, 'tags'> {
  return { kind: 'argument', text: expandArgument(context, node, frame), target: null, function: null }
}
