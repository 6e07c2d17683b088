export const browserPath: string
