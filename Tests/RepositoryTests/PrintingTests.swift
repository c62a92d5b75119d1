import Foundation
import Testing

/// Foreign text is made harmless where it leaves gatectl, so that there is only one place for that.
@Suite("Printing in gatectl")
struct PrintingTests {
    @Test("only Output and the terminal's drawing print")
    func onePlace() throws {
        for file in try RepositoryFiles.swift(in: "Sources/clients/gatectl") {
            for (number, text) in file.code {
                let prints = ["print(", "fputs(", "puts(", "fwrite(", "printf(", ".standardOutput", ".standardError"]
                    .contains { text.contains($0) && !text.contains("func ") && !text.contains(".\($0)") }
                #expect(!prints, "\(file.path):\(number): print with Output, which makes it harmless")
            }
        }
    }

    /// Swift compares characters, and a slash with a combining accent is another character than a slash.
    @Test("gatectl takes paths apart by their bytes")
    func paths() throws {
        let calls = ["split(separator: \"", "Index(of: \"", "contains(\"", "hasPrefix(\"", "hasSuffix(\""]
        let client = try RepositoryFiles.swift(in: "Sources/clients/GateClient").filter {
            $0.name == "StatusPage.swift"
        }
        for file in try RepositoryFiles.swift(in: "Sources/clients/gatectl") + client {
            for (number, text) in file.code {
                let compares = calls.contains { text.contains("\($0)/") }
                #expect(!compares, "\(file.path):\(number): use what SystemText.swift has")
            }
        }
    }
}
