import Foundation
import GateModel
import Glibc
import ProcessSupport
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

    private struct Segment {
        var kind: Int
        var offset: Int
        var address: Int
        var size: Int
        var memorySize: Int?

        var bytes: [UInt8] {
            [(kind, 8), (offset, 8), (address, 8), (0, 8), (size, 8), (memorySize ?? size, 8), (0, 8)]
                .flatMap { RunningTests.bytes($0, $1) }
        }
    }

    private static func bytes(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(value >> ($0 * 8) & 0xFF) }
    }

    /// A 64-bit ELF file with room for five segments, an entry for each tag behind that for the string table, and these texts in that table.
    ///
    /// - Parameters:
    ///   - more: entries behind those.
    ///   - type: of the file: 2 for a program with a fixed address, 3 for one that may lie anywhere.
    ///   - change: of the segments: one that is loaded, and that of the entries.
    private func binary(
        _ texts: [(tag: Int, text: String)], more: [(tag: Int, value: Int)] = [], type: Int = 0,
        change: (inout [Segment]) -> Void = { _ in }
    ) -> [UInt8] {
        let (table, dynamic) = (64, 64 + 5 * 56)
        let strings = dynamic + (texts.count + more.count + 2) * 16
        var (entries, text) = (Self.bytes(5, 8) + Self.bytes(strings, 8), [UInt8]())
        for (tag, value) in texts {
            entries += Self.bytes(tag, 8) + Self.bytes(text.count, 8)
            text += Array(value.utf8) + [0]
        }
        for (tag, value) in more { entries += Self.bytes(tag, 8) + Self.bytes(value, 8) }
        entries += Self.bytes(0, 16)
        let size = strings + text.count
        var segments = [
            Segment(kind: 1, offset: 0, address: 0, size: size),
            Segment(kind: 2, offset: dynamic, address: dynamic, size: entries.count),
        ]
        change(&segments)
        var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + Self.bytes(0, 10)
        header += Self.bytes(type, 2) + Self.bytes(0, 14) + Self.bytes(table, 8)
        header += Self.bytes(0, 14) + Self.bytes(56, 2) + Self.bytes(segments.count, 2) + Self.bytes(0, 6)
        let described = segments.flatMap(\.bytes)
        return header + described + [UInt8](repeating: 0, count: 5 * 56 - described.count) + entries + text
    }

    private static let runPath = 29

    @Test("whatever names a file that is loaded into the program is found: needed, audits, filters and the tag of each")
    func loadedFiles() {
        let (needed, depaudit, audit, auxiliary, filter) = (
            1, 0x6fff_fefb, 0x6fff_fefc, 0x7fff_fffd, 0x7fff_ffff
        )
        for tag in [needed, depaudit, audit, auxiliary, filter] {
            for path in ["/home/kid/own.so", "./own.so", "$LIB.so"] {
                #expect(header(binary([(tag, path)])) == .binary(loader: nil, libraryPaths: [path]))
            }
            #expect(header(binary([(tag, "libown.so")])) == .binary(loader: nil, libraryPaths: []))
        }
        for tag in [depaudit, audit] {
            #expect(
                header(binary([(tag, "libc.so.6:/tmp/a.so::b/c.so")]))
                    == .binary(loader: nil, libraryPaths: ["/tmp/a.so", "b/c.so"]))
        }
        #expect(
            header(binary([(Self.runPath, "/usr/lib"), (audit, "/tmp/a.so"), (needed, "libc.so.6")]))
                == .binary(loader: nil, libraryPaths: ["/usr/lib", "/tmp/a.so"]))
    }

    @Test("a binary whose offsets, sizes or numbers hide what the loader reads in memory is none")
    func hiddenEntries() {
        let texts = [(tag: Self.runPath, text: "/tmp"), (tag: Self.runPath, text: "/usr/lib")]
        #expect(header(binary(texts)) == .binary(loader: nil, libraryPaths: ["/tmp", "/usr/lib"]))
        // The last string table counts: here its texts begin one byte later.
        let strings = 64 + 5 * 56 + 4 * 16
        #expect(
            header(binary([(Self.runPath, "//tmp")], more: [(5, strings + 1)]))
                == .binary(loader: nil, libraryPaths: ["/tmp"]))
        #expect(header(binary(texts) { $0[1].size = 16 }) == header(binary(texts)), "the end is where it is marked")
        let changes: [(inout [Segment]) -> Void] = [
            { $0.append($0[1]) },
            { $0[1].offset += 16 }, { $0[1].address += 16 }, { $0[1].address = 1 << 20 },
            // The texts end in zeros of the memory, and not in those of the file.
            { $0[0].size -= 5 }, { $0[0].size = 64 + 5 * 56 + 32 },
            // A second one lies on the first, or on a page of it.
            { $0.append(Segment(kind: 1, offset: 0, address: 0, size: 4096)) },
            { $0.append(Segment(kind: 1, offset: 0, address: 2048, size: 4096)) },
            {
                $0[0].memorySize = 1 << 20; $0.append(Segment(kind: 1, offset: 0, address: 1 << 19, size: 4096))
            },
            // The loader takes its own place from that of this table.
            { $0.append(Segment(kind: 6, offset: 64, address: 4096, size: 56)) },
            { $0.append(Segment(kind: 6, offset: 128, address: 128, size: 56)) },
            {
                $0 += [
                    Segment(kind: 3, offset: 0, address: 0, size: 1), Segment(kind: 3, offset: 0, address: 0, size: 1),
                ]
            },
        ]
        for (index, change) in changes.enumerated() {
            #expect(header(binary(texts, change: change)) == .other, "change \(index)")
        }
        let page = Int(getpagesize())
        for change in [
            { $0.append(Segment(kind: 1, offset: 0, address: page, size: page)) },
            { $0.append(Segment(kind: 6, offset: 64, address: 64, size: 56)) },
        ] as [(inout [Segment]) -> Void] {
            #expect(header(binary(texts, change: change)) == header(binary(texts)))
        }
    }

    @Test("a binary with a loader is read only if the loader finds this table of headers, all in one part")
    func tablesOfHeaders() {
        let (fixed, movable) = (2, 3)
        let loader = "/lib64/ld.so"
        let texts = [(tag: Self.runPath, text: "/usr/lib"), (tag: 0x1234, text: loader)]
        let named = Segment(
            kind: 3, offset: 64 + 5 * 56 + 4 * 16 + "/usr/lib".utf8.count + 1, address: 0, size: loader.utf8.count + 1)
        let headers = Segment(kind: 6, offset: 64, address: 64, size: 56)
        func read(_ type: Int, _ more: [Segment], _ change: (inout [Segment]) -> Void = { _ in }) -> ProgramHeader {
            header(
                binary(texts, type: type) {
                    $0 += more; change(&$0)
                })
        }
        let expected = ProgramHeader.binary(loader: loader, libraryPaths: ["/usr/lib"])
        #expect(read(fixed, [named]) == expected)
        #expect(read(fixed, [headers, named]) == expected && read(movable, [headers, named]) == expected)
        #expect(read(movable, [named]) == .other, "the loader guesses where the program lies")
        let page = Int(getpagesize())
        let last = 64 + 3 * 56
        #expect(
            read(fixed, [named, Segment(kind: 1, offset: last, address: page + last, size: 56)]) == .other,
            "a second part lies on the end of the table")
        #expect(read(fixed, [named]) { $0[0].size = 64 + 2 * 56 } == .other, "the part ends in the middle of the table")
        #expect(
            read(fixed, [named]) {
                $0[0].offset = page; $0[0].address = page
            } == .other, "no part has the table")
        #expect(
            read(movable, [Segment(kind: 6, offset: 64, address: page + 64, size: 56), named]) == .other,
            "PT_PHDR names a place in no part")
        #expect(
            read(
                movable,
                [
                    Segment(kind: 6, offset: 64, address: 2 * page + 64, size: 56), named,
                    Segment(kind: 1, offset: 64, address: 2 * page + 64, size: 56),
                ]) == .other, "PT_PHDR names another part that has the table too")
    }

    @Test("a path through /proc/PID/root is not taken for what it reads as", .waitsForProcesses)
    func rootsOfOtherProcesses() throws {
        #expect(RootOnly.resolved("/proc/self/root/usr/bin/env")?.isRootOnly == true, "it is the same file")
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

    @Test("each program of this device that can be read is one", .timeLimit(.minutes(2)))
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

    @Test("an empty folder in the list of a binary's libraries is one too, and an accent hides none")
    func libraryPaths() {
        let cases = [
            ("/usr/lib", ["/usr/lib"]), ("/usr/lib:", ["/usr/lib", ""]), (":/usr/lib", ["", "/usr/lib"]), ("", []),
            ("/usr/lib:\u{301}", ["/usr/lib", "\u{301}"]),
        ]
        for (text, paths) in cases {
            #expect(header(binary([(Self.runPath, text)])) == .binary(loader: nil, libraryPaths: paths))
        }
    }

    @Test("of the environment what changes which code runs is left out, and of PATH what others can change")
    func environment() {
        let variables = [
            "HOME=/home/anna", "LD_PRELOAD=x.so", "LD_AUDIT=x", "PYTHONSTARTUP=x", "PYTHONPATH=", "PERL5OPT=-Mx",
            "RUBYLIB=x", "NODE_OPTIONS=--require x", "BASH_ENV=x", "BASH_FUNC_ls%%=() { :; }", "ENV=x", "GCONV_PATH=x",
            "GTK_MODULES=x", "OPENSSL_CONF=x", "GIT_EXTERNAL_DIFF=x", "LANG=C", "PATH=/tmp:/usr/bin", "DISPLAY=:0",
            "ENVIRONMENT=kept",
        ]
        #expect(
            RunEnvironment.cleared(variables)
                == ["HOME=/home/anna", "LANG=C", "PATH=/usr/bin", "DISPLAY=:0", "ENVIRONMENT=kept"])
        #expect(RunEnvironment.path("/tmp") == RunEnvironment.systemPath)
    }
}
