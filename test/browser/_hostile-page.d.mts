/** The text of the wiki that an attempt has seen; "" for nothing. It runs in a page. */
export type Attempt = (wiki: string, csrf: string) => Promise<string>

export const readingSession: Readonly<Record<string, Attempt>>
export const readingPages: Readonly<Record<string, Attempt>>
export const writing: Readonly<Record<string, Attempt>>
