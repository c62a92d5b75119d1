import Foundation
import GateModel
import Testing

@testable import gatectl

@Suite("What decides how a command is run")
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

    @Test("a binary names its loader, and a script what reads it")
    func kinds() throws {
        guard case .binary(let loader, let paths) = try header("/usr/bin/true") else {
            Issue.record("/usr/bin/true is no binary")
            return
        }
        #expect(loader?.hasPrefix("/lib") == true && paths.isEmpty)
        #expect(header(Array("#!/bin/sh -e\nexit 0\n".utf8)) == .script(interpreter: "/bin/sh", argument: "-e"))
        #expect(
            header(Array("#! /usr/bin/env -S python3 -u\n".utf8))
                == .script(interpreter: "/usr/bin/env", argument: "-S python3 -u"))
        for text in ["", "#!", "#!\n", "echo x\n", "\u{7f}ELF"] { #expect(header(Array(text.utf8)) == .other) }
    }

    @Test("whatever is wrong with a binary, reading its header ends in a value")
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

    @Test("what is under a folder that others can write to, others can change")
    func rootOnly() throws {
        #expect(RootOnly.resolved("/usr/bin/env")?.isRootOnly == true)
        #expect(RootOnly.holds("/usr/bin/there-is-no-such-program"))
        #expect(!RootOnly.holds("/tmp/there-is-no-such-program"))
        #expect(!RootOnly.holds("relative") && !RootOnly.holds(""))
        #expect(RootOnly.folders(of: "/tmp:relative::/usr/bin:/no/such/folder") == ["/usr/bin"])
    }

    @Test("a separator is a byte, whatever accent comes after it")
    func accents() {
        #expect(
            RunEnvironment.cleared(["PATH=\u{301}:/tmp:/usr/bin", "LD_\u{301}=x", "LD_AUDIT=\u{301}", "ENV=\u{301}"])
                == ["PATH=/usr/bin"])
        #expect(!RootOnly.holds("/tmp/\u{301}tool") && !RootOnly.holds("/tmp/\u{301}a/\u{302}b"))
        #expect(RootOnly.folders(of: "/usr/bin:\u{301}/tmp:/tmp") == ["/usr/bin"])
        #expect("a=\u{301}b=".cut(atFirst: "=")?.after == "\u{301}b=" && "/\u{301}".cut(atLast: "/")?.before == "")
        #expect("/a/\u{301}b//".lastPathPart == "\u{301}b" && "a:\u{301}".parts(between: ":").count == 2)
        #expect(CommandStart.environment(of: ["GATE_\u{301}=x", "GATE_SOCKET=\u{301}"]) == ["GATE_SOCKET=\u{301}"])
    }

    /// A 64-bit ELF file whose string table is this text, and whose DT_RUNPATH begins there.
    private func binary(runPath: String) -> [UInt8] {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) } }
        func segment(_ kind: Int, _ offset: Int, _ size: Int) -> [UInt8] {
            bytes(kind, 8) + bytes(offset, 8) + bytes(offset, 8) + bytes(0, 8) + bytes(size, 8) + bytes(size, 8)
                + bytes(0, 8)
        }
        let (table, dynamic, strings) = (64, 64 + 2 * 56, 64 + 2 * 56 + 48)
        let text = Array(runPath.utf8) + [0]
        var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + bytes(0, 26) + bytes(table, 8)
        header += bytes(0, 14) + bytes(56, 2) + bytes(2, 2) + bytes(0, 6)
        return header + segment(1, 0, strings + text.count) + segment(2, dynamic, 48)
            + bytes(5, 8) + bytes(strings, 8) + bytes(29, 8) + bytes(0, 8) + bytes(0, 16) + text
    }

    @Test("an empty folder in the list of a binary's libraries is one too, and an accent hides none")
    func libraryPaths() {
        let cases = [
            ("/usr/lib", ["/usr/lib"]), ("/usr/lib:", ["/usr/lib", ""]), (":/usr/lib", ["", "/usr/lib"]), ("", []),
            ("/usr/lib:\u{301}", ["/usr/lib", "\u{301}"]),
        ]
        for (text, paths) in cases {
            #expect(header(binary(runPath: text)) == .binary(loader: nil, libraryPaths: paths))
        }
    }

    @Test("of the environment what changes which code runs is left out, and of PATH what others can change")
    func environment() {
        let variables = [
            "HOME=/home/anna", "LD_PRELOAD=x.so", "LD_AUDIT=x", "PYTHONSTARTUP=x", "PYTHONPATH=", "PERL5OPT=-Mx",
            "RUBYLIB=x", "NODE_OPTIONS=--require x", "BASH_ENV=x", "BASH_FUNC_ls%%=() { :; }", "ENV=x", "GCONV_PATH=x",
            "GTK_MODULES=x", "LANG=C", "PATH=/tmp:/usr/bin", "DISPLAY=:0", "ENVIRONMENT=kept",
        ]
        #expect(
            RunEnvironment.cleared(variables)
                == ["HOME=/home/anna", "LANG=C", "PATH=/usr/bin", "DISPLAY=:0", "ENVIRONMENT=kept"])
        #expect(RunEnvironment.path("/tmp") == RunEnvironment.systemPath)
    }
}
