export const shells = ["bash", "zsh", "fish"] as const;

/** Answers each line a candidate, with what it means behind a tab; `:files` and a text stand for the names of files behind that text. */
export const completeCommand = "__complete";

const bash = `_capstan() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line before
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files*)
        before="\${line#:files}"
        COMPREPLY+=($(compgen -P "$before" -f -- "\${current#"$before"}"))
        ;;
      *) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <(capstan ${completeCommand} -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == */ ]] && compopt -o nospace 2>/dev/null
  return 0
}
complete -F _capstan capstan
`;

const zsh = `(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
_capstan() {
  local line before
  local -a all
  all=("\${(@f)$(capstan ${completeCommand} -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $all; do
    case $line in
      :files*)
        before=\${line#:files}
        compadd -Q -f -p "$before" -- \${~:-\${PREFIX#$before}*}(N)
        ;;
      */$'\\t'*|*/) compadd -Q -S '' -- "\${line%%$'\\t'*}" ;;
      *) compadd -Q -- "\${line%%$'\\t'*}" ;;
    esac
  done
}
compdef _capstan capstan
`;

const fish = `function __capstan_complete
  set -l before (commandline -opc)
  for line in (capstan ${completeCommand} -- $before[2..] "$(commandline -ct)" 2>/dev/null)
    if string match -q -- ':files*' $line
      set -l start (string sub -s 7 -- $line)
      set -l rest (string sub -s (math (string length -- "$start") + 1) -- "$(commandline -ct)")
      for path in $rest*
        test -d $path; and echo $start$path/; or echo $start$path
      end
    else
      echo $line
    end
  end
end
complete -c capstan -f -a '(__capstan_complete)'
`;

/** The completion script of a shell: it asks the command itself for every word. */
export const completionScript = (shell: (typeof shells)[number]): string => ({ bash, zsh, fish })[shell];
