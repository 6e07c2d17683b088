/** Decides for each stream whether output is coloured. chalk 5 ignores NO_COLOR, so its own detection is not used. */

import type { Output } from './io.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Applies one style to text, or returns it unchanged. */
export type Style = (text: string) => string

const styleNames = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan', 'underline', 'strikethrough'] as const
export type Paint = Readonly<Record<(typeof styleNames)[number], Style>>

/** No colours: every style returns the text unchanged. */
export const plain: Paint = stylesOf(() => text => text)

/**
 * Returns chalk's colour level for a stream: 0 none, 1 sixteen colours.
 *
 * In order of precedence: `--color`, NO_COLOR, FORCE_COLOR, TERM=dumb, whether the stream is a terminal. Source:
 * https://no-color.org (set and not empty).
 */
export function colourLevel(stream: Output, env: Env, choice: 'auto' | 'always' | 'never' = 'auto'): 0 | 1 {
  if (choice !== 'auto') return choice === 'always' ? 1 : 0
  if (env.NO_COLOR) return 0
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR === '0' || env.FORCE_COLOR === 'false' ? 0 : 1
  return stream.isTTY && env.TERM !== 'dumb' ? 1 : 0
}

/** Returns the styles for a colour level. chalk is loaded only for coloured output. */
export async function createPaint(level: 0 | 1): Promise<Paint> {
  if (level === 0) return plain
  const { Chalk } = await import('chalk')
  const chalk = new Chalk({ level })
  return stylesOf(name => text => chalk[name](text))
}

function stylesOf(style: (name: (typeof styleNames)[number]) => Style): Paint {
  return Object.fromEntries(styleNames.map(name => [name, style(name)])) as Record<keyof Paint, Style>
}
