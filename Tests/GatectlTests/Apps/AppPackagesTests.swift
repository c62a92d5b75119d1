import GateModel
import Testing

@testable import gatectl

@Suite("Which packages and files are an app's (X-04)")
struct AppPackagesTests {
    private let game = InstalledPackage("wesnoth", source: "wesnoth", needs: ["wesnoth-core", "libc6"])
    private let core = InstalledPackage("wesnoth-core", source: "wesnoth", needs: ["wesnoth-data"])
    private let data = InstalledPackage("wesnoth-data", source: "wesnoth")
    private let libc = InstalledPackage("libc6", source: "glibc", priority: "required")

    private func find(
        _ entry: InstalledPackage, program: InstalledPackage? = nil, others: [InstalledPackage] = [],
        withCode: Set<String> = [], isGuarded: Bool = false
    ) throws(GateError) -> Result<AppPackages, AppProblem> {
        try AppPackages.of(
            entry: entry, program: program, among: [game, core, data, libc] + others, isGuarded: isGuarded
        ) { package throws(GateError) in withCode.contains(package.name) }
    }

    private func names(_ result: Result<AppPackages, AppProblem>) -> [String]? {
        (try? result.get())?.packages.map(\.name).sorted()
    }

    @Test("an app has the packages of its source that it needs, however far away, and no others")
    func source() throws {
        #expect(names(try find(game, program: core)) == ["wesnoth", "wesnoth-core", "wesnoth-data"])
        #expect(names(try find(data, program: libc)) == ["wesnoth-data"])
    }

    @Test("a metapackage that needs an app keeps nobody from guarding it; a program that needs it does")
    func needed() throws {
        let other = InstalledPackage("games-all", source: "debian-games", needs: ["wesnoth"])
        #expect(names(try find(game, others: [other])) != nil)
        #expect(
            try find(game, others: [other], withCode: ["games-all"])
                == .failure(AppProblem(.needed, "wesnoth", by: "games-all")))
        #expect(
            names(try find(game, others: [other], withCode: ["games-all"], isGuarded: true)) != nil,
            "what was installed since does not open it")
    }

    @Test("a package of the app that others need stays open, and is named")
    func leftOut() throws {
        let other = InstalledPackage("editor", source: "editor", needs: ["wesnoth-data"])
        let found = try find(game, others: [other], withCode: ["editor"]).get()
        #expect(found.packages.map(\.name) == ["wesnoth", "wesnoth-core"])
        #expect(found.leftOut.map(\.package.name) == ["wesnoth-data"])
        let hold = AppContents.hold([], leftOut: found.leftOut)
        #expect(hold.strength == .hands)
        #expect(hold.reasons == [AppHold.Reason(word: .leftOut, what: "wesnoth-data", by: "editor")])
    }

    @Test("packages of the system and Gate's own are refused")
    func refused() throws {
        #expect(try find(libc) == .failure(AppProblem(.system, "libc6")))
        let gate = InstalledPackage("gate-settings", source: "gate")
        #expect(try find(gate, others: [gate]) == .failure(AppProblem(.gate)))
    }

    @Test(
        "the panel of a desktop, and what a desktop has one of, are parts of the system",
        arguments: ["x-session-manager", "x-window-manager", "x-display-manager", "polkit-1-auth-agent"])
    func desktop(provided: String) throws {
        var package = InstalledPackage("own", source: "own")
        #expect(!package.isOfSystem)
        package.provides = ["other", provided]
        #expect(try find(package, others: [package]) == .failure(AppProblem(.system, "own")))
        #expect(InstalledPackage("xfce4-panel", source: "xfce4-panel").isOfSystem)
    }

    @Test("a package of the app that the system needs stays open, whatever tells so")
    func leftOutForSystem() throws {
        let found = try AppPackages.of(
            entry: game, program: nil, among: [game, core, data], isOfSystem: { $0 == core }, hasCode: { _ in false }
        ).get()
        #expect(found.packages == [game])
        #expect(found.leftOut.map(\.package) == [core])
    }

    @Test("a line of dpkg-query is a package, unless it has no files")
    func line() throws {
        let line = "installed\tfoo:i386\tfoo\tfoo-src\tyes\trequired\tbar (>= 1) | baz, qux:any\tpre\tvirtual (= 2)"
        let package = try #require(InstalledPackage(line: line))
        #expect(package.id == "foo:i386")
        #expect(package.needs == ["bar", "baz", "qux", "pre"])
        #expect(package.provides == ["virtual"])
        #expect(package.isOfSystem)
        #expect(InstalledPackage(line: line.replacing("installed", with: "config-files")) == nil)
        #expect(InstalledPackage(line: "") == nil)
        var other = InstalledPackage("other", source: "other", needs: ["virtual"])
        #expect(other.needs(package))
        other.needs = []
        #expect(!other.needs(package))
    }

    @Test("a folder that only the app has is closed, and dpkg has to know of nothing in it but programs")
    func held() {
        let held = AppContents.held(
            code: [
                "/usr/games/x": .program, "/usr/lib/x/run": .script, "/usr/lib/x/a/b.py": .module,
                "/usr/lib/x/tool": .program, "/etc/X11/Xsession.d/90x": .script, "/usr/share/doc/x/ex.py": .module,
                "/usr/share/x/ex.py": .module,
            ],
            folders: [
                "/usr/lib/x", "/usr/lib/x/a", "/usr/share/doc/x", "/usr/share/games",
                "/usr/lib/x86_64-linux-gnu/perl5/5.36",
            ],
            compiled: ["/usr/lib/python3/dist-packages/__pycache__/x.cpython-311.pyc"])
        #expect(
            held.map(\.path) == [
                "/usr/games/x", "/usr/lib/python3/dist-packages/__pycache__/x.cpython-311.pyc", "/usr/lib/x",
                "/usr/lib/x/a/b.py", "/usr/lib/x/run", "/usr/lib/x/tool", "/usr/share/x/ex.py",
            ])
        #expect(
            held.filter(\.hasOverride).map(\.path) == [
                "/usr/games/x", "/usr/lib/x", "/usr/lib/x/tool", "/usr/share/x/ex.py",
            ])
        #expect(held.map { String($0.mode, radix: 8) } == ["710", "640", "750", "640", "750", "710", "640"])
        #expect(AppContents.hold(held, leftOut: []).reasons.map(\.word) == [.scripts, .modules])
        #expect(
            AppContents.hold([HeldPath(path: "/a", kind: .program, hasOverride: true)], leftOut: []).strength == .kernel
        )
    }

    @Test("bytecode belongs to the module of its name")
    func compiled() {
        #expect(AppContents.isCompiled("snake.cpython-311.pyc", from: ["snake.py"]))
        #expect(AppContents.isCompiled("snake.cpython-311.opt-1.pyc", from: ["snake.py"]))
        #expect(!AppContents.isCompiled("snakes.cpython-311.pyc", from: ["snake.py"]))
        #expect(!AppContents.isCompiled("snake.txt", from: ["snake.py"]))
    }

    private func kind(_ path: String, _ mode: UInt16, _ bytes: [UInt8]) -> CodeKind? {
        CodeKind(path: path, mode: mode) { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }
    }

    /// The beginning of an ELF file: type 2 is a program with a fixed place, 3 is shared, 1 is for a linker.
    private func elf(_ type: UInt8) -> [UInt8] {
        [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, type, 0, 62, 0] + [UInt8](repeating: 0, count: 80)
    }

    @Test("a file is what its first bytes, its name and its mode say")
    func kinds() {
        #expect(kind("/usr/games/x", 0o755, elf(2)) == .program)
        #expect(kind("/usr/games/x", 0o2755, elf(3)) == .program)
        #expect(kind("/usr/games/x", 0o710, elf(3)) == .program, "as it is when it is guarded")
        #expect(kind("/usr/lib/x/libx.so.1.2", 0o755, elf(3)) == .library)
        #expect(kind("/usr/lib/x/plugin", 0o644, elf(3)) == .library)
        #expect(kind("/usr/lib/x/x.o", 0o755, elf(1)) == .library)
        #expect(kind("/usr/games/x", 0o755, Array("#!/bin/sh\n".utf8)) == .script)
        #expect(kind("/usr/games/x", 0o755, Array("echo\n".utf8)) == .script, "a shell runs it, too")
        #expect(kind("/usr/lib/x/x.py", 0o644, []) == .module)
        #expect(kind("/usr/lib/x/x.py", 0o755, Array("#!/usr/bin/python3\n".utf8)) == .script)
        #expect(kind("/usr/share/x/main", 0o644, Array("#!/usr/bin/perl\n".utf8)) == .module)
        #expect(kind("/usr/share/x/level", 0o644, Array("level".utf8)) == nil)
        #expect(kind("/usr/share/x/x.png", 0o755, Array("PNG".utf8)) == nil)
        #expect(kind("/usr/share/x/x.png", 0o755, elf(2)) == .program, "whatever it is called")
        #expect(kind("/usr/share/x/.py", 0o644, []) == nil, "a name without a stem has no suffix")
    }
}
