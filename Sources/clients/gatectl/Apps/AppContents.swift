import GateModel

/// A path of the app's packages that only the app's group may use.
struct HeldPath: Hashable {
    /// As the package names it.
    let path: String
    /// `nil`: a folder.
    let kind: CodeKind?
    /// Whether dpkg has to know the mode (`dpkg-statoverride`), so that an upgrade keeps it. This is not needed for
    /// files in a held folder: nobody can reach a new file there before the next run holds it, too.
    let hasOverride: Bool

    var mode: UInt16 { kind?.heldMode ?? 0o750 }
}

/// Finds the paths of an app that are held: all of its code, and the folders that only its packages have.
enum AppContents {
    /// - Parameters:
    ///   - code: the regular files of the packages that are code.
    ///   - folders: of the packages that no other package has, and that are folders.
    ///   - compiled: bytecode that Python has made on the device, which no package lists.
    static func held(code: [String: CodeKind], folders: Set<String>, compiled: [String]) -> [HeldPath] {
        let closed = folders.filter { canBeClosed($0) && !hasClosed(above: $0, folders) }
        let all =
            closed.map { HeldPath(path: $0, kind: nil, hasOverride: true) }
            + code.filter { canBeHeld($0.key) }.map { path, kind in
                HeldPath(path: path, kind: kind, hasOverride: kind == .program || !hasClosed(above: path, closed))
            } + compiled.map { HeldPath(path: $0, kind: .module, hasOverride: false) }
        // A folder comes before what is in it.
        return all.sorted { $0.path.compareBytes($1.path) < 0 }
    }

    static func hold(
        _ held: [HeldPath], leftOut: [(package: InstalledPackage, by: String)], unnamed: String? = nil
    ) -> AppHold {
        func first(_ kind: CodeKind) -> String? { held.first { $0.kind == kind }?.path }
        let reasons =
            [
                first(.script).map { AppHold.Reason(word: .scripts, what: $0) },
                first(.module).map { AppHold.Reason(word: .modules, what: $0) },
                unnamed.map { AppHold.Reason(word: .unnamed, what: $0) },
            ].compactMap(\.self) + leftOut.map { AppHold.Reason(word: .leftOut, what: $0.package.name, by: $0.by) }
        return AppHold(strength: reasons.isEmpty ? .kernel : .hands, reasons: reasons)
    }

    private static func hasClosed(above path: String, _ folders: Set<String>) -> Bool {
        var rest = path
        while let above = rest.cut(atLast: "/")?.before, !above.isEmpty {
            if folders.contains(above), canBeClosed(above) { return true }
            rest = above
        }
        return false
    }

    /// The folders in which packages leave files for other programs. A file that a shell, a session or the system reads
    /// there is not held, and neither is an example in the documentation.
    private static let readByOthers = [
        "/etc", "/var", "/usr/share/doc", "/usr/share/bash-completion", "/usr/share/zsh", "/usr/share/fish",
        "/usr/lib/systemd",
        "/lib/systemd", "/usr/lib/udev", "/lib/udev", "/usr/share/bug", "/usr/share/lintian", "/usr/share/apport",
        "/usr/lib/tmpfiles.d", "/usr/lib/sysusers.d", "/usr/share/polkit-1", "/usr/share/gdb",
    ]

    /// Folders whose contents everybody may read: documentation, pictures for menus, translations.
    private static let open = [
        "doc-base", "man", "info", "icons", "pixmaps", "locale", "help", "omf", "gnome", "applications",
        "metainfo", "appdata", "mime", "dbus-1", "glib-2.0", "menu", "themes", "fonts", "sounds", "thumbnailers",
        "pkgconfig", "aclocal", "desktop-directories", "app-install", "gtk-doc", "kde4", "knotifications5",
        "config.kcfg",
    ]

    /// Folders that many packages share, also where only one of them is installed so far.
    private static let shared: Set<String> = [
        "/usr/lib/games", "/usr/share/games", "/usr/lib/python3", "/usr/lib/python3/dist-packages",
        "/usr/share/python3",
        "/usr/share/perl5", "/usr/lib/perl5", "/usr/share/java", "/usr/share/javascript", "/usr/share/nodejs",
        "/usr/lib/nodejs", "/usr/lib/ruby", "/usr/lib/ruby/vendor_ruby", "/usr/share/lua", "/usr/share/tcltk",
        "/usr/lib/tcltk", "/usr/share/guile",
        "/usr/share/php", "/usr/share/gambas3", "/usr/lib/gambas3", "/usr/share/gjs-1.0", "/usr/lib/girepository-1.0",
        "/usr/share/qml", "/usr/lib/ocaml", "/usr/lib/jvm",
    ]

    /// Whether a package with this file is a part of the system: of its sessions, of logging in, or started with it.
    static func isOfSystem(_ path: String) -> Bool {
        [
            "/usr/share/xsessions", "/usr/share/wayland-sessions", "/etc/pam.d", "/etc/xdg/autostart",
            "/usr/lib/systemd/system", "/lib/systemd/system",
        ].contains { path.starts(withBytesOf: $0 + "/") }
    }

    static func canBeHeld(_ path: String) -> Bool { !readByOthers.contains { isIn(path, $0) } }

    /// Folders of that kind in the folder of an architecture, like /usr/lib/x86_64-linux-gnu/perl5.
    private static let sharedNames: Set<String> = ["perl5", "qt5", "qt6", "gio", "gtk-3.0", "gtk-4.0", "gstreamer-1.0"]

    static func canBeClosed(_ path: String) -> Bool {
        ["/usr/lib/", "/usr/libexec/", "/usr/games/", "/usr/share/", "/opt/"].contains {
            path.starts(withBytesOf: $0)
        } && canBeHeld(path) && !open.contains { isIn(path, "/usr/share/\($0)") } && !isShared(path)
    }

    private static func isShared(_ path: String) -> Bool {
        guard let (above, name) = path.cut(atLast: "/") else { return true }
        let triplet = "-linux-gnu"
        // A version of an interpreter, like 5.36.
        let isVersion = name.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2e }
        return isVersion || shared.contains(path) || path.ends(withBytesOf: triplet)
            || above.ends(withBytesOf: triplet) && sharedNames.contains(name)
    }

    private static func isIn(_ path: String, _ folder: String) -> Bool {
        path == folder || path.starts(withBytesOf: folder + "/")
    }

    /// Whether a file in a `__pycache__` was compiled from one of these modules (`foo.py` → `foo.cpython-311.pyc`).
    static func isCompiled(_ name: String, from modules: Set<String>) -> Bool {
        guard name.ends(withBytesOf: ".pyc"), let stem = name.cut(atFirst: ".")?.before else { return false }
        // A module's name has no dot.
        return modules.contains(stem + ".py")
    }
}
