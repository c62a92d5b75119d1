import Foundation
import ProcessSupport
import Testing

@Suite("make install", .waitsForProcesses)
struct MakeInstallTests {
    private let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    @Test(
        "whatever the umask, installed files can be read by all and written only by their owner",
        arguments: ["000", "077"])
    func modes(umask: String) throws {
        let programs = URL(fileURLWithPath: builtProgram("gated")).deletingLastPathComponent().path
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let installed = try install(to: "\(folder)/to", programs: programs, umask: umask)
        #expect(installed.count { $0.hasPrefix("usr/lib/systemd/system/") } == 4)
        for windowed in ["presenter", "settings", "screen", "polkit", "pam.d"] {
            let names = installed.filter { $0.contains(windowed) && !$0.hasPrefix("usr/share/doc/") }
            #expect(names.isEmpty, "without SCREENS=1 nothing has windows")
        }
        // The pages are put into the folders that they have in the repository, so that links between them work.
        let pages = try FileManager.default.subpathsOfDirectory(atPath: "\(root)/docs")
            .filter { !$0.hasPrefix("screens/") && ($0.hasSuffix(".md") || $0.hasSuffix(".svg")) }
        for page in pages.map({ "docs/\($0)" }) + ["README.md", "CONTRIBUTING.md", "SECURITY.md"] {
            let path = "\(folder)/to/usr/share/doc/gate/\(page)"
            #expect(FileManager.default.fileExists(atPath: path), "\(page) is not installed")
            let text = try String(contentsOfFile: path, encoding: .utf8)
            for example in Set(text.matches(of: /\bexamples\/[\w.\/-]*\w/).map { String($0.0) }) {
                let installed = "\(folder)/to/usr/share/doc/gate/\(example)"
                #expect(FileManager.default.fileExists(atPath: installed), "\(page) leads to \(example)")
                let isProgram = FileManager.default.isExecutableFile(atPath: "\(root)/\(example)")
                #expect(FileManager.default.isExecutableFile(atPath: installed) == isProgram, "\(example)")
            }
        }

        // So do the manual pages, which stand elsewhere.
        var examples: Set<String> = []
        for page in installed where page.hasPrefix("usr/share/man/") {
            let text = try String(contentsOfFile: "\(folder)/to/\(page)", encoding: .utf8)
                .replacing("\\-", with: "-").replacing("\\f[R]", with: " ")
            let named = text.matches(of: /(\/usr\/share\/doc\/gate\/)?\bexamples\/[\w.\/-]*\w/).map { String($0.0) }
            examples.formUnion(named.filter { !$0.contains("/libgate") && !$0.contains("/python") })
        }
        #expect(examples.contains("/usr/share/doc/gate/examples/zenity-presenter"))
        for example in examples {
            #expect(FileManager.default.fileExists(atPath: "\(folder)/to\(example)"), "there is no \(example)")
        }

        for language in ["de", "ru", "zh_CN"] {
            let path = "\(folder)/to/usr/share/man/\(language)/man1/gatectl.1"
            let page = try String(contentsOfFile: path, encoding: .utf8).replacing("\\-", with: "-")
            for verb in [
                "setup", "status", "toggle", "lock", "asks", "allow", "refuse", "more-time", "people", "people set",
                "apps", "apps guard", "household", "household lock",
            ] {
                #expect(page.contains(try Regex("\n\\.SS gatectl \(verb)[ \n]")), "\(path) lacks \(verb)")
            }
            #expect(page.contains("\\fBaudit\\fR"), "\(path) does not name the other verbs")
            #expect(!page.contains(#/\b(the|is|of|and|with)\b/#), "\(path) has English in it")
        }

        try uninstall(from: "\(folder)/to")
    }

    @Test("the page about gatectl is in English, whoever makes it (L-07)")
    func page() throws {
        let made = try ChildProcess(
            "\(root)/docs/generate", ["markdown", builtProgram("gatectl")],
            environment: ["PATH": "/usr/bin:/bin", "LANG": "de_DE.UTF-8", "LANGUAGE": "ru"], hasInput: false
        ).ended()
        #expect(made.output == (try String(contentsOfFile: "\(root)/docs/gatectl.md", encoding: .utf8)))
    }

    @Test("with SCREENS=1 the programs with windows and what starts them are installed, and uninstalled (S-01)")
    func screens() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // If the tests are built without GTK, another program takes its place: the test is about where files go.
        let built = URL(fileURLWithPath: builtProgram("gated")).deletingLastPathComponent().path
        try FileManager.default.createDirectory(atPath: "\(folder)/a/release", withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/a/share", withDestinationPath: "\(built)/../share")
        for (name, program) in [
            ("gated", "gated"), ("gatectl", "gatectl"), ("gate-revenuecat", "gate-revenuecat"),
            ("gate-presenter", "gatectl"), ("gate-settings", "gatectl"),
        ] {
            try FileManager.default.createSymbolicLink(
                atPath: "\(folder)/a/release/\(name)", withDestinationPath: "\(built)/\(program)")
        }
        let to = "\(folder)/to"
        // polkit's folder can be read by its owner alone.
        let polkits = "usr/share/polkit-1/rules.d"
        try FileManager.default.createDirectory(atPath: "\(to)/\(polkits)", withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: "\(to)/\(polkits)")
        let installed = try install(
            to: to, programs: "\(folder)/a/release", private: polkits, "SCREENS=1", "PREFIX=/usr/local")
        for path in [
            "etc/pam.d/gate-screen", "\(polkits)/gate-screen.rules", "usr/local/bin/gate-settings",
            "usr/share/polkit-1/actions/gate-setup.policy",
            "usr/local/lib/systemd/system/gate-screen.service", "usr/local/share/applications/gate-settings.desktop",
            "usr/local/share/man/man1/gate-settings.1",
            "etc/xdg/autostart/gate-presenter.desktop", "usr/local/bin/gate-presenter",
            "usr/local/lib/systemd/user/gate-presenter.service", "usr/local/share/applications/gate-presenter.desktop",
            "usr/local/share/icons/hicolor/scalable/apps/gate-padlock.svg", "usr/local/share/man/man1/gate-presenter.1",
        ] {
            #expect(installed.contains(path), "\(path) is not installed")
        }
        let autostart = try String(contentsOfFile: "\(to)/etc/xdg/autostart/gate-presenter.desktop", encoding: .utf8)
        let lines = autostart.split(separator: "\n")
        #expect(lines.contains("Exec=/usr/local/bin/gate-presenter"))
        #expect(lines.contains("X-systemd-skip=true"), "autostart and unit would start two")
        let unit = try String(
            contentsOfFile: "\(to)/usr/local/lib/systemd/user/gate-presenter.service", encoding: .utf8)
        #expect(unit.contains("\nExecStart=/usr/local/bin/gate-presenter\n"))
        let screen = try String(
            contentsOfFile: "\(to)/usr/local/lib/systemd/system/gate-screen.service", encoding: .utf8
        ).split(separator: "\n")
        for line in [
            "ConditionPathExists=/usr/bin/cage", "ConditionPathExists=/usr/local/bin/gate-presenter",
            "ExecStart=/usr/bin/cage -s -- /usr/local/bin/gate-presenter --screen-of-its-own",
        ] {
            #expect(screen.contains { $0 == line }, "there is no \(line): Gate's programs alone are below PREFIX")
        }
        let action = try String(contentsOfFile: "\(to)/usr/share/polkit-1/actions/gate-setup.policy", encoding: .utf8)
        #expect(action.contains(">/usr/local/bin/gatectl<"), "pkexec compares the path of gatectl with this")
        try checkDesktopFiles([
            "\(to)/etc/xdg/autostart/gate-presenter.desktop",
            "\(to)/usr/local/share/applications/gate-presenter.desktop",
            "\(to)/usr/local/share/applications/gate-settings.desktop",
        ])
        try uninstall(from: to, "PREFIX=/usr/local")
    }

    @Test("while a file of PAM's names pam_gate.so, nothing is uninstalled")
    func namedByPAM() throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let programs = URL(fileURLWithPath: builtProgram("gated")).deletingLastPathComponent().path
        let to = "\(folder)/to"
        _ = try install(to: to, programs: programs)
        try FileManager.default.createDirectory(atPath: "\(to)/etc/pam.d", withIntermediateDirectories: true)
        let lines = [
            "sudo": "auth required pam_gate.so\n", "su": "# auth required pam_gate.so\n",
            "su~": "auth required pam_gate.so\n",
        ]
        for (name, line) in lines {
            try line.write(toFile: "\(to)/etc/pam.d/\(name)", atomically: true, encoding: .utf8)
        }
        let refusal = try ChildProcess(
            "/usr/bin/env", ["make", "-C", root, "uninstall", "DESTDIR=\(to)"], hasInput: false
        ).ended()
        #expect(refusal.status != 0)
        #expect(refusal.errors.contains("    \(to)/etc/pam.d/sudo\n"), "\(refusal.errors)")
        #expect(!refusal.errors.contains("pam.d/su\n") && !refusal.errors.contains("su~"), "\(refusal.errors)")
        for path in ["usr/sbin/gated", "usr/bin/gatectl", "usr/lib/systemd/system/gated.socket"] {
            #expect(FileManager.default.fileExists(atPath: "\(to)/\(path)"), "\(path) is gone")
        }
        try FileManager.default.removeItem(atPath: "\(to)/etc/pam.d")
        try uninstall(from: to)
    }

    /// Checks them where there is something to check them with, and that each has an icon that is installed.
    private func checkDesktopFiles(_ paths: [String]) throws {
        for path in paths {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(text.contains("\nIcon=gate-padlock\n"), "\(path) has another icon")
        }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/desktop-file-validate") else { return }
        let validation = try ChildProcess("/usr/bin/desktop-file-validate", paths, hasInput: false).ended()
        #expect(validation.status == 0, "\(validation.output) \(validation.errors)")
    }

    private func temporaryFolder() throws -> String {
        let folder = "/tmp/gate-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        return folder
    }

    /// Installs, and checks that nobody else can write to what is there now.
    ///
    /// - Parameter private: a folder that was there before, and is its owner's alone.
    /// - Returns: the files that are there now.
    private func install(
        to destination: String, programs: String, umask: String = "022", private folder: String? = nil,
        _ words: String...
    ) throws -> Set<String> {
        let install = [
            "make", "-C", root, "-o", "release", "install", "DESTDIR=\(destination)", "programs=\(programs)",
        ]
        let result = try ChildProcess(
            "/bin/sh", ["-c", "umask \(umask) && exec \"$@\"", "sh"] + install + words, hasInput: false
        ).ended()
        try #require(result.status == 0, "\(result.errors)")
        let installed = try #require(FileManager.default.enumerator(atPath: destination))
        var files: Set<String> = []
        for case let name as String in installed {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(destination)/\(name)")
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            let mode = try #require(attributes[.posixPermissions] as? Int)
            let isExpected = name == folder ? mode == 0o700 : mode == 0o755 || (mode == 0o644 && !isFolder)
            #expect(isExpected, "\(name) has mode \(String(mode, radix: 8))")
            if !isFolder { files.insert(name) }
        }
        return files
    }

    /// Removes everything, and checks that nothing is left.
    private func uninstall(from destination: String, _ words: String...) throws {
        let uninstall = ["make", "-C", root, "uninstall", "DESTDIR=\(destination)", "PURGE=1"] + words
        let removal = try ChildProcess("/usr/bin/env", uninstall, hasInput: false).ended()
        try #require(removal.status == 0, "\(removal.errors)")
        let left = try #require(FileManager.default.enumerator(atPath: destination))
        for case let name as String in left {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(destination)/\(name)", isDirectory: &isFolder)
            #expect(isFolder.boolValue, "\(name) is left")
        }
    }
}
