import ArgumentParser
import GateClient
import GateModel
import GatePolicy
import GateTexts
import Glibc

struct OpenVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a link if the gated action link.open is granted.",
        discussion: """
            Only links with http and https. The link is brought into one canonical form, which the person sees and \
            the browser gets. The browser is the one that the policy names (`browser:`), else the first known one \
            that is installed, else the one that the desktop has for links, or any other that it knows. --browser takes another; the gate is before the link, not the browser. The browser \
            takes the place of gatectl.

            To have all links of a desktop go this way: xdg-mime default gate-open.desktop x-scheme-handler/http \
            x-scheme-handler/https

            If nobody can be asked: status 2, and nothing opens. If a desktop started it, without a terminal, a small \
            window says why nothing opens.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp("Another gated action.", valueName: "gated-action"),
        completion: NameCompletion.gatedActions)
    var gate = "link.open"

    @Option(help: ArgumentHelp("Another browser than the policy's; a path, or a name in PATH.", valueName: "program"))
    var browser: String?

    @Flag(help: "Print the question as text, and read answers line by line: a letter, or the value.")
    var stdin = false

    @Argument(help: "The link.")
    var link: String

    func perform(_ session: Session) async throws(GateError) {
        let opening = try LinkOpening(link, browser: browser, policy, connection)
        throw try await opening.open(session, gate: gate, readsStandardInput: stdin)
    }

    func showOnDesktop(_ error: GateError) {
        guard DesktopNotice.isNeeded(isReadByProgram: connection.json || stdin) else { return }
        if let notice = RefusalNotice(error, .page) { DesktopNotice.show(notice, details: link) }
    }
}

/// Opens a link in the browser if a gated action allows it.
struct LinkOpening: Sendable {
    private let link: LinkText
    private let browser: Browser

    /// Prepares everything before a person is asked, so that nobody is asked about a link that can't be opened.
    ///
    /// - Parameter browser: `nil`: the policy's browser.
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

    /// Has the opening authorized, and replaces this process with the browser.
    ///
    /// - Returns: only if the browser did not start: the reason.
    /// - Throws: the reason why the link may not be opened.
    func open(
        _ session: Session, gate: String = "link.open", readsStandardInput: Bool
    ) async throws(GateError) -> GateError {
        let request = AuthorizationRequest(gatedAction: gate, details: link.text)
        _ = try await session.authorize(request, readsStandardInput: readsStandardInput)
        return CommandStart(
            command: browser.command, arguments: browser.arguments(for: link.text),
            variables: [Browser.mark(link.text)]
        ).replaceThisProcess()
    }

    /// If the policy can't be read, no browser is used: the policy may name one that is more restricted than the
    /// others.
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
