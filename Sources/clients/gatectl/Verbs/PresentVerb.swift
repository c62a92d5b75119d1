import ArgumentParser
import GateModel
import GateTexts
import Glibc

struct PresentVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "present",
        abstract: localized("Show the questions of all programs on the device, and take the answers."),
        discussion: """
            On a terminal it fills the screen. A letter or the value answers, Escape dismisses, Ctrl-C leaves: an \
            open question then goes to the next screen. A mouse presses choices and buttons; beside a sheet, which has a \
            frame, it dismisses. Text is selected with Shift held down, as in other programs that take the mouse. A sign-in has two fields; a sign-in cover, which the \
            policy requires, can't be dismissed. A paywall closes by itself when it is paid for. A form is asked \
            item by item, as `gatectl form fill` does, and dismissed by Escape or :quit; the answers so far are \
            kept as a draft. If there are several drafts, a draft with a label, or kept responses, it asks first how to \
            begin. Return closes what's new, and s presses its second button. This is for users with the role \
            presenter. Secrets, sign-ins and requests for permission are shown only to users with the role \
            grown-up-presenter.

            With --exec a program is started for each presentation, without a shell. It gets the presentation as \
            JSON on its standard input, and what a dialog shows also as GATE_TITLE, GATE_DETAILS, GATE_ASKED, \
            GATE_HEADING, GATE_QUESTION, GATE_CHOICES, GATE_PRODUCTS and GATE_OFFERS (a line each), GATE_KIND, GATE_REQUEST, \
            GATE_NOTE and GATE_SECONDS. It prints one line: the answer as a person would type it, or \
            {"text":"24"}, {"secret":"2468"}, {"dismiss":true}, {"pressed":true} and later {"released":true}, \
            {"swipe":{"direction":"left","fingers":3}}. For a sign-in (kind "sign-in") it prints \
            {"name":"anna","password":"…"}; what was wrong with it is in GATE_NOTE when it is started again. A \
            paywall (kind "paywall") has no answer: the program stays until it is ended, or prints \
            {"dismissed":true}. Of what's new (kind "whats-new") it prints what a button says (GATE_CHOICES), \
            {"acknowledged":true} or {"secondary":true}. Of a form (kind "form") its JSON has "form" with "name", \
            "questionnaire" and "response" (FHIR), and the program prints a QuestionnaireResponse, over as many \
            lines as it likes; one with the status "completed" completes the form, any other is kept as the draft, \
            and the form is dismissed. A status other than 0, or no line, dismisses. The program is ended when the \
            presentation is closed.

            A program gets only what --kinds says that it can show; other presenters may show the rest. An answer that \
            it prints in the first second of a question is not taken, since nobody reads so fast; the program is \
            then started once more, with GATE_NOTE. Only a dismissal is taken at once. For a yes or a secret, the \
            program should require two separate acts, so that a key that was meant for the previous question is no \
            answer: examples/zenity-presenter does. Processes that the program leaves behind are not waited for.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Option(
        name: .customLong("exec"),
        help: ArgumentHelp("Start this program for each presentation.", valueName: "program"))
    var program: String?

    @Option(
        help: ArgumentHelp(
            """
            The kinds that can be shown, with commas between them. Default: all but swipe; with --exec the questions that any \
            dialog can take: no hold and no swipe, no sign-in, paywall, form or what's new.
            """,
            valueName: "kinds"),
        transform: { try NamesText.parse($0, "kind of presentation", named: \Presentation.Kind.name) })
    var kinds: Set<Presentation.Kind>?

    @Option(
        help: ArgumentHelp(
            "The styles that can be shown, with commas between them. Default: all.", valueName: "styles"),
        transform: { try NamesText.parse($0, "style", named: \Presentation.Style.rawValue) })
    var styles: Set<Presentation.Style>?

    @Argument(parsing: .postTerminator, help: "What the program is given.")
    var arguments: [String] = []

    func validate() throws {
        if program == nil {
            guard arguments.isEmpty else { throw ValidationError("Arguments go to a program: name it with --exec.") }
            if let kinds, !kinds.isSubset(of: TerminalPresenter.kinds) {
                throw ValidationError("A terminal can't take swipes. Leave 'swipe' out, or name a program with --exec.")
            }
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        let styles = styles ?? Set(Presentation.Style.allCases)
        if let program {
            let command = try ResolvedCommand(program, searchPath: getenv("PATH").map { String(cString: $0) })
            let abilities = PresenterAbilities(kinds: kinds ?? ExecPresenter.kinds, styles: styles)
            return try await ExecPresenter(
                gate: session.gate, program: PresentingProgram(path: command.path, arguments: arguments),
                abilities: abilities, output: session.output
            ).run()
        }
        guard let terminal = Terminal.ofThisProcess() else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "This needs a terminal. Run it on one, or name a program with --exec."
                ))
        }
        guard !Colours.isDumb else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "This needs a terminal where programs can draw, but TERM is 'dumb' here, or not set. Use another terminal, set TERM to what this one is, like xterm-256color, or name a program with --exec."
                ))
        }
        let abilities = PresenterAbilities(kinds: kinds ?? TerminalPresenter.kinds, styles: styles)
        try await TerminalPresenter(gate: session.gate, terminal: terminal, abilities: abilities).run()
    }
}
