import Foundation
import GateModel
import GateProtocol
import GateReceipts
import ProtobufScan
import TTRPC
import Testing

@testable import GateDaemon

@Suite("docs/wire.md and the code")
struct WireDocumentTests {
    private let page: String

    init() throws {
        let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        page = try String(contentsOf: root.appendingPathComponent("docs/wire.md"), encoding: .utf8)
    }

    @Test("every limit in the table is the one of the code")
    func limits() throws {
        let limits = DaemonLimits()
        let rows: [String: String] = [
            "data of a frame of the daemon's": bytes(limits.connection.maximumFrameBytes),
            "data of a request of a provider": bytes(limits.requestBytes(of: [.app, .provider])),
            "data of a request of an administrator, or of the role household": bytes(
                limits.requestBytes(of: [.app, .administrator])),
            "data of a request of anyone else": bytes(limits.requestBytes(of: .app)),
            "connections": count(limits.connections),
            "connections of one owner": count(limits.connectionsPerUser),
            "calls and streams open at once on a connection": count(limits.connection.maximumStreams),
            "watches of a connection": count(limits.watchesPerConnection),
            "watches of one owner": count(limits.watchesPerUser),
            "fields and elements of a message": count(ScanLimits.standard.maximumFields),
            "waiting `Household/ListDevices` of one user who is no administrator": count(
                HouseholdHub.waitingListsPerUser),
            "depth of a message": count(ScanLimits.standard.maximumDepth),
            "`Ping.echo`": "\(count(limits.echoBytes)) bytes",
            "elements of an answer that is a list": count(limits.pageSize),
            "a piece of a document": bytes(limits.documentPieceBytes),
            "a document": bytes(FormAttachment.maximumByteCount),
            "documents of one owner that no answer names yet": bytes(limits.documentBytesPerUser),
            "pieces of documents of one owner that wait to be read": count(limits.downloadsWaitingPerUser),
            "forms of one owner that wait to be read, checked or written": count(limits.formsWaitingPerUser),
            "commands of one owner that wait for the disk": count(limits.commandsWaitingPerUser),
            "time that bytes wait for you to read them": "\(limits.writeDeadline.components.seconds) s",
            "bytes that wait for you to read them": bytes(limits.connection.maximumQueuedBytes),
        ]
        #expect(try table(under: "## Limits") == rows)
    }

    @Test("the text's limits of frames and requests agree with the table")
    func text() {
        let limits = DaemonLimits()
        let requests = "Requests of providers may have up to "
        #expect(page.contains("at most 4 MiB (\(count(limits.connection.maximumFrameBytes)))"))
        #expect(
            page.contains(
                requests + bytes(limits.requestBytesOfProviders)
                    + "; those of administrators and of the role household up to "
                    + bytes(limits.requestBytesOfHousehold)))
        #expect(
            page.contains("those of other peers end at " + bytes(limits.connection.maximumRequestBytes) + "."))
    }

    @Test("every reason is in the table with its usual parameters")
    func reasons() throws {
        let rows = GateError.Reason.allCases.filter { $0 != .unspecified }.map { reason in
            let names = reason.parameterNames.map { "`\($0)`" }.joined(separator: ", ")
            let words = "\(reason)".map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
            return ("`\(words)`", names.isEmpty ? "—" : names)
        }
        #expect(try table(under: "| reason | parameters |") == Dictionary(uniqueKeysWithValues: rows))
    }

    @Test("every value of the parameter 'what' is in the table with its reason")
    func subjects() throws {
        let rows = try table(under: "| reason | `what` |")
            .mapValues { Set($0.matches(of: /`([^`]+)`/).map { String($0.1) }) }
        for reason in GateError.Reason.allCases where !reason.subjects.isEmpty {
            #expect(reason.parameterNames.contains("what"))
            let words = "\(reason)".map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
            #expect(rows["`\(words)`"] == Set(reason.subjects))
        }
        #expect(rows.count == GateError.Reason.allCases.count { !$0.subjects.isEmpty })
    }

    @Test("every kind of issue is in the table")
    func kindsOfIssue() throws {
        let start = try #require(page.range(of: "\n| kind of issue | in an answer or a form | in a policy |\n"))
            .upperBound
        let listed = page[start...]
            .split(separator: "\n", omittingEmptySubsequences: false).prefix { $0.hasPrefix("|") }.dropFirst()
            .map { $0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces) }
        let kinds = FormIssue.Code.allCases.filter { $0 != .informational }
        #expect(
            listed.sorted() == kinds.map { "`\($0.rawValue.uppercased().replacing("-", with: "_"))`" }.sorted())
    }

    @Test("every check of a receipt is named")
    func checks() throws {
        let start = try #require(page.range(of: "`check` of `BAD_RECEIPT` is ")).upperBound
        let sentence = page[start...].prefix { $0 != "." }
        let named = sentence.matches(of: /`([^`]+)`/).map { String($0.1) }
        #expect(named.sorted() == ReceiptError.Check.allCases.map(\.rawValue).sorted())
    }

    @Test("every check of a guardian's command is named")
    func guardianChecks() throws {
        let start = try #require(page.range(of: "`check` of `BAD_COMMAND` and of a device's answer is ")).upperBound
        let sentence = page[start...].prefix { $0 != "." }
        let named = sentence.matches(of: /`([^`]+)`/).map { String($0.1) }
        #expect(named.sorted() == GuardianCheck.allCases.map(\.rawValue).sorted())
    }

    @Test("every capability is in the table")
    func capabilities() throws {
        let rows = try table(under: "| capability | what |")
        #expect(Set(rows.keys) == Set(Capability.allCases.map { "`\($0.rawValue)`" }))
    }

    @Test("the example of a first frame is what a client sends")
    func frame() throws {
        let start = try #require(page.range(of: "\n```\n00 00")).lowerBound
        let block = page[start...].dropFirst(5).prefix { $0 != "`" }
        let bytes: [UInt8] = block.split(separator: "\n").flatMap { line in
            line.split(separator: "  ").prefix { $0.wholeMatch(of: /\s*([0-9a-f]{2}\s?)+/) != nil }
                .flatMap { $0.split(separator: " ").compactMap { UInt8($0, radix: 16) } }
        }
        let envelope = RequestEnvelope(service: "gate.v1.Mode", method: "GetMode", payload: []).encoded()
        #expect(bytes == [0, 0, 0, UInt8(envelope.count), 0, 0, 0, 1, 1, 0] + envelope)
    }

    @Test("the listed server streams are the ones that exist")
    func streams() throws {
        let start = try #require(page.range(of: "A **server stream** (")).upperBound
        let listed = page[start..<(try #require(page[start...].firstIndex(of: ")")))]
        let streams = ServiceCatalog.all.flatMap(\.methods).filter(\.isServerStream).map {
            "`\($0.service.split(separator: ".").last ?? "")/\($0.name)`"
        }
        #expect(Set(listed.components(separatedBy: ", ")) == Set(streams))
    }

    /// The first table behind a heading, or the one with this head: its rows of two cells, without head.
    private func table(under heading: String) throws -> [String: String] {
        let found = try #require(page.range(of: "\n\(heading)\n"))
        let start = heading.hasPrefix("|") ? page.index(after: found.lowerBound) : found.upperBound
        let lines = page[start...].split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return lines.dropFirst(2).reduce(into: [:]) { rows, line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            rows[cells[0]] = cells.count == 2 ? cells[1] : "\(cells.count) cells"
        }
    }

    private func bytes(_ count: Int) -> String {
        guard count >= 1 << 20 else { return "\(count >> 10) KiB" }
        let whole = Double(count) / Double(1 << 20)
        return (whole == whole.rounded() ? String(Int(whole)) : String(whole)) + " MiB"
    }

    /// With commas between the thousands.
    private func count(_ count: Int) -> String {
        let digits = String(count)
        return String(
            digits.enumerated().flatMap { index, digit in
                index > 0 && (digits.count - index).isMultiple(of: 3) ? [",", digit] : [digit]
            })
    }
}
