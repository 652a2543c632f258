/// The scripts that connect a shell's completion with the program, which knows its options and the collection's names itself.
enum CompletionShell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    /// Each line of the program's answer is a candidate, a tab and its description, or `:files` or `:directories`.
    private static let bashScript = #"""
        # bash completion for turnstone. In ~/.bashrc: source <(turnstone completion bash)
        _turnstone() {
            local cur=${COMP_WORDS[COMP_CWORD]} line
            COMPREPLY=()
            while IFS= read -r line; do
                case $line in
                    :files)
                        compopt -o filenames 2>/dev/null
                        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$cur") ;;
                    :directories)
                        compopt -o filenames 2>/dev/null
                        while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$cur") ;;
                    # A name out of a file may have anything in it, which this shell would run.
                    *) printf -v line %q "${line%%$'\t'*}" && COMPREPLY+=("$line") ;;
                esac
            done < <("${COMP_WORDS[0]}" __complete "$COMP_CWORD" "${COMP_WORDS[@]//\\/}" 2>/dev/null)
            # A setting's value follows its colon without a space.
            [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace 2>/dev/null
            return 0
        }
        complete -F _turnstone turnstone
        """#

    private static let zshScript = #"""
        #compdef turnstone
        # zsh completion for turnstone. In ~/.zshrc, after compinit: source <(turnstone completion zsh)
        _turnstone() {
            local -a candidates
            local line
            for line in "${(@f)$("${words[1]}" __complete $((CURRENT - 1)) "${words[@]}" 2>/dev/null)}"; do
                case $line in
                    '') ;;
                    :files) _files ;;
                    :directories) _files -/ ;;
                    *) candidates+=("${${${line%%$'\t'*}//\\/\\\\}//:/\\:}:${line#*$'\t'}") ;;
                esac
            done
            (( ${#candidates} )) && _describe -V turnstone candidates
        }
        compdef _turnstone turnstone
        """#

    private static let fishScript = #"""
        # fish completion for turnstone. In ~/.config/fish/completions: turnstone completion fish > turnstone.fish
        function __turnstone_complete
            set -l words (commandline -opc) (commandline -ct)
            for line in ($words[1] __complete (math (count $words) - 1) $words 2>/dev/null)
                switch $line
                    case ':files'
                        __fish_complete_path (commandline -ct)
                    case ':directories'
                        __fish_complete_directories (commandline -ct)
                    case '*'
                        echo $line
                end
            end
        end
        complete -c turnstone -f -a '(__turnstone_complete)'
        """#
}
