import ArgumentParser
import GateModel
import GatePolicy
import GateTexts
import Glibc

// How gatectl opens a link: the verb, the opening if a gated action allows it, and which browser shows the link.

struct OpenVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: localized("Open a link if the gated action link.open is granted."),
        discussion: """
            Only links with http and https are opened. A link is brought into one canonical form, which the person \
            sees and the browser gets. The browser is the one that the policy names (`browser:`), otherwise the first \
            known one that is installed, otherwise the one that the desktop has for links, or any other that it knows. \
            --browser chooses another one: the gate guards the link, not the browser. The browser takes the place of \
            gatectl.

            To open all links of a desktop this way: xdg-mime default gate-open.desktop x-scheme-handler/http \
            x-scheme-handler/https

            If nobody can be asked, the status is 2, and nothing opens. If a desktop started the command, without a \
            terminal, a small window says why nothing opens.

            If the policy lets the question wait (may-wait), and no grown-up answers now, the status is 4. Open the \
            same link again after a grown-up has said yes.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp("Another gated action.", valueName: "gated-action"),
        completion: NameCompletion.gatedActions)
    var gate = "link.open"

    @Option(help: ArgumentHelp("Another browser than the policy's; a path, or a name in PATH.", valueName: "program"))
    var browser: String?

    @OptionGroup var question: QuestionOptions

    @Argument(help: "The link.")
    var link: String

    func perform(_ session: Session) async throws(GateError) {
        let opening = try LinkOpening(link, browser: browser, policy, connection)
        throw try await opening.open(session, gate: gate, readsStandardInput: question.stdin)
    }

    func showOnDesktop(_ error: GateError) {
        guard DesktopNotice.isNeeded(isReadByProgram: connection.json || question.stdin) else { return }
        if let notice = RefusalNotice(error, .page) { DesktopNotice.show(notice, details: link) }
    }
}

/// Opens a link in the browser if a gated action allows it.
struct LinkOpening: Sendable {
    private let link: LinkText
    private let browser: Browser

    /// Prepares everything before a person is asked, so that nobody is asked about a link that can't be opened. Without
    /// a browser, the policy's is used.
    /// - Throws: `INVALID_ARGUMENT` if the link or the policy is wrong; `NOT_FOUND` if there is no browser.
    init(
        _ link: String, browser: String?, _ policy: PolicyOptions, _ connection: ConnectionOptions
    ) throws(GateError) {
        self.link = try LinkText(link)
        try Browser.checkCircle(self.link.text)
        let name = if let browser { browser } else { try Self.browser(of: policy, connection) }
        self.browser = try Browser.find(
            named: name, searchPath: getenv("PATH").map { String(cString: $0) }, desktop: .ofSession())
    }

    /// Asks whether the link may be opened, and replaces this process with the browser. Returns why that did not start.
    /// - Throws: the reason why the link may not be opened.
    func open(
        _ session: Session, gate: String = "link.open", readsStandardInput: Bool
    ) async throws(GateError) -> GateError {
        let request = AuthorizationRequest(gatedAction: gate, details: link.text)
        try await session.authorize(request, opening: .page, readsStandardInput: readsStandardInput)
        return CommandStart(
            command: browser.command, arguments: browser.arguments(for: link.text),
            variables: [Browser.mark(link.text)]
        ).replaceThisProcess()
    }

    /// If the policy can't be read, no browser is used: the policy may name one that is more restricted than others.
    private static func browser(
        of policy: PolicyOptions, _ connection: ConnectionOptions
    ) throws(GateError) -> String? {
        do throws(PolicyError) {
            return try policy.policy(serverUser: connection.serverUser).browser
        } catch {
            throw GateError(
                .invalidArgument, .badPolicy,
                saying: localized("The policy names the browser, and can't be read:") + "\n\(error.description)")
        }
    }
}

struct Browser {
    let command: ResolvedCommand
    /// The desktop entry that says how to start the browser; `nil`: it is started with the link as its only argument.
    private let entry: DesktopCommand?

    private init(_ command: ResolvedCommand, entry: DesktopCommand? = nil) {
        (self.command, self.entry) = (command, entry)
    }

    func arguments(for link: String) -> [String] {
        [command.path] + (entry?.arguments(for: link) ?? [link])
    }

    /// The commands of browsers that are looked for, the preferred one first. On Debian, `x-www-browser` is the browser
    /// that the administrator has chosen for the device.
    static let known = [
        "x-www-browser", "firefox", "firefox-esr", "chromium", "chromium-browser", "google-chrome",
        "google-chrome-stable", "brave-browser", "microsoft-edge", "vivaldi", "opera", "epiphany-browser", "epiphany",
        "falkon", "konqueror", "qutebrowser", "midori",
    ]

    /// Programs that pass a link on to the desktop's handler of links. If the handler is gatectl, such a program would
    /// give the link back, and gatectl would ask again and again.
    static let openers: Set<String> = [
        "xdg-open", "sensible-browser", "gio", "gvfs-open", "gnome-open", "kde-open", "kde-open5", "kde-open6",
        "exo-open", "mimeopen", "run-mailcap", "gatectl",
    ]

    /// Finds the browser with this name, from the command line or the policy. If the name is `nil`, finds the first
    /// known browser that is installed, or else one of the desktop's entries. `searchPath` is as for `ResolvedCommand`;
    /// `desktop` is evaluated only if no known browser is installed.
    /// - Throws: `NOT_FOUND` if there is no browser; `INVALID_ARGUMENT` if it would pass the link back to gatectl.
    static func find(
        named name: String?, searchPath: String?, desktop: @autoclosure () -> DesktopBrowsers
    ) throws(GateError) -> Browser {
        if let name {
            let command = try ResolvedCommand(name, searchPath: searchPath)
            guard !leadsBack(command) else {
                throw GateError(
                    .invalidArgument, .invalidRequest,
                    saying: localized(
                        "'{name}' gives links to whatever handles them, which can be gatectl itself. Name a browser.",
                        ["name": name]))
            }
            return Browser(command)
        }
        for name in known {
            if let command = try? ResolvedCommand(name, searchPath: searchPath), !leadsBack(command) {
                return Browser(command)
            }
        }
        for entry in desktop().commands where !entry.leads(to: openers) {
            if let command = try? ResolvedCommand(entry.program, searchPath: searchPath), !leadsBack(command) {
                return Browser(command, entry: entry)
            }
        }
        throw GateError(
            .notFound, .invalidRequest,
            saying: localized(
                "No browser was found. Name one: `browser:` in /etc/gate/policy.yaml, or --browser."))
    }

    /// Whether it is gatectl or an opener, by its name or by the name of the file that its links lead to.
    private static func leadsBack(_ command: ResolvedCommand) -> Bool {
        let names = [command.path, command.pathWithoutLinks].compactMap { $0?.lastPathPart }
        return command.isThisProgram || names.contains { openers.contains($0) }
    }

    // MARK: - A browser that gives the link back

    private static let marker = "GATE_OPENING"

    /// A variable for the browser's environment, by which gatectl notices that the browser has given the link back.
    static func mark(_ link: String) -> String { "\(marker)=\(link)" }

    /// - Throws: `INVALID_ARGUMENT` if the browser has given this link back to gatectl, perhaps through other programs.
    static func checkCircle(_ link: String) throws(GateError) {
        guard let opening = getenv(marker), String(cString: opening) == link else { return }
        throw GateError(
            .invalidArgument, .invalidRequest,
            saying: localized(
                "The browser has given the link back to whatever opens links, which is gatectl. Name a browser that shows it: `browser:` in /etc/gate/policy.yaml."
            ))
    }
}
