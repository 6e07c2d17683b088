/**
 * Published faults of installed packages, and the first sound release of each major version, for use where `npm audit` gets no
 * response. Read on 2026-11-22 in CVE records and in threads on GitHub, the newest of September and October: later ones may be
 * missing.
 */
export const advisories = [
  ['h3', 'CVE-2026-33128, GHSA-4hxc-9384-m385', 'line ends in server-sent events', ['1.15.9', '2.0.1']],
  ['h3', 'CVE-2026-23527', 'request smuggling', ['1.15.5']],
  ['h3', 'GHSA-wr4h-v87w-p3r7, GHSA-72gr-qfp7-vwhw', 'paths out of static files (not used)', ['1.15.9', '2.0.1']],
  ['h3', 'CVE-2026-33131', 'Host header and middleware', ['1.0.0', '2.0.1']],
  ['h3', 'CVE-2026-33490', 'prefixes of mounted applications (not used)', ['1.0.0', '2.0.1']],
  ['h3', 'GHSA-q5pr-72pq-83v3', 'count of session cookies (not used)', ['1.0.0', '2.0.1']],
  ['srvx', 'CVE-2026-33732', 'absolute addresses and middleware', ['0.11.13']],
  ['markdown-it', 'CVE-2026-2327, CVE-2026-48988', 'quadratic time', ['14.2.0']],
  ['linkify-it', 'CVE-2026-48801, CVE-2026-59887', 'quadratic time', ['5.0.2']],
  ['highlight.js', 'GHSA-7wwv-vh3v-89cq, CVE-2020-26237', 'regular expressions, prototypes', ['10.4.1']],
  ['diff', 'CVE-2026-24001', 'endless reading of patches', ['3.5.1', '4.0.4', '5.2.2', '8.0.3']],
  ['isomorphic-git', 'CVE-2021-30483', 'paths out of the work tree', ['1.8.2']],
  ['image-size', 'CVE-2025-71319, CVE-2025-71329, CVE-2025-71330', 'endless loops', ['2.0.3']],
  ['music-metadata', 'CVE-2026-32256, GHSA-f94x-6692-553q', 'endless loops', ['11.16.1']],
  ['file-type', 'CVE-2022-36313, CVE-2026-31808, GHSA-j47w-4g3g-c36v', 'endless loops, bombs', ['21.3.2']],
  [
    'sharp',
    'CVE-2026-33327, CVE-2026-33328, CVE-2026-35590, CVE-2026-35591, CVE-2025-29769, CVE-2023-40032',
    'libvips',
    ['0.35.0'],
  ],
  ['node-forge', 'CVE-2026-85393', 'forged RSA signatures (no release named; the check is in this one)', ['1.4.3']],
  [
    'node-forge',
    'CVE-2026-33891, CVE-2026-33894, CVE-2026-33895, CVE-2026-33896, CVE-2025-12816, CVE-2025-66031',
    'signatures, certificates, ASN.1',
    ['1.4.0'],
  ],
  ['sha.js', 'CVE-2025-9288', 'types of what is hashed', ['2.4.12']],
  ['minimist', 'CVE-2021-44906', 'prototypes', ['1.2.6']],
  ['simple-get', 'CVE-2022-0355', 'cookies sent elsewhere', ['4.0.1']],
  ['picomatch', 'CVE-2026-33671, CVE-2026-33672', 'regular expressions, methods', ['4.0.4']],
  ['defu', 'CVE-2026-35209', 'prototypes', ['6.1.5']],
  ['vite', 'CVE-2026-39363, CVE-2026-39364, CVE-2026-39365, CVE-2026-53571, CVE-2026-53632', 'its server', ['8.0.16']],
  ['vitest', 'CVE-2026-47429', 'its server', ['3.2.6', '4.1.0']],
  ['esbuild', 'GHSA-67mh-4wv8-2f99, GHSA-g7r4-m6w7-qqqr, GHSA-gv7w-rqvm-qjhr', 'its server', ['0.28.1']],
  ['postcss', 'CVE-2026-41305, CVE-2026-45623, GHSA-r28c-9q8g-f849', 'style sheets of others', ['8.5.18']],
  ['nanoid', 'CVE-2026-67213, CVE-2026-73086, GHSA-28wg-ghj8-5hjv', 'endless loops, ids', ['3.3.18']],
  ['ajv', 'CVE-2025-69873', 'regular expressions', ['6.14.0', '8.18.0']],
  ['fast-uri', 'CVE-2026-6321 to CVE-2026-84394, ten of them', 'hosts and paths taken for others', ['3.1.7']],
  ['playwright-core', 'CVE-2025-59288', 'where browsers come from', ['1.55.1']],
].map(([name, ids, what, sound]) => ({ name, ids, what, sound }))

/**
 * Returns true if a release is sound: not older than the first sound one of its major version, or of a later major version than
 * all of these.
 */
export function isSound(version, sound) {
  const numbers = version.split('.').map(part => Number.parseInt(part, 10))
  const isSince = first => compareNumbers(numbers, first) >= 0
  const firsts = sound.map(first => first.split('.').map(Number))
  return firsts.some(first => first[0] === numbers[0] && isSince(first)) || firsts.every(first => first[0] < numbers[0])
}

function compareNumbers(a, b) {
  const at = a.findIndex((number, index) => number !== b[index])
  return at === -1 ? 0 : a[at] - b[at]
}
