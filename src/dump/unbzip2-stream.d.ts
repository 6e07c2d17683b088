declare module 'unbzip2-stream' {
  import type { EventEmitter } from 'node:events'

  /** A stream of the oldest kind: what it decodes comes as events while `write` runs. */
  interface Unbzip2 extends EventEmitter {
    write(chunk: Uint8Array): boolean
    end(): void
  }
  const unbzip2Stream: () => Unbzip2
  export = unbzip2Stream
}
