import CGateStatus
import Foundation
import Glibc
import ProcessSupport
import Testing

/// `gatectl run` and `gatectl open`: what was shown is what starts, and nothing else.
@Suite("A command behind a gate", .serialized, .waitsForProcesses)
struct RunTests {
    @Test("streams, arguments, environment and status are the command's own")
    func passesThrough() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let command = try ChildProcess(
            builtProgram("gatectl"),
            arguments(
                gate, ["/bin/sh", "-c", "read a; echo \"$a $1 $MARK $GATE_X\"; echo oops >&2; exit 7", "sh", "a  b"]),
            environment: ["MARK": "mark", "GATE_X": "x"])
        let question = try screen.answerSum(right: true)
        // As a shell would take it.
        #expect(question.contains("sh 'a  b'"))
        command.write("hello\nmore\n")
        let result = try command.ended()
        #expect(result.status == 7)
        #expect(result.output == "hello a  b mark \n")
        #expect(result.errors == "oops\n")
    }

    @Test("a signal reaches the command, which does with it what it likes")
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

    @Test("a signal that ends gatectl before ends the command afterwards", arguments: [SIGTERM, SIGINT, SIGHUP])
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
        // One that gatectl was given, too.
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

    @Test("a command that is changed while the question is open is not started", arguments: Change.allCases)
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
        // The same length, so that the size does not give it away.
        try copyProgram("/usr/bin/true", to: harmless)
        try copyProgram("/usr/bin/false", to: harmful)
        let link = gate.directory + "/link"
        try files.createSymbolicLink(atPath: link, withDestinationPath: harmless)
        let command = try start(gate, [change == .linkTurned ? link : harmless])
        _ = try screen.shown()
        switch change {
        case .replaced: rename(harmful, harmless)
        case .rewritten:
            var before = stat()
            stat(harmless, &before)
            try copyProgram(harmful, to: harmless)
            // Anyone who writes to it can set its time back.
            var times = [before.st_atim, before.st_mtim]
            utimensat(AT_FDCWD, harmless, &times, 0)
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
        // Asked for once more, what is there now is shown and started.
        guard change == .rewritten else { return }
        let again = try start(gate, [harmless])
        try screen.answerSum(right: true)
        #expect(try again.ended().status == 1)
    }

    @Test("what is written through a mapping that was there before is not what starts")
    func mapped() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let tool = gate.directory + "/tool"
        try copyProgram("/usr/bin/true", to: tool)
        // Every page is written to before, so that a later write changes neither of the file's times; and nobody has it open
        // when it starts.
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
                """, tool, "/usr/bin/false",
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

    @Test("where it runs, where a link leads and what reads a script is shown")
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

    @Test("what would be something else as a copy, or can't be pinned down, is refused with 65, and nobody is asked")
    func notPinned() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let script = gate.directory + "/script"
        try writeProgram("#!/bin/sh\n", to: script)
        let privileged = gate.directory + "/privileged"
        try copyProgram("/usr/bin/true", to: privileged)
        chmod(privileged, 0o4755)
        let beside = gate.directory + "/beside"
        let source = gate.directory + "/beside.c"
        try Data("int main(void) { return 0; }\n".utf8).write(to: URL(filePath: source))
        let compiler = try ChildProcess(
            "/usr/bin/env", ["gcc", "-Wl,-rpath,$ORIGIN/lib", source, "-o", beside], hasInput: false)
        #expect(try compiler.ended().status == 0)
        let cases = [
            (script, "script"), (privileged, "setuid"), (beside, "ORIGIN"), ("/proc/self/exe", "/proc"),
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

    @Test("what changes what a loader or an interpreter runs is not in the command's environment")
    func environment() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let cleared = [
            "LD_LIBRARY_PATH", "PYTHONPATH", "PERL5LIB", "RUBYOPT", "NODE_OPTIONS", "BASH_ENV", "ENV", "GCONV_PATH",
        ]
        var variables = Dictionary(uniqueKeysWithValues: cleared.map { ($0, gate.directory) })
        variables["MARK"] = "mark"
        variables["PATH"] = "\(gate.directory):/usr/bin:relative"
        let command = try ChildProcess(
            builtProgram("gatectl"), arguments(gate, ["/usr/bin/env"]), environment: variables)
        try screen.answerSum(right: true)
        let lines = try command.ended().output.split(separator: "\n").map(String.init)
        #expect(lines.contains("MARK=mark") && lines.contains("PATH=/usr/bin"), "\(lines)")
        for name in cleared { #expect(!lines.contains { $0.hasPrefix("\(name)=") }) }
    }

    @Test("a command by its name is shown by its path, and PATH can't be turned meanwhile")
    func byName() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        for name in ["first", "second"] {
            try FileManager.default.createDirectory(
                atPath: gate.directory + "/" + name, withIntermediateDirectories: true)
        }
        try copyProgram("/usr/bin/true", to: gate.directory + "/second/tool")
        let command = try ChildProcess(
            builtProgram("gatectl"), arguments(gate, ["tool"]),
            environment: ["PATH": "\(gate.directory)/first:\(gate.directory)/second:/usr/bin:/bin"])
        #expect(try screen.shown().contains("\(gate.directory)/second/tool"))
        // Now there is one in front of it.
        try copyProgram("/usr/bin/false", to: gate.directory + "/first/tool")
        try screen.answerSum(right: true)
        #expect(try command.ended().status == 0)
    }

    @Test("what can't be started, or is too long to be read, is refused with 65, and nobody is asked")
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
        "an argument that would draw something else than it is, is shown written out",
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
        // And comes as it was given.
        let result = try process.ended()
        #expect(result.status == 0)
        #expect(result.output == argument + "\n")
    }

    @Test(
        "a link that is not what it seems is refused with 65, and nobody is asked",
        arguments: [
            "javascript:alert(1)", "file:///etc/passwd", "ftp://example.org/", "data:text/html,hello", "example.org",
            "",
            "https://", "https://user@example.org/", "https://example.org:password@evil.example/",
            "https://example.org/\u{1b}[2J", "https://example.org/\n",
            "https://ex\u{430}mple.org/", "https://0x7f.1/", "https://2130706433/",
            "https://example.org:99999/", "https://[::1/", "https://exa mple.org/",
            "https://example.org\\@evil.example/",
            "https://" + String(repeating: "a", count: 2048),
        ])
    func badLink(link: String) throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let mark = gate.directory + "/mark"
        let browser = gate.directory + "/browser"
        try writeProgram("#!/bin/sh\ntouch '\(mark)'\n", to: browser)
        let result = try gate.gatectl("open", link, "--browser", browser)
        #expect(result.status == 65, "\(result.errors)")
        #expect(screen.everything.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test("what is hidden in a link is shown, and opened, written out")
    func writtenOutLink() throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let opened = gate.directory + "/opened"
        let browser = gate.directory + "/browser"
        try writeProgram("#!/bin/sh\necho \"$1\" >> '\(opened)'\n", to: browser)
        let requester = try gate.gatectlRunning(
            "open", "HTTPS://EXAMPLE.org/\u{202e}gpj/../a b", "--browser", browser, hasInput: false)
        #expect(try screen.answerSum(right: true).contains("https://example.org/a%20b"))
        #expect(try requester.ended().status == 0)
        #expect(linesOfFile(opened) == ["https://example.org/a%20b"])
    }

    @Test(
        "a browser that would give the link back to gatectl is refused, whatever its name",
        arguments: ["xdg-open", "x"])
    func loops(name: String) throws {
        let gate = try RunningGate()
        let screen = try RelayScreen(gate)
        let browser = gate.directory + "/" + name
        if name == "xdg-open" {
            try writeProgram("#!/bin/sh\n", to: browser)
        } else {
            try FileManager.default.createSymbolicLink(
                atPath: browser, withDestinationPath: builtProgram("gatectl"))
        }
        #expect(try gate.gatectl("open", "https://example.org", "--browser", browser).status == 65)
        #expect(screen.everything.isEmpty)
    }

    @Test("the policy names the browser, and a policy that can't be read names none")
    func browserOfPolicy() throws {
        let gate = try RunningGate()
        let opened = gate.directory + "/opened"
        let browser = gate.directory + "/browser"
        try writeProgram("#!/bin/sh\necho \"$1\" >> '\(opened)'\n", to: browser)
        try gate.writePolicy(RunningGate.policy + "browser: \(browser)\n")
        let screen = try RelayScreen(gate)
        let requester = try gate.gatectlRunning(
            "open", "http://example.org", "--config-directory", gate.configurationDirectory, hasInput: false)
        try screen.answerSum(right: true)
        #expect(try requester.ended().status == 0)
        #expect(linesOfFile(opened) == ["http://example.org/"])

        try gate.writePolicy("brwser: x\n")
        let refused = try gate.gatectl(
            "open", "http://example.org", "--config-directory", gate.configurationDirectory)
        #expect(refused.status == 65)
        #expect(screen.everything.count == 1)
    }

    // MARK: -

    private func arguments(_ gate: RunningGate, _ command: [String]) -> [String] {
        ["run", "--gate", "link.open", "--socket", gate.socket, "--server-user", NSUserName(), "--"] + command
    }

    private func details(_ question: String) throws -> String {
        let object = try JSONSerialization.jsonObject(with: Data(question.utf8)) as? [String: Any]
        return try #require((object?["text"] as? [String: Any])?["details"] as? String)
    }

    private func start(_ gate: RunningGate, _ command: [String]) throws -> ChildProcess {
        try ChildProcess(builtProgram("gatectl"), arguments(gate, command))
    }

    /// With no signal blocked, since the threads that tests run on block them, and none ignored, as a shell has it for what it starts in
    /// the background.
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
