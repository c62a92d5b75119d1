import CProcess
import Foundation
import GateModel
import Glibc
import ProcessSupport
import Testing

@testable import gatectl

@Suite(
    "A program that root has installed, and that a question shows",
    .enabled(if: RootFolder.isPossible, "only root can install a program"))
struct PinnedProgramTests {
    private func pinned(_ path: String) throws -> PinnedProgram {
        try PinnedProgram(ResolvedCommand(path, searchPath: nil), searchPath: RunEnvironment.path(""))
    }

    private func expectRefusal(_ path: String, naming name: String) {
        #expect {
            _ = try pinned(path)
        } throws: { error in
            guard let error = error as? GateError else { return false }
            return error.code == .invalidArgument && error.message.contains(name)
        }
    }

    /// A folder that others than root can change, as a child's home is.
    private func withFolderOfOthers(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gatectl-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    // MARK: - Its name for itself

    @Test("a program gets its name from a link of root's, because many programs act by their name")
    func nameOfRootsLink() throws {
        let folder = try RootFolder()
        let link = try folder.link("vi", to: "/usr/bin/env")
        let program = try pinned(link)
        #expect(program.name == link && program.notes == ["it is /usr/bin/env"])
        #expect(try pinned("/usr/bin/env").name == "/usr/bin/env")
    }

    @Test("a program gets its file's name if others can change the link to it")
    func nameOfOthersLink() throws {
        try withFolderOfOthers { folder in
            for (name, target) in [("python3", "/usr/bin/env"), ("-env", "/usr/bin/env")] {
                try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(name)", withDestinationPath: target)
                #expect(try pinned("\(folder)/\(name)").name == "/usr/bin/env")
            }
            for name in ["bin", "-d"] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(folder)/\(name)", withDestinationPath: "/usr/bin")
                #expect(try pinned("\(folder)/\(name)/env").name == "/usr/bin/env")
            }
            // A link of root's leads on to one of another user's.
            let root = try RootFolder()
            #expect(try pinned(root.link("env", to: "\(folder)/python3")).name == "/usr/bin/env")
        }
    }

    // MARK: - What reads a script

    @Test("a script whose interpreter is a script is resolved to the program that reads both")
    func nestedInterpreter() throws {
        let folder = try RootFolder()
        let reader = try folder.script("reader", "#!/bin/sh -e\nexit 0\n")
        let script = try folder.script("script", "#!\(reader)\n")
        let outer = try folder.script("outer", "#! \(script)\n")
        let shell = try #require(RootOnly.resolved("/bin/sh")?.path)
        #expect(try pinned(script).notes == ["read by \(shell)"])
        #expect(try pinned(outer).notes == ["read by \(shell)"])
        // Others can change the program that reads the reader.
        try withFolderOfOthers { theirs in
            try FileManager.default.copyItem(atPath: shell, toPath: "\(theirs)/sh")
            try folder.script("reader", "#!\(theirs)/sh\n")
            expectRefusal(script, naming: "\(theirs)/sh")
            expectRefusal(outer, naming: "\(theirs)/sh")
        }
        // The kernel follows no more levels either.
        try folder.script("reader", "#!\(script)\n")
        expectRefusal(script, naming: folder.path)
    }

    @Test(
        "a script with a relative interpreter is refused, because the kernel looks in the working folder",
        arguments: ["python3", "env python3", "./python3", "../env python3", "sh -e", "/usr/bin/env ./python3"])
    func relativeInterpreter(line: String) throws {
        let folder = try RootFolder()
        let script = try folder.script("script", "#!\(line)\nexit 0\n")
        expectRefusal(script, naming: line.contains("/usr") ? "./python3" : String(line.split(separator: " ")[0]))
        let outer = try folder.script("outer", "#!\(script)\n")
        expectRefusal(outer, naming: script)
    }

    @Test("an `env` that others than root can change is refused as an interpreter")
    func othersEnv() throws {
        let folder = try RootFolder()
        #expect(try pinned(folder.script("good", "#!/usr/bin/env sh\n")).notes.count == 1)
        try withFolderOfOthers { theirs in
            try FileManager.default.copyItem(atPath: "/usr/bin/env", toPath: "\(theirs)/env")
            expectRefusal(try folder.script("copied", "#!\(theirs)/env sh\n"), naming: "\(theirs)/env")
            unlink("\(theirs)/env")
            expectRefusal(try folder.script("missing", "#!\(theirs)/env sh\n"), naming: "\(theirs)/env")
            try FileManager.default.createSymbolicLink(
                atPath: "\(theirs)/env", withDestinationPath: "/usr/bin/env")
            expectRefusal(try folder.script("linked", "#!\(theirs)/env sh\n"), naming: "\(theirs)/env")
        }
    }

    @Test("a folder with a colon in its name is never in PATH, not even through a link")
    func colon() throws {
        let folder = try RootFolder()
        let odd = try folder.folder("a:b")
        let link = try folder.link("plain", to: odd)
        #expect(RootOnly.holds(odd) && RootOnly.holds(link))
        #expect(RootOnly.folders(of: "\(odd):\(link):/usr/bin") == ["/usr/bin"])
        #expect(RunEnvironment.path(link) == RunEnvironment.path(""))
    }

    // MARK: - What is loaded with it

    private func compile(_ folder: RootFolder, _ name: String, _ options: [String]) throws -> String {
        let source = try folder.script("source.c", "int main(void) { return 0; }\n")
        let file = "\(folder.path)/\(name)"
        let compiler = try ChildProcess(
            "/usr/bin/env", ["gcc", source, "-o", file] + options, hasInput: false)
        let result = try compiler.ended()
        try #require(result.status == 0, "\(result.errors)")
        chmod(file, 0o755)
        return file
    }

    @Test(
        "a program that loads libraries or its loader from a folder of others, or the working folder, is refused",
        .waitsForProcesses,
        arguments: [
            ["-Wl,-rpath,lib"], ["-Wl,-rpath,:/usr/lib"], ["-Wl,-rpath,/usr/lib:"], ["-Wl,-rpath,/usr/lib::/usr/lib"],
            ["-Wl,--disable-new-dtags,-rpath,lib:/usr/lib"], ["-Wl,-rpath,/tmp/build/lib"], ["-Wl,-rpath,$LIB/x"],
            ["-Wl,-rpath,$ORIGIN/../../tmp/lib"], ["-Wl,--dynamic-linker,ld.so"], ["-Wl,--dynamic-linker,/tmp/ld.so"],
            ["-Wl,-rpath,$ORIGINAL"], ["-Wl,-rpath,/usr/$LIB/game"], ["-Wl,-rpath,$ORIGIN/$PLATFORM"],
            ["-Wl,-rpath,/usr/${LIB}"], ["-Wl,-rpath,/usr/$ORIGIN"], ["-Wl,--audit,$LIB"],
            ["-Wl,--dynamic-linker,$ORIGIN/ld.so"], ["-Wl,--audit,lib/audit.so"], ["-Wl,--audit,/tmp/audit.so"],
            ["-m32", "-nostdlib", "-shared", "-Wl,-rpath,lib"],
        ])
    func librariesOfOthers(options: [String]) throws {
        let folder = try RootFolder()
        let file = try compile(folder, "game", options)
        expectRefusal(file, naming: file)
        // It is refused as an interpreter too.
        expectRefusal(try folder.script("script", "#!\(file)\n"), naming: file)
    }

    @Test(
        "a program that loads libraries only from folders of root's is started", .waitsForProcesses,
        arguments: [
            [], ["-Wl,-rpath,/usr/lib/there-is-no-such-folder"], ["-Wl,-rpath,$ORIGIN/../lib:${ORIGIN}:/usr/lib"],
            ["-static"], ["-Wl,--disable-new-dtags,-rpath,/usr/lib"], ["-Wl,-rpath,"],
            ["-m32", "-nostdlib", "-shared", "-Wl,-rpath,/usr/lib"],
        ])
    func librariesOfRoot(options: [String]) throws {
        let folder = try RootFolder()
        #expect(try pinned(compile(folder, "game", options)).notes.isEmpty)
    }

    @Test(
        "a folder of root's is no good if a library in it, or a folder for a kind of processor below it, is not root's",
        .waitsForProcesses)
    func librariesBelow() throws {
        let folder = try RootFolder()
        let library = try compile(folder, "libgame.so", ["-shared", "-fPIC", "-Wl,-soname,libgame.so"])
        let libraries = try folder.folder("lib")
        for path in ["", "/glibc-hwcaps", "/glibc-hwcaps/x86-64-v3", "/tls", "/tls/x86_64"] {
            if !path.isEmpty { try folder.folder("lib\(path)") }
            try FileManager.default.copyItem(atPath: library, toPath: "\(libraries)\(path)/libgame.so")
        }
        let game = try compile(
            folder, "game", ["-Wl,--no-as-needed", library, "-Wl,-rpath,/usr/lib:\(libraries)"])
        #expect(try pinned(game).notes.isEmpty)
        for path in [
            "/glibc-hwcaps", "/glibc-hwcaps/x86-64-v3", "/tls", "/tls/x86_64", "/libgame.so", "/tls/libgame.so",
            "/glibc-hwcaps/x86-64-v3/libgame.so",
        ] {
            chmod("\(libraries)\(path)", 0o777)
            expectRefusal(game, naming: "'\(libraries)\(path)'")
            chmod("\(libraries)\(path)", 0o755)
        }
        #expect(try pinned(game).notes.isEmpty)
        try FileManager.default.removeItem(atPath: "\(libraries)/libgame.so")
        try folder.link("lib/libgame.so", to: "/tmp/libgame.so")
        expectRefusal(game, naming: "'\(libraries)/libgame.so'")
    }

    /// How the header or the dynamic section of a program is changed without a difference for the loader.
    enum Disguise: CaseIterable {
        /// The header gives another place in the file than the one that is loaded.
        case place
        /// The header gives fewer bytes.
        case length
        /// There is another table of texts before the one that counts.
        case texts
    }

    @Test(
        "a program is read as the loader reads it: tables by their addresses, to their end, and the last table of texts",
        .waitsForProcesses, arguments: Disguise.allCases)
    func disguised(_ disguise: Disguise) throws {
        let folder = try RootFolder()
        let file = try compile(folder, "game", ["-Wl,-rpath,/tmp/build/lib"])
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: file)))
        func number(_ place: Int) -> Int { ProgramHeader.number(bytes, place, 8) }
        func put(_ number: Int, at place: Int) {
            for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        }
        let headers = (0..<ProgramHeader.number(bytes, 56, 2)).map { number(32) + 56 * $0 }
        let header = try #require(headers.first { ProgramHeader.number(bytes, $0, 4) == 2 })
        let entries = stride(from: number(header + 8), to: bytes.count - 16, by: 16).prefix { number($0) != 0 }
        switch disguise {
        case .place: put(16, at: header + 8)
        case .length: put(16, at: header + 32)
        case .texts:
            let texts = try #require(entries.first { number($0) == 5 })
            let debugging = try #require(entries.first { number($0) == 21 })
            try #require(texts < debugging)
            put(5, at: debugging)
            put(number(texts + 8), at: debugging + 8)
            put(0, at: texts + 8)
        }
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        chmod(file, 0o755)
        expectRefusal(file, naming: "'/tmp/build/lib'")
    }

    @Test(
        "a folder that hides its contents from the user closes what is in it, unless the program has rights of its own")
    func hiddenFolder() async throws {
        let folder = try RootFolder()
        let hidden = try folder.folder("hidden")
        chmod(hidden, 0o700)
        let open = try folder.folder("open")
        chmod(open, 0o777)
        await #expect(processExitsWith: .success) { [path = folder.path as String] in
            try #require(seteuid(65_534) == 0)
            for place in ["hidden/lib", "hidden/lib/../../open"] {
                #expect(RootOnly.isClosedToOthers("\(path)/\(place)", isFollowedAsThisUser: true), "\(place)")
                #expect(!RootOnly.isClosedToOthers("\(path)/\(place)", isFollowedAsThisUser: false), "\(place)")
            }
            #expect(!RootOnly.isClosedToOthers("\(path)/open/lib", isFollowedAsThisUser: true))
        }
    }

    @Test("a program with rights of its own is known by its mode, also if it can't be looked at")
    func rightsOfItsOwn() throws {
        let folder = try RootFolder()
        let program = try folder.script("game", "")
        let file = open(program, O_RDONLY)
        defer { close(file) }
        #expect(has_rights_of_its_own(file) == 0)
        for mode in [S_ISUID, S_ISGID] {
            chmod(program, mode | 0o755)
            #expect(has_rights_of_its_own(file) != 0)
        }
        #expect(has_rights_of_its_own(-1) != 0)
    }

    @Test("each program on this device loads libraries only from folders of root's", .timeLimit(.minutes(2)))
    func programsOfThisDevice() throws {
        var count = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: "/usr/bin") {
            guard let real = RootOnly.resolved("/usr/bin/\(name)"), real.isRootOnly,
                let file = FileHandle(forReadingAtPath: real.path)
            else { continue }
            defer { try? file.close() }
            count += 1
            let libraries = ProgramLibraries(of: real.path, PinnedProgram.reader(of: file.fileDescriptor))
            #expect(libraries.placeOfOthers == nil, "\(real.path)")
        }
        #expect(count > 10)
    }

    @Test("looking for libraries in a damaged program traps nothing")
    func damaged() throws {
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "/usr/bin/env")))
        var generator = SplitMix(seed: 12)
        for _ in 0..<2000 {
            var damaged = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
            for _ in 0..<Int.random(in: 1...8, using: &generator) where !damaged.isEmpty {
                let place = Int.random(in: 0..<min(damaged.count, 1024), using: &generator)
                damaged[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            let file = damaged
            _ =
                ProgramLibraries(of: "/usr/bin/env") { offset, count in
                    guard (0..<file.count).contains(offset) else { return [] }
                    return Array(file[offset..<offset + min(file.count - offset, count)])
                }.placeOfOthers
        }
    }
}
