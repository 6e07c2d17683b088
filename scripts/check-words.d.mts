export function countOpeners(source: string): number
export function danglingCitations(source: string, read: (file: string) => string | null): string[]
export function foggyPhrases(source: string): string[]
export function faultsOf(counts: Readonly<Record<string, Readonly<Record<string, number>>>>): string[]
export function headings(document: string): string[]
