# Completion of `delassus` in bash: commands and options are those that the program's own help names.
_delassus() {
  local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]} command= i
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == -* ]] || { command=${COMP_WORDS[i]}; break; }
  done
  COMPREPLY=()
  if [[ $word == -* ]]; then
    # shellcheck disable=SC2086 # without a command there is no argument
    COMPREPLY=($(compgen -W "$("$program" $command --help 2>/dev/null | grep -oE '^ +-[^ ]+' | tr ', ' '\n\n')" -- "$word"))
  elif [[ -z $command ]]; then
    COMPREPLY=($(compgen -W "$("$program" --help 2>/dev/null | sed -n '/^Subcommands:/,/^$/s/^  \([a-z][a-z-]*\) .*/\1/p')" -- "$word"))
  else
    local examples
    examples=$("$program" examples 2>/dev/null | sed -n 's/^  \([a-z0-9_]*\) .*/\1/p')
    COMPREPLY=($(compgen -W "$examples" -- "$word") $(compgen -f -- "$word"))
  fi
}
complete -o filenames -o bashdefault -F _delassus delassus
