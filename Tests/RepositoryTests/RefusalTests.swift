import Foundation
import GateModel
import Testing

/// The parameters of refusals, where they are literals in the daemon's sources.
@Suite("Refusals in the sources")
struct RefusalTests {
    private static let daemon = ["GateCore", "GateDaemon", "GateProtocol", "GateModel"]

    private static func literals(_ pattern: Regex<(Substring, Substring)>) throws -> [(literal: String, path: String)] {
        try RepositoryFiles.swift(in: "Sources").filter { daemon.contains($0.target) }.flatMap { file in
            file.lines.joined(separator: "\n").matches(of: pattern).map { (String($0.1), file.path) }
        }
    }

    /// The fields and oneofs of each message, with their types; a oneof has none.
    private static func messages(of lines: [String]) -> [String: [String: String]] {
        var messages: [String: [String: String]] = [:]
        /// The messages, enums and oneofs that a line is in; only a message has a name here.
        var open: [String?] = []
        for line in lines {
            let message = open.last { $0 != nil } ?? nil
            if let field = line.firstMatch(of: /^ +(?:repeated )?([\w.]+) (\w+) = \d+;/), let message {
                messages[message, default: [:]][String(field.2)] = String(field.1)
            } else if let oneof = line.firstMatch(of: /^ +oneof (\w+) \{/), let message {
                messages[message, default: [:]][String(oneof.1)] = ""
            }
            guard !line.contains("//"), line.hasSuffix("{") || line.hasSuffix("}") else { continue }
            if line.hasSuffix("{") {
                open.append(line.firstMatch(of: /message (\w+) \{/).map { String($0.1) })
            } else if !line.contains("{") {
                open.removeLast()
            }
        }
        return messages
    }

    @Test("every field that a refusal names is a path to a field or oneof of a request")
    func fields() throws {
        let protos = try RepositoryFiles.all(in: "proto", endingIn: ["proto"])
        let messages = protos.map { Self.messages(of: $0.lines) }.reduce(into: [:]) {
            $0.merge($1) { first, _ in first }
        }
        let requests = protos.flatMap(\.lines).compactMap { $0.firstMatch(of: /rpc \w+\((\w+)\)/).map { String($0.1) } }
        try #require(requests.count >= 60 && requests.contains { messages[$0] != nil })
        let fields = try Self.literals(/[ .](?:invalid|empty|noAccountName)\(\s*"([^" ]*)"/)
        try #require(fields.count >= 20)
        for (field, path) in fields {
            let names = field.split(separator: ".").map(String.init)
            let isInRequest = requests.contains { request in
                var message = request
                return names.allSatisfy { name in
                    guard let type = messages[message]?[name] else { return false }
                    message = type
                    return true
                }
            }
            #expect(isInRequest, "\(path) names the field \(field)")
        }
    }

    @Test("every value of \"what\" in a refusal is listed with its reason, and every listed one is used")
    func subjects() throws {
        let listed = Set(GateError.Reason.allCases.flatMap(\.subjects))
        for (literal, path) in try Self.literals(/"what": "([^"]+)"/) {
            #expect(listed.contains(literal), "\(path) says \(literal)")
        }
        let sources = try RepositoryFiles.swift(in: "Sources")
            .filter { Self.daemon.contains($0.target) && $0.name != "GateError.swift" }
            .flatMap(\.lines).joined(separator: "\n")
        for subject in listed where !["passcode", "totp"].contains(subject) {
            #expect(sources.contains("\"\(subject)\""), "nothing says \(subject)")
        }
    }

    /// Refusals for which a person reads only what every refusal of their reason says, since few people ever see them.
    private static let withoutWordsOfTheirOwn: Set = [
        "account-removed", "backup", "backup-bytes", "bound", "claimed", "claims", "claims-of-customer",
        "collected-elsewhere", "command", "commands-to-carry", "commands-waiting", "conditions", "connections",
        "connections-of-device", "customer", "daemon", "device", "downloads", "gated-action", "grants",
        "grants-of-user", "household-calls", "household-devices", "household-list", "household-receipts",
        "item-of-provider", "look-ups", "mode-changed", "notification", "offer", "offers", "piece-bytes", "presenter",
        "presenter-of-this", "put-away", "receipts", "redeemer", "registered-again", "requester", "restore", "restored",
        "revenuecat", "shown-form", "statement", "storekit", "streams", "streams-of-connection", "upload",
    ]

    @Test("a person reads in their own language what a refusal is about, or the refusal is on the list of exceptions")
    func words() throws {
        let texts = try RepositoryFiles.swift(in: "Sources")
            .filter { $0.target == "GateTexts" && $0.name.hasPrefix("RefusalText") }
            .flatMap(\.lines).joined(separator: "\n")
        let silent = Set(GateError.Reason.allCases.flatMap(\.subjects).filter { !texts.contains("\"\($0)\"") })
        #expect(silent.subtracting(Self.withoutWordsOfTheirOwn).sorted() == [], "RefusalText does not know these")
        #expect(Self.withoutWordsOfTheirOwn.subtracting(silent).sorted() == [], "RefusalText has words for these")
    }
}
