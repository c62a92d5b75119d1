import Foundation
import Testing

/// The .proto files are the wire's reference manual, so that everything in them has its explanation there.
@Suite("The .proto files")
struct ProtoCommentTests {
    /// A declaration on a line of a .proto file.
    private struct Declaration {
        let line: Int
        let keyword: String
        let name: String
        let isCommented: Bool
    }

    @Test("every service, method, message, field, enum and value has a comment above it")
    func everythingIsCommented() throws {
        let files = try RepositoryFiles.all(in: "proto", endingIn: ["proto"])
        try #require(files.count >= 6)
        for file in files {
            let messagesOfMethods = Self.messagesOfMethods(in: file)
            let declarations = Self.declarations(in: file)
            #expect(!declarations.isEmpty, "\(file.path) declares nothing")
            for declaration in declarations where !declaration.isCommented {
                // The comment of the method explains its messages.
                if declaration.keyword == "message", messagesOfMethods.contains(declaration.name) { continue }
                if Self.isSelfEvident(declaration) { continue }
                Issue.record(
                    "\(file.path):\(declaration.line): \(declaration.keyword) \(declaration.name) has no comment")
            }
        }
    }

    /// Whether the declaration means the same in every message: the newest revision, the state at it, the value that is
    /// never sent.
    private static func isSelfEvident(_ declaration: Declaration) -> Bool {
        switch declaration.keyword {
        case "field": declaration.name == "revision" || declaration.name == "state"
        case "value": declaration.name.hasSuffix("_UNSPECIFIED")
        default: false
        }
    }

    private static func messagesOfMethods(in file: RepositoryFile) -> Set<String> {
        var names: Set<String> = []
        for line in file.lines {
            if let match = line.firstMatch(of: /^\s*rpc \w+\((\w+)\) returns \((?:stream )?(\w+)\)/) {
                names.formUnion([String(match.1), String(match.2)])
            }
        }
        return names
    }

    private static func declarations(in file: RepositoryFile) -> [Declaration] {
        var declarations: [Declaration] = []
        var isCommented = false
        for (index, line) in file.lines.enumerated() {
            if line.contains(/^\s*\/\//) {
                isCommented = true
                continue
            }
            if let (keyword, name) = declared(on: line) {
                declarations.append(
                    Declaration(line: index + 1, keyword: keyword, name: name, isCommented: isCommented))
            }
            isCommented = false
        }
        return declarations
    }

    private static func declared(on line: String) -> (keyword: String, name: String)? {
        if let match = line.firstMatch(of: /^\s*(message|enum|service|oneof|rpc) (\w+)/) {
            return (String(match.1), String(match.2))
        }
        if let match = line.firstMatch(of: /^\s*([A-Z][A-Z0-9_]*) = \d+;/) { return ("value", String(match.1)) }
        if let match = line.firstMatch(of: /^\s*(?:repeated )?[\w.]+ (\w+) = \d+;/) {
            return line.contains(/^\s*(syntax|package|import|option)\b/) ? nil : ("field", String(match.1))
        }
        return nil
    }
}
