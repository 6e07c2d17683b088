/** Expands templates, arguments, magic words and parser functions of one page to text, without waiting for anything. */

import type { WikiConfig } from '../../core/config.ts'
import { type Title, titleRules } from '../../core/title.ts'
import type { InTime } from '../bounded-time.ts'
import type { FunctionDefinition } from '../functions/function.ts'
import { hasVariants } from '../functions/languages.ts'
import { createLocales } from '../functions/locale.ts'
import { indexFunctions } from '../functions/registry.ts'
import type { Argument, PreNode, Preprocessed, Template } from '../preprocess/nodes.ts'
import { preprocess } from '../preprocess/preprocess.ts'
import type { Answers } from './answers.ts'
import type { Expanding } from './expanding.ts'
import { frameOf, withText } from './frame.ts'
import { type Effort, newBudget, spendSteps, spendTime } from './limits.ts'
import { createMarkers } from './markers.ts'
import { expandArgument, expandNodes } from './nodes.ts'
import { expandTemplate, findTemplate } from './template.ts'

/** What an expander is made for: one reading of one page. */
export interface ExpanderOptions {
  readonly title: Title
  readonly config: WikiConfig
  readonly answers: Answers
  /** Names of extension tags, lower case. */
  readonly tags: ReadonlySet<string>
  /** The time that CURRENT... magic words and `#time` tell. */
  readonly now: Date
  /** Origin of the wiki's addresses, such as `http://localhost:8080`. */
  readonly server: string
  /** The revision being shown; null for a text that is no saved page. */
  readonly page: PageFacts | null
  /** IANA name of the zone that LOCAL... magic words and `#timel` tell; UTC unless given. */
  readonly timeZone?: string
  /** Further parser functions. */
  readonly functions?: readonly FunctionDefinition[]
  /** What is being made: a page to show, or a text to save, where only `subst:` is expanded. To show, unless given. */
  readonly purpose?: 'show' | 'save'
  /** What the reading may take; without it the limits of pages. */
  readonly effort?: Effort | null
}

/** The revision being shown. */
export interface PageFacts {
  readonly id: number
  readonly revision: number
  /** ISO 8601, UTC. */
  readonly timestamp: string
  readonly user: string
}

/** A text with what its arguments stand for: the page itself, or a template called with parts. */
export interface Frame {
  /** The text that nodes expanded in this frame have their offsets in. */
  readonly text: string
  readonly title: Title
  /** Null for the page itself, where `{{{name}}}` has only its default. */
  readonly argument: ((name: string) => string | undefined) | null
  /** The frame that called this one; null for the page itself. */
  readonly parent: Frame | null
  /** 0 for the page itself. */
  readonly depth: number
}

/** An extension tag in expanded text, to be read with the frame it was written in. */
export interface FramedTag {
  readonly start: number
  readonly end: number
  readonly frame: Frame
  /** Where `{{#tag:}}` made it, what it made: its body may hold the sign of its own end. */
  readonly made?: MadeTag
}

/** A tag that `{{#tag:}}` wrote. */
export interface MadeTag {
  /** Lower case. */
  readonly name: string
  readonly openWidth: number
  readonly hasBody: boolean
  /** Tags in the body, offsets into the body. */
  readonly bodyTags: readonly FramedTag[]
}

/** What became of `{{...}}` or `{{{...}}}`. */
export interface Expansion {
  /**
   * `template`: a page was transcluded, or is missing, or would loop; `function`: a magic word or parser function;
   * `argument`: `{{{...}}}`; `plain`: it is none of these, its braces are text, and what stands inside is read by itself.
   */
  readonly kind: 'template' | 'function' | 'argument' | 'plain'
  /** Wikitext that is not to be expanded again, "" if it is plain; extension tags stand in it as their source. */
  readonly text: string
  /** Tags in `text`, ascending. Read `text` with `preprocessExpanded`, their bodies with their own frame. */
  readonly tags: readonly FramedTag[]
  /** The page transcluded, as it was named; null if there is none. */
  readonly target: Title | null
  /** Key of the magic word or parser function as `data-mw` names it (`if`, `currentday`), null for others. */
  readonly function: string | null
  /** True for a function that a caller added: `data-mw` tells of it in the form of such functions. */
  readonly isOwn?: boolean
}

/** What the page said about itself through parser functions. */
export interface PageProperties {
  /** Argument of the last DISPLAYTITLE; null if there was none. Not yet checked or cleaned. */
  displayTitle: string | null
  defaultSort: string | null
  /** Keys of all pages transcluded or tried, in order of first use. */
  readonly templates: Map<string, Title>
}

export interface Expander {
  /** The frame of the page itself, for its text or for a part of it. */
  readonly pageFrame: (text: string) => Frame
  /** The same arguments for another text, such as an extension tag's body. */
  readonly withText: (frame: Frame, text: string) => Frame
  /** Reads a text as the page is read. */
  readonly preprocess: (text: string) => Preprocessed
  /** Reads the text of an expansion: braces in it are text. */
  readonly preprocessExpanded: (text: string) => Preprocessed
  /** Expands one node of the frame's text. */
  readonly expandNode: (node: Template | Argument, frame: Frame) => Expansion
  /** Expands nodes of the frame's text for an attribute or a link's target: comments go, extension tags stay as source. */
  readonly expandToText: (nodes: readonly PreNode[], frame: Frame) => string
  readonly properties: PageProperties
  /** Spends of the page's time. Throws `EffortExceeded`. */
  readonly inTime: InTime
  /** Counts steps of building trees. Throws `EffortExceeded` and `wiki-page-too-complex`. */
  readonly spendSteps: (steps: number) => void
}

/** Steps that an expansion of the page's own text counts for, beside the nodes and the tokens that it makes. */
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
    properties: { displayTitle: null, defaultSort: null, templates: new Map() },
    ownFunctions: indexFunctions(options.functions ?? []),
    ownText: null,
    expand: (nodes, frame) => expandNodes(context, nodes, frame),
  }
  return context
}

/** Expands nodes that are a text of their own: nothing stands before a template, so no line has to begin there. */
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
