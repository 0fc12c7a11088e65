#compdef assay main.py
# zsh completion of assay, main.py and python main.py
# now: source <(assay --completion zsh)        in a checkout: source <(python main.py --completion zsh)
# always: assay --completion zsh > a folder of $fpath, as _assay

_assay_complete() {  # how many words call the program
    local kind row
    local -a answer values said
    answer=("${(@f)$("${(@)words[1,$1]}" --complete zsh "${(@)words[$1+1,CURRENT-1]}" "$PREFIX" 2>/dev/null </dev/null)}")
    kind=$answer[1]
    case $kind in
        files) compset -P '*='; _files; return ;;
        dirs) compset -P '*='; _files -/; return ;;
    esac
    for row in "${(@)answer[2,-1]}"; do
        [[ -n $row ]] || continue
        values+=("${row%%$'\t'*}")
        said+=("${row/$'\t'/  -- }")
    done
    if [[ $kind == nospace ]]; then
        compadd -S '' -l -d said -a values
    else
        compadd -l -d said -a values
    fi
}

_assay() { _assay_complete 1; }

_assay_python() {
    local -i at=2
    while ((at < CURRENT)); do
        case $words[at] in
            -m) if [[ $words[at+1] == assay ]] && ((at + 1 < CURRENT)); then _assay_complete $((at + 1)); return; fi
                break ;;
            -*) ((at += 1)) ;;
            main.py|*/main.py)
                if grep -qsE "from assay\.(cli\.)?main import main" -- "$words[at]"; then _assay_complete $at; return; fi
                break ;;
            *) break ;;
        esac
    done
    autoload -Uz _python
    if ! _python "$@" 2>/dev/null; then _files; fi
}

if [[ $funcstack[1] == _assay ]]; then
    _assay "$@"
else
    (( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
    compdef _assay assay main.py
    compdef _assay_python python python3
fi
