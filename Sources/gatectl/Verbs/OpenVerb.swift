import ArgumentParser
import GateClient
import GateModel
import GatePolicy
import Glibc

struct OpenVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a link if the gated action link.open is granted.",
        discussion: """
            Links of http and https alone. A link is written in one way first: that is what the person sees, and what the \
            browser gets. The browser is the one that the policy names (`browser:`), else the first known one that is \
            installed. --browser takes another: whoever can run gatectl can run a browser, and the gate is in front of the \
            link. It takes the place of gatectl.

            To have all links of a desktop go this way: xdg-mime default gate-open.desktop x-scheme-handler/http \
            x-scheme-handler/https

            Where nobody can be asked: status 2, and nothing opens.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var policy: PolicyOptions

    @Option(help: ArgumentHelp("Another gated action.", valueName: "gated-action"))
    var gate = "link.open"

    @Option(help: ArgumentHelp("Another browser than the policy's; a path, or a name in PATH.", valueName: "program"))
    var browser: String?

    @Flag(help: "Print the question as text, and read answers line by line: a letter, or the value.")
    var stdin = false

    @Argument(help: "The link.")
    var link: String

    func perform(_ session: Session) async throws(GateError) {
        // Both before anybody is asked: what can't be opened is not asked about.
        let link = try LinkText(link)
        try Browser.checkCircle(link.text)
        let name = if let browser { browser } else { try browserOfPolicy() }
        let command = try Browser.find(named: name, searchPath: getenv("PATH").map { String(cString: $0) })
        _ = try await session.authorize(gate, details: link.text, readsStandardInput: stdin)
        throw CommandStart(
            command: command, arguments: [command.path, link.text], variables: [Browser.mark(link.text)]
        ).replaceThisProcess()
    }

    /// A policy that can't be read may have named a browser with fewer freedoms than the others: then none is taken.
    private func browserOfPolicy() throws(GateError) -> String? {
        do throws(PolicyError) {
            return try policy.policy(serverUser: connection.serverUser).browser
        } catch {
            throw GateError(
                .invalidArgument, .badPolicy, "The policy names the browser, and can't be read:\n\(error.description)")
        }
    }
}
