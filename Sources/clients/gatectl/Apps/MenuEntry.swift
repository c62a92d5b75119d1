import GateModel

/// An entry of the desktop's menu (Desktop Entry Specification), as far as guarding its app needs it.
struct MenuEntry {
    static let group = "Desktop Entry"
    /// In our entries that lead through Gate: the name of the app.
    static let mark = "X-Gate-App"

    /// The path below the folder of entries, like `kde4/foo.desktop`.
    let path: String
    private let file: KeyFile

    init(path: String, text: String) {
        self.path = path
        file = KeyFile(text)
    }

    /// The id without `.desktop`: the path with `-` in place of each slash.
    var id: String {
        let whole = path.parts(between: "/").joined(separator: "-")
        return whole.ends(withBytesOf: Self.suffix) ? String(whole.dropLast(Self.suffix.count)) : whole
    }

    static let suffix = ".desktop"

    var name: String? { AppName.of(id) }
    var title: LocalizedText { file.localized("Name", in: Self.group) ?? LocalizedText(id) }
    var icon: String { file.value("Icon", in: Self.group) ?? "" }
    var exec: ExecLine? { file.value("Exec", in: Self.group).flatMap { ExecLine($0) } }
    var tryExec: String? { file.value("TryExec", in: Self.group) }
    /// The folder that the program is started in; `nil` for the home folder.
    var folder: String? { file.value("Path", in: Self.group).flatMap { $0.isAbsolutePath ? $0 : nil } }
    var isForTerminal: Bool { file.isTrue("Terminal", in: Self.group) }
    var isApplication: Bool { file.raw("Type", in: Self.group) == "Application" }
    /// The app whose entry this is, if Gate has written it.
    var gateApp: String? { file.value(Self.mark, in: Self.group) }

    /// Whether a menu shows the entry. `desktops` are the names in XDG_CURRENT_DESKTOP; empty if that is unknown.
    func isShown(on desktops: [String]) -> Bool {
        guard isApplication, !file.isTrue("NoDisplay", in: Self.group), !file.isTrue("Hidden", in: Self.group) else {
            return false
        }
        guard !desktops.isEmpty else { return true }
        let only = file.list("OnlyShowIn", in: Self.group)
        return (only.isEmpty || only.contains(where: desktops.contains))
            && !file.list("NotShowIn", in: Self.group).contains(where: desktops.contains)
    }

    /// This entry, rewritten so that it starts its programs through Gate as the app `name`. Keys are left out if they
    /// would start a program past Gate, or hide the entry because the program can't be run.
    func throughGate(_ name: String) -> String {
        let exec = "Exec=gatectl apps run \(name)"
        // An entry that only D-Bus starts needs no Exec, until the key for that is left out.
        let added = file.raw("Exec", in: Self.group) == nil ? [exec] : []
        return file.rewritten(adding: ["\(Self.mark)=\(name)"] + added, to: Self.group) { line in
            switch line.key {
            case "Exec": exec
            case "TryExec", "DBusActivatable", Self.mark: nil
            default: line.text
            }
        }
    }
}

/// A service that the session's D-Bus starts when a program calls it.
struct BusService {
    static let group = "D-BUS Service"

    private let file: KeyFile

    init(_ text: String) { file = KeyFile(text) }

    var gateApp: String? { file.value(MenuEntry.mark, in: Self.group) }

    func throughGate(_ name: String) -> String {
        file.rewritten(adding: ["\(MenuEntry.mark)=\(name)"], to: Self.group) { line in
            switch line.key {
            case "Exec": "Exec=/usr/bin/gatectl apps run \(name)"
            case "SystemdService", MenuEntry.mark: nil
            default: line.text
            }
        }
    }
}
