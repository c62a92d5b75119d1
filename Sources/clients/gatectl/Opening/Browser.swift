import GateModel
import GateTexts
import Glibc

struct Browser {
    let command: ResolvedCommand
    /// The desktop entry that names it; `nil`: it is started with the link as its only argument.
    private let entry: DesktopCommand?

    private init(_ command: ResolvedCommand, entry: DesktopCommand? = nil) {
        (self.command, self.entry) = (command, entry)
    }

    func arguments(for link: String) -> [String] {
        [command.path] + (entry?.arguments(for: link) ?? [link])
    }

    /// In order of preference. The first is the administrator's choice on Debian.
    static let known = [
        "x-www-browser", "firefox", "firefox-esr", "chromium", "chromium-browser", "google-chrome",
        "google-chrome-stable", "brave-browser", "microsoft-edge", "vivaldi", "opera", "epiphany-browser", "epiphany",
        "falkon", "konqueror", "qutebrowser", "midori",
    ]

    /// Programs that pass a link on to whatever handles links. If that is gatectl, it would ask again and again.
    static let openers: Set<String> = [
        "xdg-open", "sensible-browser", "gio", "gvfs-open", "gnome-open", "kde-open", "kde-open5", "kde-open6",
        "exo-open", "mimeopen", "run-mailcap", "gatectl",
    ]

    /// - Parameters:
    ///   - name: from the command line or the policy; `nil`: the first known browser that is installed, or else a
    ///     desktop entry.
    ///   - searchPath: as for `ResolvedCommand`.
    ///   - desktop: evaluated only if no known browser is installed.
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
