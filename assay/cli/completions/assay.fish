# fish completion of assay, main.py and python main.py
# now: assay --completion fish | source        in a checkout: python main.py --completion fish | source
# always: assay --completion fish > ~/.config/fish/completions/assay.fish

function __assay_calls --description 'How many words call Assay; fails if they call something else'
    set -l words (commandline -opc)
    set -l name (string replace -r '.*/' '' -- $words[1])
    if contains -- $name assay main.py
        echo 1
        return 0
    end
    for at in (seq 2 (count $words))
        switch $words[$at]
            case main.py '*/main.py'
                grep -qsE 'from assay\.(cli\.)?main import main' -- $words[$at]; or return 1
                echo $at
                return 0
            case -m
                set -l next (math $at + 1)
                test "$words[$next]" = assay; or return 1
                echo $next
                return 0
            case '-*'
            case '*'
                return 1
        end
    end
    return 1
end

function __assay_complete
    set -l words (commandline -opc)
    set -l calls (__assay_calls); or return
    set -l rest
    test (count $words) -gt $calls; and set rest $words[(math $calls + 1)..-1]
    set -l current (commandline -ct)
    set -l answer ($words[1..$calls] --complete fish $rest "$current" 2>/dev/null </dev/null)
    switch "$answer[1]"
        case files
            __fish_complete_path (string replace -r '^[^=]*=' '' -- "$current") | __assay_after "$current"
        case dirs
            __fish_complete_directories (string replace -r '^[^=]*=' '' -- "$current") | __assay_after "$current"
        case '*'
            printf '%s\n' $answer[2..-1]
    end
end

function __assay_after --description 'The beginning up to = before each line'
    set -l begun (string match -r '^[^=]*=' -- "$argv[1]")
    while read -l line
        printf '%s%s\n' "$begun" $line
    end
end

complete -c assay -f -a '(__assay_complete)'
complete -c main.py -f -a '(__assay_complete)'
for python in python python3
    complete -c $python -n '__assay_calls >/dev/null' -f -a '(__assay_complete)'
end
