/** Returns the source of the types of an OpenAPI document. */
export function clientRoutes(document: object): string
