#!/bin/sh
# What each shell offers, asked of the shell itself. The tables of options are the tool's own: what -h does not have must not be offered.
. "$(dirname "$0")/lib.sh"
PATH=$(dirname "$CORECAST"):$PATH # for the names of platforms
for shell in bash zsh fish; do cc completion $shell -o c.$shell; is "$RC" 0 "completion $shell"; done
cc completion powershell; fails 2 "one of 'bash', 'zsh' or 'fish'" "another shell"
cc completion bash x; fails 2 "no operand" "an operand"

in_bash() { # in_bash LINE: what bash would offer for its last word
    bash -c 'compopt() { :; }; source "$1"; shift; read -ra COMP_WORDS <<<"$1"; COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _corecast; echo "${COMPREPLY[*]}"' - c.bash "$1"
}
in_fish() { fish --no-config -c 'source c.fish; complete -C "$argv[1]"' "$1" 2>&1 | cut -f1 | paste -sd' ' -; }
ask_zsh() { # ask_zsh LINE…: one session for all, since it takes long to begin; in_zsh LINE: what its last word became
    timeout 60 zsh -f -c '
        zmodload zsh/zpty
        zpty z "zsh -f -i"
        zpty -w z "PROMPT=; unset zle_bracketed_paste; autoload -U compinit; compinit -u -D; source ./c.zsh
            show() { print -r -- \"<<\$BUFFER>>\"; BUFFER=; zle accept-line }; zle -N show; bindkey \"^X\" show; echo REA\"\"DY"
        zpty -r z out "*READY*"
        for line; do
            zpty -w -n z "$line"$'"'\\t\\x18'"'
            zpty -r z out "*>>*"
            became=${${out##*<<}%%>>*}
            print -r -- "$line:${${became% }##* }"
        done' - "$@" >zsh-answers
}
in_zsh() { sed -n "s/^$1://p" zsh-answers; }
cat >tried <<END
corecast pred:predict
corecast mine sc:scaling
corecast mine contention --method w:windows
corecast map --color n:never
corecast predict --platform many:manycore
corecast predict -p many:manycore
END
tries() { # tries SHELL: words that have one completion
    while IFS=: read -r line want; do is "$("in_$1" "$line")" "$want" "$1: $line"; done <tried
}
tries bash
is "$(in_bash 'corecast mine itemsets --s')" --support "bash: an option"
is "$(in_bash 'corecast mine itemsets --min')" "" "bash: none of another verb"
is "$(in_bash 'corecast record -- p')" "" "bash: nothing of ours after --"
if command -v fish >/dev/null; then
    export HOME="$WORK"
    tries fish
    is "$(in_fish 'corecast mine itemsets --s')" --support "fish: an option"
    is "$(in_fish 'corecast mine itemsets --min')" "" "fish: none of another verb"
    is "$(in_fish 'corecast record -- --eng')" "" "fish: nothing of ours after --"
    for command in $("$CORECAST" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do # all options of -h and no other
        "$CORECAST" "$command" -h | sed -nE 's/^  (-[a-zA-Z], |    )(--[a-z][a-z0-9-]*).*/\2/p' | sort -u >want
        fish --no-config -c 'source c.fish; complete -C "corecast $argv[1] --"; for v in $argv[2..-1]; complete -C "corecast $argv[1] $v --"; end' "$command" \
            $("$CORECAST" help "$command" | sed -n '/^ *usage:\|^       corecast/s/.*corecast [a-z]* \([a-z]*\) .*/\1/p') | cut -f1 | sort -u >got
        is "$(cat got)" "$(cat want)" "fish: the options of $command"
    done
else skip "fish" "no fish"; fi
if command -v zsh >/dev/null; then
    ask_zsh 'corecast pred' 'corecast mine sc' 'corecast mine contention --method w' 'corecast map --color n' 'corecast predict --platform many' \
        'corecast predict -p many' 'corecast mine itemsets --sup' 'corecast mine itemsets --min' 'corecast report --vie'
    tries zsh
    is "$(in_zsh 'corecast mine itemsets --sup')" --support= "zsh: an option"
    is "$(in_zsh 'corecast mine itemsets --min')" --min "zsh: none of another verb"
    is "$(in_zsh 'corecast report --vie')" --view= "zsh: an option that has the views"
    is "$(zsh -fn c.zsh 2>&1)" "" "zsh: reads as a whole"
else skip "zsh" "no zsh"; fi
done_testing
