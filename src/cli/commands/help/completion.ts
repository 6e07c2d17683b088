/** `wiki completion`: prints scripts for shell completion of commands, options and titles. */

import { WikiError } from '../../../core/errors.ts'
import type { Command } from '../../command.ts'

/** Each script calls `wiki __complete` with the words up to the cursor. Without a result the shell offers files. */
const scripts: Readonly<Record<string, string>> = {
  bash: `_wiki() {
  local cur words cword
  if declare -F _get_comp_words_by_ref >/dev/null; then
    _get_comp_words_by_ref -n : cur words cword
  else
    words=("\${COMP_WORDS[@]}") cword=$COMP_CWORD cur=\${COMP_WORDS[COMP_CWORD]}
  fi
  local found
  COMPREPLY=()
  while IFS= read -r found; do
    printf -v found %q "$found"
    COMPREPLY+=("$found")
  done < <(wiki __complete -- "\${words[@]:1:cword}" 2>/dev/null)
  if declare -F __ltrim_colon_completions >/dev/null; then __ltrim_colon_completions "$cur"; fi
}
complete -o default -F _wiki wiki
`,
  zsh: `#compdef wiki
_wiki() {
  local -a found
  found=("\${(@f)$(wiki __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
if [[ "$funcstack[1]" = _wiki ]]; then _wiki "$@"; else compdef _wiki wiki; fi
`,
  fish: `function __wiki_complete
  set -l found (wiki __complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    string join \\n -- $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c wiki -f -a '(__wiki_complete)'
`,
}

const shells = Object.keys(scripts)

export const completion: Command = {
  summary: 'Print the completion script of a shell',
  arguments: { '<shell>': shells.join(', ') },
  examples: ['wiki completion bash > ~/.local/share/bash-completion/completions/wiki', 'source <(wiki completion zsh)'],
  completes: shells,
  async run(context, [shell = '']) {
    const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
    if (script === undefined)
      throw new WikiError('wiki-usage', { params: [`No completion for "${shell}"; there is ${shells.join(', ')}`] })
    await context.print(script)
  },
}
