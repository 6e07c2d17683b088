export function countOpeners(source: string): number
export function danglingCitations(source: string, read: (file: string) => string | null): string[]
export function exceeded(
  counts: Readonly<Record<string, Readonly<Record<string, number>>>>,
  limits: Readonly<Record<string, Readonly<Record<string, number>>>>,
): string[]
