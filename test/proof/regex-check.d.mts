export function complaintAbout(regex: { readonly source: string; readonly flags: string }): Promise<string>
