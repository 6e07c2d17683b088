/**
 * Path of the Chromium for tests, benchmarks and pictures: the one that CHROMIUM_PATH names, or else the first installed one.
 * The headless shell comes first: it is the same browser without windows, and takes about half the time for the tests.
 */

import { existsSync } from 'node:fs'

const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium']

/** It exists only if one is installed. */
export const browserPath = process.env.CHROMIUM_PATH ?? installed.find(existsSync) ?? installed[0]
