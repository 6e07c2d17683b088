export function checkWiki(
  request: (path: string, init?: RequestInit) => Promise<Response>,
  titles: readonly string[],
): Promise<{ readonly seen: ReadonlyMap<string, number>; readonly faults: readonly string[] }>
