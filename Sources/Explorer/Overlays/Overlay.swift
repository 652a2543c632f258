/// What lies over the panes and takes all keys: one at a time.
///
/// A new one is a case here and in ``content``, and a folder of its own; a command that opens it is in ``ExplorerState/open(by:)``.
enum Overlay: Hashable, Sendable {
    case help(Help)
    case omnibox(Omnibox)
    case jump(Jump)
    case chooser(Chooser)
    case dialog(Dialog)
    case why(WhyCard)
    case question(QuestionForm)
    case entry(EntryForm)
    case comparison(Comparison)
    case variables(VariableBoard)
    case lab(LabBoard)
    case whatIf(WhatIfBoard)
    case trend(Trend)
    case hosts(HostBoard)

    var content: any OverlayContent {
        switch self {
        case .help(let help): help
        case .omnibox(let omnibox): omnibox
        case .jump(let jump): jump
        case .chooser(let chooser): chooser
        case .dialog(let dialog): dialog
        case .why(let card): card
        case .question(let form): form
        case .entry(let form): form
        case .comparison(let comparison): comparison
        case .variables(let board): board
        case .lab(let board): board
        case .whatIf(let board): board
        case .trend(let trend): trend
        case .hosts(let board): board
        }
    }
}

extension ExplorerState {
    /// Opens what a command opens wherever one is; `nil`: it opens nothing.
    mutating func open(by command: Command.ID) -> [ExplorerEffect]? {
        switch command {
        case .help: overlay = .help(Help(pane: screen.focus))
        case .palette: overlay = .omnibox(omnibox)
        case .jump: overlay = .jump(jump)
        case .chooseEnvironment: open(environmentChooser)
        case .chooseTheme: open(themeChooser)
        case .copy: open(copyChooser)
        case .method: if let chooser = choices(of: .method) { overlay = .chooser(chooser) }
        case .why: open(why)
        case .editVariables: open(variableBoard)
        case .lab: return openLab()
        case .whatIf: return openWhatIf()
        case .trend: return openTrend()
        case .hosts: open(hostBoard)
        default: return nil
        }
        return []
    }
}

/// What comes of asking for something over the panes. It is thrown by what another thing was asked of, which isn't to be had.
enum Opening: Error {
    case overlay(Overlay)
    /// Why there is nothing to show.
    case notice(String)
    case nothing

    static func chooser(_ chooser: Chooser) -> Self { .overlay(.chooser(chooser)) }
    static func entry(_ form: EntryForm) -> Self { .overlay(.entry(form)) }
    static func dialog(_ dialog: Dialog) -> Self { .overlay(.dialog(dialog)) }
}
