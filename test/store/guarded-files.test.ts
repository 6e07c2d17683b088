import { expect, test } from 'vitest'
import { type GuardedKind, guardedKind, guardedKinds } from '../../src/store/format/guarded-files.ts'

/** Paths of each kind, also in spellings that some disk or tool takes for the same name. */
const paths: Readonly<Record<GuardedKind, readonly string[]>> = {
  settings: ['wiki.json', 'WIKI.JSON', 'w\u0131ki.json'],
  hidden: [
    '.gitattributes',
    '.gitmodules',
    '.npmrc',
    '.github/workflows/ci.yml',
    '.github/notes.md',
    '.GitHub/notes.md',
    '\u200c.github/notes.md',
    '.g\u200cit/hooks.md',
    '.gitlab-ci.yml',
    '.vscode/tasks.json',
    '.husky/pre-commit',
    '.editorconfig',
    'docs/.pages.md',
    'docs/.attachments/.hidden/a.md',
    'git~1/config.md',
  ],
  'short name': ['CLAUDE~1.MD', 'requir~1.txt', 'NODE_M~1/read.md', 'docs/a~12'],
  program: [
    'docs/intro.mdx',
    'Intro.MDX',
    'script.coffee.md',
    'Proof.lagda.md',
    'Proof.lagda.rst',
    'Main.idr.md',
    'maskfile.md',
    'emacs/init.org',
    'test_all.txt',
    'tests/Test plan.txt',
    'te\u017ft.txt',
  ],
  build: [
    'requirements.txt',
    'Requirements.txt',
    'REQUIREMENTS.TXT',
    'requirement\u017f.txt',
    'requirements-dev.txt',
    'dev_requirements.txt',
    'requirements/base.txt',
    'app/requirements.txt',
    'constraints.txt',
    'CMakeLists.txt',
    'src/CMakeLists.txt',
    'conanfile.txt',
    'meson_options.txt',
    'runtime.txt',
    'vendor/modules.txt',
    'boot/config.txt',
  ],
  'script title': [
    'User/Ada/common.js.wiki',
    'User/Ada/Skin.css.md',
    'MediaWiki/Common.js.wiki',
    'mediawiki/Common.CSS.md',
    'MediaWiki/Gadget-x.js%.txt',
    'User/Ada/Sub/common.json.wiki',
    '3f/User/Ada/common.js.wiki',
  ],
  site: ['robots.txt', 'public/Robots.txt', 'ads.txt', 'llms.txt'],
  agent: [
    'AGENTS.md',
    'AGENTS.override.md',
    'docs/agents.local.md',
    'CLAUDE.md',
    'CLAUDE.local.md',
    'docs/claude.md',
    'GEMINI.md',
    'codex.md',
    'AmazonQ.md',
    'skills/a/SKILL.md',
    'style.instructions.md',
  ],
  forge: [
    'PULL_REQUEST_TEMPLATE.md',
    'docs/pull_request_template/one.md',
    'ISSUE_TEMPLATE/bug.md',
    'issue_template.md',
  ],
  code: [
    'package.json',
    'tsconfig.json',
    'wiki-baseline.json',
    'composer.json',
    'build.js',
    'docs/wiki.json',
    'custom.css',
    'User/Ada/common.js',
    'User/Ada/common.css',
    'User/Ada/common.json',
    'MediaWiki/Common.css',
    'Template/Box/styles.css',
    'Data%.json',
    'pac\u212aage.json',
  ],
  other: [
    'Makefile',
    'Dockerfile',
    'Jenkinsfile',
    'CNAME',
    'CODEOWNERS',
    'conftest.py',
    '_config.yml',
    'mkdocs.yml',
    'pyproject.toml',
    'setup.cfg',
    'a.sh',
    'index.html',
    'page.md ',
    'page.md.',
    'page.md:stream',
  ],
}

/** Pages and media files, also those whose names resemble one of the table. */
const open = [
  'Home.md',
  'Tide times.wiki',
  'notes/Neap.markdown',
  'a.mediawiki',
  'Readme.txt',
  'notes/plan.rst',
  'guide.adoc',
  'journal.org',
  'Requirements.md',
  'Contest.txt',
  'Testing.md',
  'Package.json.md',
  'Agents of change.md',
  'Agents.history.md',
  'The claude.md.md',
  'Robots.md',
  'Configuration.wiki',
  'Template/Box.wiki',
  'User/Ada.wiki',
  'User/Ada/common.js/notes.wiki',
  'Talk/Common.js.wiki',
  'MediaWiki/Edittools.wiki',
  'e\u0301te\u0301.md',
  'File/Chart.svg',
  'File/Chart.png.md',
  'File/Notes.txt',
  'assets/logo.PNG',
  '.attachments/plan.png',
  'docs/.attachments/plan-1.png',
  'paper.pdf',
  'a~b.md',
]

test('the table has paths of every kind', () => {
  expect(Object.keys(paths)).toEqual([...Object.keys(guardedKinds), 'code', 'other'])
})

test.each(Object.entries(paths))('all spellings of a name are of its kind: %s', (kind, list) => {
  expect(list.map(path => [path, guardedKind(path, '')])).toEqual(list.map(path => [path, kind]))
})

test('pages and media files are open', () => {
  expect(open.filter(path => guardedKind(path, '') !== null)).toEqual([])
})

test('names count below the root, which may itself be hidden, and nothing outside of it is open', () => {
  const kinds = ['.wiki/Home.md', '.wiki/AGENTS.md', '.wiki/.git/a.md', 'Home.md', '.wikis/Home.md', 'wiki.json']
  expect(kinds.map(path => guardedKind(path, '.wiki'))).toEqual([
    null,
    'agent',
    'hidden',
    'other',
    'hidden',
    'settings',
  ])
})

test('the spelling of a path takes time in proportion to its length', () => {
  const marks = `a${'\u0301\u0316'.repeat(1_000_000)}.md`
  expect(guardedKind(marks, '')).toBe(null)
})
