# bash completion of assay, main.py and python main.py
# now: source <(assay --completion bash)        in a checkout: source <(python main.py --completion bash)
# always: assay --completion bash > ~/.local/share/bash-completion/completions/assay

_assay_complete() {  # how the program is called...
    local kind value line=${COMP_LINE:0:COMP_POINT}
    # bash takes a word apart at = and :, so the words are read from the line; what it holds already is cut
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    local whole=${words[${#words[@]}-1]}
    local cut=${whole%"${whole##*[=:]}"}
    COMPREPLY=()
    {
        read -r kind
        while IFS=$'\t' read -r value _; do
            [[ $value == "$whole"* ]] && COMPREPLY+=("${value#"$cut"}")
        done
    } < <("$@" --complete bash "${words[@]:$#}" 2>/dev/null </dev/null)
    case $kind in
        nospace) compopt -o nospace 2>/dev/null ;;
        files) COMPREPLY=() && compopt -o default 2>/dev/null ;;
        dirs) COMPREPLY=() && compopt -o dirnames 2>/dev/null ;;
    esac
    return 0
}

_assay() { _assay_complete "${COMP_WORDS[0]}"; }

_assay_python() {
    local at=1
    while ((at < COMP_CWORD)); do
        case ${COMP_WORDS[at]} in
            -m) [[ ${COMP_WORDS[at + 1]-} == assay ]] && ((at + 1 < COMP_CWORD)) &&
                _assay_complete "${COMP_WORDS[@]:0:at+2}" && return
                break ;;
            -*) ((at += 1)) ;;
            main.py | */main.py)
                grep -qsE "from assay\.(cli\.)?main import main" -- "${COMP_WORDS[at]}" &&
                    _assay_complete "${COMP_WORDS[@]:0:at+1}" && return
                break ;;
            *) break ;;
        esac
    done
    local before=_assay_before_${1//[^a-zA-Z0-9]/_}
    if [[ -n ${!before-} ]]; then
        "${!before}" "$@"
    else
        COMPREPLY=() && compopt -o bashdefault -o default 2>/dev/null
    fi
}

_assay_register() {
    local python known
    complete -F _assay assay main.py
    for python in python python3; do
        known=$(complete -p "$python" 2>/dev/null)
        if [[ $known =~ -F\ ([^ ]+) && ${BASH_REMATCH[1]} != _assay_python ]]; then
            printf -v "_assay_before_$python" %s "${BASH_REMATCH[1]}"
        fi
        complete -F _assay_python "$python"
    done
}
_assay_register
