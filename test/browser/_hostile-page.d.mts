/** What an attempt has seen of the wiki, as text; "" for nothing. It runs in a page. */
export type Attempt = (wiki: string, csrf: string) => Promise<string>

export const readingSession: Readonly<Record<string, Attempt>>
export const readingPages: Readonly<Record<string, Attempt>>
export const writing: Readonly<Record<string, Attempt>>
