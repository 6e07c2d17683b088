export const scenarios: Readonly<Record<string, unknown>>
