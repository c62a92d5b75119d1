import Foundation
import Glibc
import ProcessSupport
import Testing

/// `gatectl run` starts exactly the command that was shown.
@Suite("A command behind a gate", .serialized, .waitsForProcesses)
struct RunTests {
    @Test("streams, arguments and exit status are the command's own, and its environment is what was shown")
    func passesThrough() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let command = try ChildProcess(
            builtProgram("gatectl"),
            arguments(
                gate,
                [
                    "/usr/bin/env", "MARK=mark", "/bin/sh", "-c",
                    "read a; echo \"$a $1 $MARK $GATE_X $OTHER\"; echo oops >&2; exit 7", "sh", "a  b",
                ]),
            environment: ["OTHER": "other", "GATE_X": "x"])
        let question = try screen.answerSum(right: true)
        // The question shows the command as a shell would read it.
        #expect(question.contains("sh 'a  b'"))
        command.write("hello\nmore\n")
        let result = try command.ended()
        #expect(result.status == 7)
        #expect(result.output == "hello a  b mark  \n")
        #expect(result.errors == "oops\n")
    }

    @Test("a signal to gatectl reaches the command, which may handle it")
    func signalIsCaught() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let command = try startUnblocked(
            gate,
            [
                "/bin/sh", "-c",
                "sleep 1000 >/dev/null 2>&1 & trap 'kill $!; echo caught; exit 9' USR1; echo ready; wait",
            ])
        try screen.answerSum(right: true)
        #expect(try command.nextLine() == "ready")
        command.signal(SIGUSR1)
        let result = try command.ended()
        #expect(result.output == "ready\ncaught\n")
        #expect(result.status == 9)
    }

    @Test("a signal that would have ended gatectl ends the running command", arguments: [SIGTERM, SIGINT, SIGHUP])
    func signalEnds(signal: Int32) throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let command = try startUnblocked(gate, ["/bin/cat"])
        try screen.answerSum(right: true)
        command.write("hello\n")
        #expect(try command.nextLine() == "hello")
        command.signal(signal)
        #expect(try command.ended().status == 128 + signal)
    }

    @Test("the command gets no descriptors but the standard ones")
    func descriptors() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let words = arguments(gate, ["/bin/ls", "-l", "/proc/self/fd"]).map { "'\($0)'" }.joined(separator: " ")
        // Descriptor 9, which gatectl was given, is not inherited either.
        let command = try ChildProcess(
            "/bin/sh", ["-c", "exec 9</etc/passwd; exec '\(builtProgram("gatectl"))' \(words)"])
        try screen.answerSum(right: true)
        let result = try command.ended()
        #expect(result.status == 0)
        let open = result.output.split(separator: "\n").filter { $0.contains("->") }
        // The fourth is the folder that ls reads.
        #expect(open.count == 4, "\(result.output)")
        #expect(!result.output.contains("passwd") && !result.output.contains("socket"))
    }

    enum Change: String, CaseIterable {
        case replaced
        case rewritten
        case removed
        case linkTurned
        case folderSwapped
    }

    @Test("a command that is changed while the question is open does not start", arguments: Change.allCases)
    func changed(change: Change) throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let folder = gate.directory + "/programs"
        let files = FileManager.default
        for name in [folder, folder + "2"] {
            try files.createDirectory(atPath: name, withIntermediateDirectories: true)
        }
        let harmless = folder + "/tool"
        let harmful = folder + "2/tool"
        // Both programs have the same length, so that the size does not show the change.
        try makeProgram(endingWith: 0, at: harmless)
        try makeProgram(endingWith: 1, at: harmful)
        // A time that anybody who may write to the file can give it again.
        let written = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)]
        try files.setAttributes(written, ofItemAtPath: harmless)
        let link = gate.directory + "/link"
        try files.createSymbolicLink(atPath: link, withDestinationPath: harmless)
        let command = try start(gate, [change == .linkTurned ? link : harmless])
        _ = try screen.shown()
        switch change {
        case .replaced: rename(harmful, harmless)
        case .rewritten:
            try copyProgram(harmful, to: harmless)
            try files.setAttributes(written, ofItemAtPath: harmless)
        case .removed: unlink(harmless)
        case .linkTurned:
            unlink(link)
            symlink(harmful, link)
        case .folderSwapped:
            rename(folder, folder + "3")
            rename(folder + "2", folder)
        }
        try screen.answerSum(right: true)
        let result = try command.ended()
        #expect(result.status == 75)
        #expect(result.errors.contains("changed"))
        // Asked again, gatectl shows and starts the present file.
        guard change == .rewritten else { return }
        let again = try start(gate, [harmless])
        try screen.answerSum(right: true)
        #expect(try again.ended().status == 1)
    }

    @Test("writing through an earlier mapping of the file does not change what starts")
    func mapped() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let tool = gate.directory + "/tool"
        let other = gate.directory + "/other"
        try makeProgram(endingWith: 0, at: tool)
        try makeProgram(endingWith: 1, at: other)
        // Every page was written before, so that a later write changes neither of the file's times; and nobody has the
        // file open when it starts.
        let writer = try ChildProcess(
            "/usr/bin/env",
            [
                "python3", "-c",
                """
                import mmap, sys
                file = open(sys.argv[1], "r+b")
                memory = mmap.mmap(file.fileno(), 0)
                memory[:] = memory[:]
                print("mapped", flush=True)
                sys.stdin.readline()
                memory[:] = open(sys.argv[2], "rb").read()
                memory.close()
                file.close()
                print("written", flush=True)
                """, tool, other,
            ])
        #expect(try writer.nextLine() == "mapped")
        let command = try start(gate, [tool])
        #expect(try details(screen.shown()).contains("a copy of"))
        writer.write("now\n")
        #expect(try writer.nextLine() == "written")
        try screen.answerSum(right: true)
        #expect(try command.ended().status == 0)
        #expect(try ChildProcess(tool, []).ended().status == 1, "the file is another one by now")
    }

    @Test("a working folder whose path differs in its own mount namespace is refused, and nobody is asked")
    func otherFolder() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let folder = gate.directory + "/folder"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let words = arguments(gate, ["/bin/true"]).map { "'\($0)'" }.joined(separator: " ")
        let result = try ChildProcess(
            "/bin/sh", ["-c", "cd '\(folder)' && rmdir '\(folder)' && exec '\(builtProgram("gatectl"))' \(words)"],
            hasInput: false
        ).ended()
        #expect(result.status == 65 && result.errors.contains("no name"), "\(result.errors)")
        #expect(screen.everything.isEmpty)
    }

    @Test("the question shows the working folder, where a link leads, and a script's interpreter")
    func notes() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let link = gate.directory + "/name"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/usr/bin/true")
        let linked = try start(gate, [link])
        let shown = try details(screen.answerSum(right: true))
        #expect(shown.hasPrefix("\(link) (in /") && shown.hasSuffix("; it is /usr/bin/true)"), "\(shown)")
        #expect(try linked.ended().status == 0)
        // A script of the system.
        let script = try start(gate, ["/usr/bin/ldd", "--version"])
        #expect(try details(screen.answerSum(right: true)).contains("; read by /usr/bin/bash)"))
        let result = try script.ended()
        #expect(result.status == 0 && result.output.hasPrefix("ldd"), "it knows its name")
    }

    @Test(
        "a command does not get its own name if others than root can change the link, or if it begins with a dash",
        arguments: ["./link", "folder/bash", "-d/bash"])
    func ownName(path: String) throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let files = FileManager.default
        try files.createSymbolicLink(atPath: gate.directory + "/link", withDestinationPath: "/usr/bin/bash")
        for name in ["folder", "-d"] {
            try files.createSymbolicLink(atPath: gate.directory + "/" + name, withDestinationPath: "/usr/bin")
        }
        let words = arguments(gate, [path, "-c", "echo $0; shopt login_shell"]).map { "'\($0)'" }
        let command = try ChildProcess(
            "/bin/sh",
            ["-c", "cd '\(gate.directory)' && exec '\(builtProgram("gatectl"))' \(words.joined(separator: " "))"])
        #expect(try details(screen.answerSum(right: true)).contains("/usr/bin/bash"))
        let lines = try command.ended().output.split(separator: "\n")
        #expect(lines.first == "/usr/bin/bash" && lines.last?.hasSuffix("off") == true, "\(lines)")
    }

    @Test("a program that a copy would change, or that can't be pinned, is refused with 65, and nobody is asked")
    func notPinned() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let script = gate.directory + "/script"
        try writeProgram("#!/bin/sh\n", to: script)
        let privileged = gate.directory + "/privileged"
        try copyProgram("/usr/bin/true", to: privileged)
        chmod(privileged, 0o4755)
        let loaded = gate.directory + "/loaded"
        try copyProgram("/usr/bin/true", to: loaded)
        let cases = [
            (script, "script"), (privileged, "setuid"), (loaded, "libraries"), ("/proc/self/exe", "/proc"),
            ("/dev/fd/0", "/proc"),
        ]
        for (command, reason) in cases {
            let input = try ChildProcess(
                "/bin/sh",
                ["-c", "exec \"$0\" \"$@\" < /usr/bin/true", builtProgram("gatectl")] + arguments(gate, [command]))
            let result = try input.ended()
            #expect(result.status == 65 && result.errors.contains(reason), "\(command): \(result.errors)")
        }
        #expect(screen.everything.isEmpty)
    }

    @Test("variables that can change what a program runs are removed from its environment")
    func environment() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let cleared = [
            "LD_LIBRARY_PATH", "PYTHONPATH", "PERL5LIB", "RUBYOPT", "NODE_OPTIONS", "BASH_ENV", "ENV", "GCONV_PATH",
        ]
        var variables = Dictionary(uniqueKeysWithValues: cleared.map { ($0, gate.directory) })
        variables["TERM"] = "xterm"
        variables["TZ"] = "Asia/Tokyo"
        variables["DISPLAY"] = ":x[$(id)]"
        variables["TERMINFO"] = gate.directory
        variables["PATH"] = "\(gate.directory):/usr/share:relative"
        let command = try ChildProcess(
            builtProgram("gatectl"), arguments(gate, ["/usr/bin/env"]), environment: variables)
        try screen.answerSum(right: true)
        let lines = try command.ended().output.split(separator: "\n").map(String.init)
        #expect(lines.contains("TERM=xterm") && !lines.contains("TERMINFO=\(gate.directory)"), "\(lines)")
        let path = try #require(lines.first { $0.hasPrefix("PATH=") }?.dropFirst(5).split(separator: ":"))
        #expect(path.contains("/usr/bin") && path.last == "/usr/share" && !path.contains { $0.hasPrefix("/tmp") })
        for name in cleared + ["TZ", "DISPLAY"] { #expect(!lines.contains { $0.hasPrefix("\(name)=") }) }
    }

    @Test("a command given by name is shown with its path, and changing PATH afterwards has no effect")
    func byName() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        for name in ["first", "second"] {
            try FileManager.default.createDirectory(
                atPath: gate.directory + "/" + name, withIntermediateDirectories: true)
        }
        try makeProgram(endingWith: 0, at: gate.directory + "/second/tool")
        let command = try ChildProcess(
            builtProgram("gatectl"), arguments(gate, ["tool"]),
            environment: ["PATH": "\(gate.directory)/first:\(gate.directory)/second:/usr/bin:/bin"])
        #expect(try screen.shown().contains("\(gate.directory)/second/tool"))
        // Now a program stands in front of it in PATH.
        try makeProgram(endingWith: 1, at: gate.directory + "/first/tool")
        try screen.answerSum(right: true)
        #expect(try command.ended().status == 0)
    }

    @Test("a command that can't start, or is too long to read, is refused with 65, and nobody is asked")
    func notAsked() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let text = gate.directory + "/text"
        try Data("no program".utf8).write(to: URL(filePath: text))
        let commands = [
            [text], [gate.directory], ["/dev/null"], ["there-is-no-such-program"], [""],
            ["/bin/echo", String(repeating: "x", count: 4096)],
        ]
        for command in commands {
            #expect(try start(gate, command).ended().status == 65, "\(command)")
        }
        #expect(screen.everything.isEmpty)
    }

    @Test(
        "an argument with invisible or misleading characters is shown escaped",
        arguments: [("a\nb", #"$'a\nb'"#), ("\u{1b}[2J", "$'"), ("\u{202e}gpj.exe", "$'"), ("a'; rm -rf ~ #", "'a'")])
    func writtenOut(argument: String, shown: String) throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let process = try start(gate, ["/bin/echo", argument])
        let question = try screen.shown()
        let details = try details(question)
        #expect(details.contains("/bin/echo \(shown)"), "\(details)")
        #expect(!details.unicodeScalars.contains { ["\n", "\u{1b}", "\u{202e}"].contains($0) })
        try screen.answerSum(right: true)
        // The command gets the argument unchanged.
        let result = try process.ended()
        #expect(result.status == 0)
        #expect(result.output == argument + "\n")
    }

    // MARK: -

    private func arguments(_ gate: RunningGate, _ command: [String]) -> [String] {
        ["run", "--gate", "link.open", "--socket", gate.socket, "--server-user", NSUserName(), "--"] + command
    }

    /// A program that needs no loader and no library.
    private func makeProgram(endingWith status: Int, at path: String) throws {
        let source = path + ".c"
        try Data("int main(void) { return \(status); }\n".utf8).write(to: URL(filePath: source))
        let compiler = try ChildProcess(
            "/usr/bin/env", ["gcc", "-static", source, "-o", path], hasInput: false)
        #expect(try compiler.ended().status == 0)
        unlink(source)
    }

    private func details(_ question: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(question.utf8)) as? [String: Any]
        return try #require((object?["text"] as? [String: Any])?["details"] as? String)
    }

    private func start(_ gate: RunningGate, _ command: [String]) throws -> ChildProcess {
        try ChildProcess(builtProgram("gatectl"), arguments(gate, command))
    }

    /// Starts the command with no signal blocked, since the threads of the tests block some, and with none ignored, as
    /// a shell does for a background job.
    private func startUnblocked(_ gate: RunningGate, _ command: [String]) throws -> ChildProcess {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try ChildProcess(
            "/usr/bin/env", ["--default-signal", builtProgram("gatectl")] + arguments(gate, command))
    }
}
