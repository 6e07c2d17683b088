/**
 * Path of the Chromium that tests, benchmarks and pictures use: what CHROMIUM_PATH names, or else the first installed one. The
 * headless shell comes first: it is the same browser without its windows, and takes about half the time for the tests.
 */

import { existsSync } from 'node:fs'

const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** It exists only if one is installed. */
export const browserPath = process.env.CHROMIUM_PATH ?? installed.find(existsSync) ?? installed[0]
