import GateModel
import GateTexts
import Glibc

/// The program that shows web pages.
struct Browser {
    let command: ResolvedCommand
    /// By an entry of the desktop, which may have more words than the program; `nil`: it takes a link and nothing else.
    private let entry: DesktopCommand?

    private init(_ command: ResolvedCommand, entry: DesktopCommand? = nil) {
        (self.command, self.entry) = (command, entry)
    }

    /// The command line that opens a link.
    func arguments(for link: String) -> [String] {
        [command.path] + (entry?.arguments(for: link) ?? [link])
    }

    /// In the order of preference. The first is the administrator's choice on Debian.
    static let known = [
        "x-www-browser", "firefox", "firefox-esr", "chromium", "chromium-browser", "google-chrome",
        "google-chrome-stable", "brave-browser", "microsoft-edge", "vivaldi", "opera", "epiphany-browser", "epiphany",
        "falkon", "konqueror", "qutebrowser", "midori",
    ]

    /// They give a link to the program that handles links, which may be gatectl: it would ask again, for ever.
    static let openers: Set<String> = [
        "xdg-open", "sensible-browser", "gio", "gvfs-open", "gnome-open", "kde-open", "kde-open5", "kde-open6",
        "exo-open", "mimeopen", "run-mailcap", "gatectl",
    ]

    /// - Parameters:
    ///   - name: by the command line, else by the policy; `nil`: the first known one that is installed, else one that the desktop knows.
    ///   - searchPath: as `ResolvedCommand`'s.
    ///   - desktop: looked at where no known one is installed.
    /// - Throws: `NOT_FOUND` where there is none; `INVALID_ARGUMENT` where it would come back to gatectl.
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

    /// Whether it leads back here, by its own name, or by that of the file that links lead to.
    private static func leadsBack(_ command: ResolvedCommand) -> Bool {
        let names = [command.path, command.pathWithoutLinks].compactMap { $0?.lastPathPart }
        return command.isThisProgram || names.contains { openers.contains($0) }
    }

    // MARK: - A browser that gives the link back

    private static let marker = "GATE_OPENING"

    /// For the browser's environment: anyone who is started by it, with this same link, would go round in a circle.
    static func mark(_ link: String) -> String { "\(marker)=\(link)" }

    /// - Throws: `INVALID_ARGUMENT` where this program was started, through whatever else, by the browser that it gave this
    ///   link to.
    static func checkCircle(_ link: String) throws(GateError) {
        guard let opening = getenv(marker), String(cString: opening) == link else { return }
        throw GateError(
            .invalidArgument, .invalidRequest,
            saying: localized(
                "The browser has given the link back to whatever opens links, which is gatectl. Name a browser that shows it: `browser:` in /etc/gate/policy.yaml."
            ))
    }
}
