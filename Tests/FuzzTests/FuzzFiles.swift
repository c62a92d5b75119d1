import Foundation
import FuzzTargets

/// The files of Tests/Fuzz.
enum FuzzFiles {
    private static let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Fuzz")

    static func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(name).path)
            .filter { !$0.hasPrefix(".") }.sorted()
    }

    static func corpusName(of target: FuzzTarget) -> String { "Corpus/\(target).base64" }

    /// The inputs of the corpus, one on each line.
    static func corpus(of target: FuzzTarget) throws -> [[UInt8]] {
        let text = try String(contentsOf: folder.appendingPathComponent(corpusName(of: target)), encoding: .utf8)
        return try text.split(separator: "\n").map { line in
            guard let input = Data(base64Encoded: String(line)) else { throw CocoaError(.fileReadCorruptFile) }
            return Array(input)
        }
    }

    /// The inputs that failed once, one in each file, by name.
    static func failures(of target: FuzzTarget) throws -> [(name: String, input: [UInt8])] {
        guard try names(in: "Failures").contains(target.name) else { return [] }
        return try names(in: "Failures/\(target)").map { name in
            let path = "Failures/\(target)/\(name)"
            return (path, Array(try Data(contentsOf: folder.appendingPathComponent(path))))
        }
    }
}
