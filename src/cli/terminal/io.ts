/**
 * The environment of a command: streams, variables, folders. `terminal.ts` builds it from the process; tests build
 * their own.
 */

/** Thrown when the reader of the output has closed it (`wiki history X | head -1`): a reason to stop, not a failure. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe'
}

/** Returns true for a broken pipe, whichever bundle threw it. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && error.name === 'BrokenPipe'
}

export interface Output {
  readonly isTTY: boolean
  /** Width in columns; 80 if unknown. */
  readonly columns: number
  /** Resolves when all of the chunk has been written. Throws `BrokenPipe` if the reader has closed the output. */
  write(chunk: string | Uint8Array): Promise<void>
}

/** Maximum bytes of an input. More than this is likely the wrong file. */
export const mostInput = 1024 * 1024 * 1024

export interface Input {
  readonly isTTY: boolean
  /** Reads everything up to the end. */
  bytes(): Promise<Uint8Array>
  /** Reads the same in chunks of any length. */
  chunks(): AsyncIterable<Uint8Array>
  /** Reads one line, without its end; "" at the end of the input. */
  line(): Promise<string>
}

export interface Io {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  /** Absolute. */
  readonly cwd: string
  /** Version of this program. */
  version(): string
  /** Resolves at the first SIGINT or SIGTERM. After the call these signals no longer end the process. */
  stopped(): Promise<void>
}
