import GateModel
import GateTexts
import Glibc

/// Which program opens a user's links: gate-open.desktop, whose `gatectl open` asks first, or a browser. It is an entry
/// in a file of the user's own, so it is read and written as that user, who may change it back.
enum LinkGate {
    private static let entry = "gate-open.desktop"
    private static let schemes = ["x-scheme-handler/http", "x-scheme-handler/https"]

    /// The package that is missing on this device for links to go through Gate; `nil` if none is.
    static var missingPackage: String? {
        access("/usr/bin/xdg-mime", X_OK) == 0 ? nil : "xdg-utils"
    }

    /// Whether the user's own list of programs names gate-open.desktop for links; `nil` if that could not be read: the
    /// user may have stopped the program that reads it.
    static func isOn(for user: DeviceUser) -> Bool? {
        let words = ["grep", "-qs", "^\(schemes[1])=\(entry)", list(of: user)]
        return Program.exitStatusWithoutTerminal(of: command(words, as: user)).map { $0 == 0 }
    }

    /// The sentence for root about a user whose list of programs could not be read.
    static func unreadText(of user: DeviceUser) -> String {
        localized(
            "{path} can't be read, so Gate can't tell which program opens the links of {user}.",
            ["path": list(of: user), "user": user.name])
    }

    static func set(_ isOn: Bool, for user: DeviceUser) throws(GateError) {
        let words =
            isOn ? ["xdg-mime", "default", entry] + schemes : ["sed", "-i", "/=\(entry);*$/d", list(of: user)]
        guard Program.exitStatusWithoutTerminal(of: command(words, as: user)) == 0, Self.isOn(for: user) == isOn else {
            throw GateError(
                .unavailable, .unspecified,
                saying: localized(
                    "{path} says which program opens links, and can't be changed. Log in as {user} and run: xdg-mime default gate-open.desktop x-scheme-handler/http x-scheme-handler/https",
                    ["path": list(of: user), "user": user.name]))
        }
    }

    private static func list(of user: DeviceUser) -> String { "\(user.home)/.config/mimeapps.list" }

    /// A command that runs as the user, with nothing of root's environment.
    private static func command(_ words: [String], as user: DeviceUser) -> [String] {
        ["runuser", "-u", user.name, "--", "env", "-i", "HOME=\(user.home)", "PATH=/usr/bin:/bin"] + words
    }
}
