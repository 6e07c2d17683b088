/**
 * The environment of a command: streams, variables, folders. `terminal.ts` builds it from the process; tests build
 * their own.
 */

/** Thrown when the reader of the output has closed it (`wiki history X | head -1`): a reason to stop, not a failure. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe'
}

/** True for a broken pipe, whichever bundle threw it. */
export function isBrokenPipe(error: unknown): boolean {
  return error instanceof Error && error.name === 'BrokenPipe'
}

export interface Output {
  readonly isTTY: boolean
  /** Width in characters; 80 where nothing is known. */
  readonly columns: number
  /** Resolves when all of it has been handed over. Throws `BrokenPipe` when nobody reads any more. */
  write(chunk: string | Uint8Array): Promise<void>
}

export interface Input {
  readonly isTTY: boolean
  /** Everything up to the end. */
  bytes(): Promise<Uint8Array>
  /** The same in pieces, of any length. */
  chunks(): AsyncIterable<Uint8Array>
  /** One line, without its end; "" at the end of the input. */
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
  /** Resolves at the first SIGINT or SIGTERM. From this call on they no longer end the process. */
  stopped(): Promise<void>
}
