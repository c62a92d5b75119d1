import Foundation
import GateModel
import Glibc
import ProcessSupport
import Testing

@testable import gatectl

@Suite("How a command is run")
struct RunningTests {
    private func header(_ path: String) throws -> ProgramHeader {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        return header(bytes)
    }

    private func header(_ bytes: [UInt8]) -> ProgramHeader {
        ProgramHeader { offset, count in
            guard (0..<bytes.count).contains(offset) else { return [] }
            return Array(bytes[offset..<min(bytes.count, offset + count)])
        }
    }

    @Test("a system's binary has a loader, and a script has an interpreter")
    func kinds() throws {
        #expect(try header("/usr/bin/true") == .binary(isWhole: false))
        #expect(header(Array("#!/bin/sh -e\nexit 0\n".utf8)) == .script(interpreter: "/bin/sh", argument: "-e"))
        #expect(
            header(Array("#! /usr/bin/env -S python3 -u\n".utf8))
                == .script(interpreter: "/usr/bin/env", argument: "-S python3 -u"))
        for text in ["", "#!", "#!\n", "echo x\n", "\u{7f}ELF"] { #expect(header(Array(text.utf8)) == .other) }
    }

    @Test("reading the header of a damaged binary traps nothing")
    func damaged() throws {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "/usr/bin/true")))
        var generator = SplitMix(seed: 11)
        for _ in 0..<2000 {
            var damaged = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
            for _ in 0..<Int.random(in: 1...8, using: &generator) where !damaged.isEmpty {
                let place = Int.random(in: 0..<min(damaged.count, 1024), using: &generator)
                damaged[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            _ = header(damaged)
        }
    }

    @Test("a path counts as changeable by others if they can write to a folder on it")
    func rootOnly() throws {
        #expect(RootOnly.resolved("/usr/bin/env")?.isRootOnly == true)
        #expect(!RootOnly.holds("/usr/bin/there-is-no-such-program"), "what is not there can be anything later")
        #expect(!RootOnly.holds("/proc/self/exe") && !RootOnly.holds("/dev/null") && !RootOnly.holds("/usr/../usr/bin"))
        #expect(!RootOnly.holds("/tmp/there-is-no-such-program"))
        #expect(!RootOnly.holds("relative") && !RootOnly.holds(""))
        #expect(RootOnly.folders(of: "/tmp:relative::/usr/bin:/no/such/folder") == ["/usr/bin"])
    }

    @Test("a separator is recognised as a byte, whatever accent follows it")
    func accents() {
        #expect(
            RunEnvironment.cleared(["PATH=\u{301}:/tmp:/usr/bin", "LD_\u{301}=x", "LD_AUDIT=\u{301}", "ENV=\u{301}"])
                == ["PATH=" + RunEnvironment.path("")])
        #expect(!RootOnly.holds("/tmp/\u{301}tool") && !RootOnly.holds("/tmp/\u{301}a/\u{302}b"))
        #expect(RootOnly.folders(of: "/usr/bin:\u{301}/tmp:/tmp") == ["/usr/bin"])
        #expect("a=\u{301}b=".cut(atFirst: "=")?.after == "\u{301}b=" && "/\u{301}".cut(atLast: "/")?.before == "")
        #expect("/a/\u{301}b//".lastPathPart == "\u{301}b" && "a:\u{301}".parts(between: ":").count == 2)
        #expect(CommandStart.environment(of: ["GATE_\u{301}=x", "GATE_SOCKET=\u{301}"]) == ["GATE_SOCKET=\u{301}"])
    }

    /// A 64-bit ELF file with these kinds of segments.
    private func binary(
        _ kinds: [Int], machine: Int = RunningTests.machine, type: Int = 2, kindOfFile: UInt8 = 2, entryBytes: Int = 56
    ) -> [UInt8] {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) } }
        var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, kindOfFile, 1] + bytes(0, 10)
        header += bytes(type, 2) + bytes(machine, 2) + bytes(0, 12) + bytes(64, 8)
        header += bytes(0, 14) + bytes(entryBytes, 2) + bytes(kinds.count, 2) + bytes(0, 6)
        return header + kinds.flatMap { bytes($0, 56) }
    }

    private static let machine: Int = {
        let own = try? Data(contentsOf: URL(fileURLWithPath: "/usr/bin/true"))
        return own.map { Int($0[18]) | Int($0[19]) << 8 } ?? 0
    }()

    @Test("a program without a loader is whole, and one that the kernel reads otherwise is no program")
    func wholePrograms() {
        let (loaded, dynamic, loader, header) = (1, 2, 3, 6)
        #expect(self.header(binary([loaded])) == .binary(isWhole: true))
        #expect(self.header(binary([header, loaded, dynamic], type: 3)) == .binary(isWhole: true))
        for kinds in [[loader, loaded], [loaded, loader], [header, loaded, dynamic, loader]] {
            #expect(self.header(binary(kinds)) == .binary(isWhole: false), "wherever it names its loader")
        }
        #expect(self.header(binary([])) == .other)
        #expect(self.header(binary([loaded], machine: 3)) == .other, "the kernel reads a header of 32 bits there")
        #expect(self.header(binary([loaded], kindOfFile: 1)) == .other)
        #expect(
            self.header(binary([loaded], type: 1)) == .other && self.header(binary([loaded], entryBytes: 32)) == .other)
        #expect(self.header(binary([Int](repeating: loaded, count: 1171))) == .other, "longer than the kernel reads")
        var narrow = binary([loaded])
        (narrow[42], narrow[44]) = (32, 1)
        #expect(self.header(narrow) == .other, "as a program of 32 bits it has a table of its own")
        #expect(self.header(Array(binary([loaded, loader]).dropLast())) == .other, "the table ends too early")
    }

    @Test("a path through /proc/PID/root does not count as root's, whatever it resolves to", .waitsForProcesses)
    func rootsOfOtherProcesses() throws {
        // Any user can have a namespace of their own in which another file lies there. `realpath` reads that link as `/`.
        let script = "mount --bind /usr/bin/true /usr/bin/env && echo mounted && exec sleep 600"
        let child = try ChildProcess(
            "/usr/bin/unshare", ["--user", "--map-root-user", "--mount", "/bin/sh", "-c", script])
        defer { child.kill() }
        guard try child.nextLineOrEnd() == "mounted" else {
            try Test.cancel("users can't have namespaces of their own here")
        }
        #expect(RootOnly.resolved("/proc/\(child.pid)/root/usr/bin/env")?.isRootOnly == false)
    }

    @Test("a path through another user's link does not count as root's, wherever the link is")
    func links() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gate-links-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createSymbolicLink(atPath: folder + "/bin", withDestinationPath: "/usr/bin")
        #expect(RootOnly.resolved(folder + "/bin/env")?.path.hasSuffix("/env") == true)
        #expect(RootOnly.resolved(folder + "/bin/env")?.isRootOnly == false)
        #expect(RootOnly.folders(of: "\(folder)/bin:/usr/bin") == ["/usr/bin"])
        // A link of root's is replaced by its target, so that nobody changes it before the program starts.
        if RootOnly.resolved("/bin")?.path == "/usr/bin" { #expect(RootOnly.folders(of: "/bin") == ["/usr/bin"]) }
    }

    @Test("each readable program on this device is recognised as one", .timeLimit(.minutes(2)))
    func programsOfThisDevice() throws {
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: "/usr/bin") {
            let path = "/usr/bin/\(name)"
            guard let file = FileHandle(forReadingAtPath: path) else { continue }
            defer { try? file.close() }
            func read(_ offset: Int, _ count: Int) -> [UInt8] {
                try? file.seek(toOffset: UInt64(offset))
                return (try? file.read(upToCount: count)).flatMap { $0 }.map(Array.init) ?? []
            }
            guard read(0, 6) == [0x7F, 0x45, 0x4C, 0x46, 2, 1] else { continue }
            count += 1
            if case .binary = ProgramHeader(read) { continue }
            Issue.record("\(path) is no binary")
        }
        #expect(count > 10)
    }

    @Test("only harmless variables stay in the environment, and in PATH only folders of root's without links")
    func environment() throws {
        let kept = [
            "LANG=de_DE.UTF-8", "LANGUAGE=de:en", "LC_TIME=C", "DISPLAY=:0",
            "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/1/bus", "GATE_SOCKET=/s", "COLUMNS=80",
        ]
        let cleared = [
            "LD_PRELOAD=x.so", "PYTHONPATH=", "PERL5OPT=-Mx", "BASH_FUNC_ls%%=() { :; }", "GTK_MODULES=x",
            "OPENSSL_CONF=x", "GIT_EXTERNAL_DIFF=x", "TEXTDOMAINDIR=/tmp", "TK_LIBRARY=/tmp", "SDL_OPENGL_LIBRARY=x",
            "LESSOPEN=|x", "TAR_OPTIONS=-Ix", "MARK=mark", "NO_VALUE", "=LD_PRELOAD=x",
            "DBUS_SESSION_BUS_ADDRESS=unixexec:path=/tmp/x", "DBUS_SESSION_BUS_ADDRESS=unix:path=/x;unixexec:path=/y",
            "COLUMNS=x[$(id)]", "LINES=", "XDG_VTNR=123456", "TERM=../x", "LANG=de/../x", "DES\u{212A}TOP_SESSION=x",
            "GATE_SOCKET=/other", "TZ=:/tmp/x", "TZ=/tmp/x", "TZ=../../tmp/x", "LC_ALL=/tmp/x", "LANGUAGE=../../tmp/x",
        ]
        let path = "PATH=" + RunEnvironment.path("")
        #expect(RunEnvironment.cleared(kept + cleared) == kept + [path])
        let home = try #require(getpwuid(getuid()))
        #expect(RunEnvironment.cleared(["HOME=/tmp"]) == ["HOME=" + String(cString: home.pointee.pw_dir), path])
        #expect(RunEnvironment.cleared(["USER=../x"]) == ["USER=" + String(cString: home.pointee.pw_name), path])
    }

    @Test("the system's folders come first in PATH, so that nothing hides their programs")
    func searchPath() throws {
        let system = RunEnvironment.path("")
        #expect(system.parts(between: ":").contains("/usr/bin"))
        #expect(RunEnvironment.cleared([]) == ["PATH=\(system)"] && RunEnvironment.cleared(["PATH="]).count == 1)
        for path in ["/tmp", "/usr/bin", "/bin", "/usr/bin:/tmp:/bin", "relative::/no/such/folder"] {
            #expect(RunEnvironment.path(path) == system)
        }
        #expect(RunEnvironment.path("/usr/share:/tmp:/usr/bin:/usr/share") == "\(system):/usr/share")
    }

    @Test(
        "a variable that a shell could take for a command is dropped",
        arguments: [
            ("DISPLAY", [":0", ":10.0", "localhost:10.0", "other-device:1"]),
            ("XDG_SESSION_ID", ["3", "c12"]), ("WAYLAND_DISPLAY", ["wayland-0", "/run/user/1000/wayland-1"]),
            ("XAUTHORITY", ["/run/user/1000/.mutter-Xwaylandauth.AB12C3", "/home/lina/.Xauthority"]),
            ("XDG_RUNTIME_DIR", ["/run/user/1000"]), ("GATE_SOCKET", ["/run/gated/gate.sock"]),
            ("PULSE_SERVER", ["unix:/run/user/1000/pulse/native", "/run/pulse", "tcp:localhost:4713"]),
            (
                "DBUS_SESSION_BUS_ADDRESS",
                [
                    "unix:path=/run/user/1000/bus",
                    "unix:abstract=/tmp/dbus-x%2fy,guid=0a1b;unix:path=/run/user/1000/bus",
                ]
            ),
            ("LANG", ["C.UTF-8", "ca_ES@valencia"]), ("XDG_CURRENT_DESKTOP", ["ubuntu:GNOME", "X-Cinnamon"]),
            ("LC_ALL", ["C"]), ("NO_COLOR", ["", "1"]),
        ])
    func forms(name: String, usual: [String]) {
        let path = "PATH=" + RunEnvironment.path("")
        for value in usual { #expect(RunEnvironment.cleared(["\(name)=\(value)"]) == ["\(name)=\(value)", path]) }
        let harmful = [
            "x[$(id)]", ":x[$(id)]", ":0[$(id)]", "/x[$(id)]", "a[`id`]", "/x\n/y", "unix:path=/x[$(id)0]", "-x",
            "/x y",
            "/x;id", "unix:/x[0]", "{x}unix:/y", "..", ":0\u{301}", "/\u{301}", "tcp:x[1]", "c1[0]",
        ]
        for value in harmful { #expect(RunEnvironment.cleared(["\(name)=\(value)"]) == [path], "\(name)=\(value)") }
    }

    @Test("an address or number in an unusual form is dropped")
    func otherForms() {
        let others = [
            "DISPLAY=", "DISPLAY=x", "DISPLAY=0", "DISPLAY=:", "DISPLAY=:0.", "DISPLAY=:0.0.0", "DISPLAY=:1234567",
            "DISPLAY=/tmp/x:0",
            "XDG_SESSION_ID=XAUTHORITY", "XDG_SESSION_ID=c", "XDG_SESSION_ID=", "XDG_SESSION_ID=3c",
            "XAUTHORITY=relative", "XDG_RUNTIME_DIR=relative", "XDG_RUNTIME_DIR=", "GATE_SOCKET=gate.sock",
            "WAYLAND_DISPLAY=../wayland-0", "DBUS_SESSION_BUS_ADDRESS=", "DBUS_SESSION_BUS_ADDRESS=tcp:host=x",
            "PULSE_SERVER=", "LC_a[0]=C", "LC_\u{301}=C", "LC_x=a", "LANGUAGE=de:..", "TZ=Europe/Berlin", "TZ=ABC-9",
        ]
        for variable in others {
            #expect(RunEnvironment.cleared([variable]) == ["PATH=" + RunEnvironment.path("")], "\(variable)")
        }
    }

    @Test("the terminal's type stays if the system describes it, with the system's description")
    func terminal() throws {
        let path = "PATH=" + RunEnvironment.path("")
        let given = RunEnvironment.cleared(["TERMINFO=/tmp/x", "TERM=xterm", "TERMINFO_DIRS=/tmp/y"])
        try #require(given.count == 3, "\(given)")
        #expect(given[0] == "TERM=xterm" && given[2] == path)
        let places = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
        #expect(places.contains { given[1] == "TERMINFO=\($0)" })
        for name in ["there-is-no-such-terminal", "", ".", "..", "x/xterm", "../x/xterm", "-xterm", "xterm\u{301}"] {
            #expect(RunEnvironment.cleared(["TERM=\(name)"]) == [path], "\(name)")
        }
    }
}
