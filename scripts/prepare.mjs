/**
 * Npm's `prepare` script: builds the package when it is installed from git. `npm install -g` of a git repository, as pre-commit
 * runs it, passes `--global` on to the installation of the dependencies, which then omits the build tools; this script installs
 * them.
 */

import { execFileSync } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

if (!isInstalled('esbuild')) {
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--global=false']
  execFileSync('npm', ['ci', ...options], { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
}
await import('./build.mjs')

function isInstalled(name) {
  try {
    import.meta.resolve(name)
    return true
  } catch {
    return false
  }
}
