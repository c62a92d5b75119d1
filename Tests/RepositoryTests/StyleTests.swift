import Testing

/// The rules of STYLE.md that a machine can check.
@Suite("Style")
struct StyleTests {
    static let maximumLines = 400

    @Test("no file is longer than 400 lines: what is has two subjects")
    func length() throws {
        for file in try RepositoryFiles.sources() where !file.isGenerated {
            #expect(file.lines.count <= Self.maximumLines, "\(file.path) has \(file.lines.count) lines")
        }
    }

    @Test("machines answer every event by name: no default over our own enums")
    func noDefault() throws {
        for file in try RepositoryFiles.swift(in: "Sources")
        where file.target == "GateCore" || file.name.hasSuffix("StateMachine.swift") {
            for (number, text) in file.code {
                #expect(!text.contains(/^\s*default:/), "\(file.path):\(number): write out the cases")
            }
        }
    }

    @Test("nothing is left to do, and nothing from outside can trap")
    func forbiddenWords() throws {
        // Put together here, so that this file does not hold them.
        let unfinished = try Regex("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b")
        let trapping = try Regex("\\btry" + "!|\\bfatal" + "Error\\(|\\bas" + "! ")
        for file in try RepositoryFiles.sources() where !file.isGenerated {
            for (index, line) in file.lines.enumerated() {
                #expect(!line.contains(unfinished), "\(file.path):\(index + 1): finish it, or write an issue")
            }
            for (number, text) in file.code where file.isSwift {
                #expect(!text.contains(trapping), "\(file.path):\(number): throw, or say whose bug it is")
            }
        }
    }

    @Test("names carry a noun: no Manager, Helper, Utility, Utils or Types")
    func names() throws {
        let empty = /(Manager|Helper|Helpers|Utility|Utilities|Utils|Util|Types)$/
        for file in try RepositoryFiles.sources() where !file.isGenerated {
            let baseName = file.name.prefix { $0 != "." && $0 != "+" }
            #expect(!baseName.contains(empty), "\(file.path): name what it is")
            for (number, text) in file.code where file.isSwift {
                guard
                    let match = text.firstMatch(of: /\b(?:class|struct|enum|protocol|actor|typealias)\s+(\w+)/)
                else { continue }
                #expect(!match.1.contains(empty), "\(file.path):\(number): name what it is, not \(match.1)")
            }
        }
    }

    @Test("every test is named as a sentence")
    func testNames() throws {
        for file in try RepositoryFiles.swift(in: "Tests") where file.target != "RepositoryTests" {
            for (number, text) in file.code {
                #expect(!text.contains(/^\s*@Test\s*(func|$)/), "\(file.path):\(number): say what is true")
            }
        }
    }

    @Test("no test sleeps to prove something")
    func noSleep() throws {
        for file in try RepositoryFiles.swift(in: "Tests") where Self.pureTests.contains(file.target) {
            for (number, text) in file.code {
                #expect(!text.contains(/\b(Task\.sleep|usleep|sleep|nanosleep)\(/), "\(file.path):\(number)")
            }
        }
    }

    /// Those of the targets that know no system: nothing there can take time.
    private static let pureTests: Set<String> = [
        "GateCoreTests", "GateProtocolTests", "ProtobufScanTests", "TTRPCTests", "SimulationTests",
    ]
}
