# msprof.fish: completion of msprof(1) for fish; 'msprof __complete' tells what can follow.

function __msprof_offers
    type -q msprof; or return
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    # --format=csv are two words
    set -l name (string match -r -- '^-[^=]*=' "$current")
    set -l value (string replace -r -- '^-[^=]*=' '' "$current")
    test -z "$name"; or set before $before (string trim -r -c = -- $name)

    set -l offers (command msprof __complete $before[2..] "$value" 2>/dev/null)
    switch "$offers[1]"
        case :directory
            set offers (__fish_complete_directories "$value" '')
        case :file
            set offers (__fish_complete_path "$value")
        case ':file *'
            set -l endings (string replace -a ' ' '|' (string replace ':file ' '' $offers[1]))
            set offers (__fish_complete_path "$value" | string match -r -- "^.*(?:/|\\.(?:$endings))(?:\t.*)?\$")
    end
    printf '%s\n' "$name"$offers
end

complete -c msprof -f -a '(__msprof_offers)'
