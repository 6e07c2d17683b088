export interface LockedPackage {
  readonly name: string
  readonly version: string
  readonly license: string
  readonly integrity: string
  readonly resolved: string
  readonly isDevelopment: boolean
  readonly runs: boolean
  readonly isBundled: boolean
}

export function readPackages(): LockedPackage[]
export function complaintsAbout(packages: readonly LockedPackage[]): string[]
export function pageOf(packages: readonly LockedPackage[]): string
