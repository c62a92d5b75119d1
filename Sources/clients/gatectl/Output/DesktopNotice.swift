import GateTexts
import Glibc

/// Shows a refusal on the desktop: nobody reads the standard error of a program that was started by a click. The window
/// is not gatectl's own, since gatectl is linked statically and has no toolkit: gate-presenter shows it, or the
/// desktop's `notify-send` if gate-presenter is not installed. Either runs on after gatectl has ended.
enum DesktopNotice {
    /// Whether the person who started gatectl sees a desktop, and nothing of what gatectl prints: no standard stream is
    /// a terminal, and no other program reads the errors or gives the answers (`--json`, `--stdin`). A session bus does
    /// not count as a desktop, since services and log-ins over a network have one, too; a display does. `variable`
    /// returns an environment variable; `nil` if it is not set.
    static func isNeeded(hasTerminal: Bool, isReadByProgram: Bool, variable: (String) -> String?) -> Bool {
        guard !hasTerminal, !isReadByProgram else { return false }
        return ["WAYLAND_DISPLAY", "DISPLAY"].contains { !(variable($0) ?? "").isEmpty }
    }

    static func isNeeded(isReadByProgram: Bool) -> Bool {
        isNeeded(
            hasTerminal: [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].contains { isatty($0) == 1 },
            isReadByProgram: isReadByProgram, variable: { getenv($0).map { String(cString: $0) } })
    }

    /// The commands that can show the notice, the preferred one first. `details` are the address or the command line.
    /// gate-presenter is looked for in `folder`, which is gatectl's own; `nil` if that is not known.
    static func commands(_ notice: RefusalNotice, details: String, folder: String?) -> [[String]] {
        let details = VisibleText.line(details)
        // Notifications interpret their text as markup.
        let text = "\(details)\n\(notice.sentence)".replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        let presenter = folder.map {
            [
                "\($0)/gate-presenter", "--refused=\(notice.heading)", "--details=\(details)",
                "--because=\(notice.sentence)",
            ]
        }
        // A critical notification stays until somebody closes it, also while the person is not to be disturbed.
        let notification = ["notify-send", "--app-name=Gate", "--urgency=critical", "--", notice.heading, text]
        return [presenter, notification].compactMap(\.self)
    }

    /// Starts the first program that can be started. If there is none, nothing is shown.
    static func show(_ notice: RefusalNotice, details: String) {
        for command in commands(notice, details: details, folder: ThisProgram.folder) where Program.startApart(command)
        { return }
    }
}
