import Testing

/// The rules of style that a machine can check.
@Suite("Style")
struct StyleTests {
    static let maximumLines = 400

    @Test("no file is longer than 400 lines")
    func length() throws {
        for file in try RepositoryFiles.sources() {
            #expect(file.lines.count <= Self.maximumLines, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test("no folder holds more than 25 Swift files")
    func folders() throws {
        for top in ["Sources", "Tests", "Benchmarks"] {
            let files = try RepositoryFiles.all(in: top, endingIn: ["swift"])
            let counts = Dictionary(grouping: files) { $0.path.split(separator: "/").dropLast().joined(separator: "/") }
            for (folder, held) in counts {
                #expect(held.count <= 25, "\(folder) holds \(held.count) files")
            }
        }
    }

    @Test("no state machine has a default case over an enum of ours")
    func noDefault() throws {
        let machine = try Regex("\\bstruct \\w+StateMachine\\b")
        let files = try RepositoryFiles.swift(in: "Sources").filter { file in
            file.target == "GateCore"
                || file.code.contains { $0.text.contains("StateMachine") && $0.text.contains(machine) }
        }
        for file in files {
            refuse(try Regex("^\\s*default:"), near: ["default"], in: file, "write out the cases")
        }
    }

    @Test("no file has unfinished work or a call that can trap")
    func forbiddenWords() throws {
        // Put together here, so that this file does not hold them.
        let unfinished = ["TO" + "DO", "FIX" + "ME", "XX" + "X"]
        let pattern = try Regex("\\b(\(unfinished.joined(separator: "|")))\\b").wordBoundaryKind(.simple)
        let trapping = try Regex("\\btry" + "!|\\bfatal" + "Error\\(|\\bas" + "! ")
        for file in try RepositoryFiles.sources() {
            for (index, line) in file.lines.enumerated() where unfinished.contains(where: line.contains) {
                #expect(!line.contains(pattern), "\(file.path):\(index + 1): finish it, or write an issue")
            }
            guard file.isSwift else { continue }
            refuse(trapping, near: ["!", "fatal"], in: file, "throw, or say whose bug it is")
        }
    }

    @Test("no type or file is called Manager, Helper, Utility, Utils or Types")
    func names() throws {
        let empty = ["Manager", "Helper", "Helpers", "Utility", "Utilities", "Utils", "Util", "Types"]
        let words = empty.joined(separator: "|")
        let declaration = try Regex("\\b(class|struct|enum|protocol|actor|typealias)\\s+\\w*(\(words))\\b")
        for file in try RepositoryFiles.sources() {
            let baseName = file.name.prefix { $0 != "." && $0 != "+" }
            #expect(!empty.contains(where: baseName.hasSuffix), "\(file.path): name what it is")
            guard file.isSwift else { continue }
            refuse(declaration, near: empty, in: file, "name what it is")
        }
    }

    @Test("every test is named as a sentence")
    func testNames() throws {
        for file in try RepositoryFiles.swift(in: "Tests") {
            refuse(try Regex("^\\s*@Test\\s*(func|$)"), near: ["@Test"], in: file, "say what is true")
        }
    }

    @Test("no test of a pure target sleeps")
    func noSleep() throws {
        let pure: Set = ["GateCoreTests", "GateProtocolTests", "ProtobufScanTests", "TTRPCTests", "SimulationTests"]
        for file in try RepositoryFiles.swift(in: "Tests") where pure.contains(file.target) {
            let call = try Regex("(^|[^A-Za-z])(sleep|usleep|nanosleep)\\(")
            refuse(call, near: ["sleep"], in: file, "turn the clock instead")
        }
    }

    /// - Parameter words: at least one of them is on every line that the pattern can match; looking for them is quick.
    private func refuse(
        _ pattern: Regex<AnyRegexOutput>, near words: [String], in file: RepositoryFile, _ hint: String
    ) {
        for (number, text) in file.code where words.contains(where: text.contains) && text.contains(pattern) {
            Issue.record("\(file.path):\(number): \(hint)")
        }
    }
}
