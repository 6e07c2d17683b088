export const situations: Readonly<Record<string, { readonly flaw?: RegExp }>>
