import Foundation
import GateModel
import GateProtocol
import TTRPC
import TTRPCTransport

@testable import GateDaemon

/// A dialogue with the daemon as docs/wire.md prints it, and as the daemon answers it now.
///
/// A line is a request (`anna → 1 gate.v1.Mode/Toggle {…}`, and behind it what the metadata says: `program=game`), an answer
/// (`anna ← 1 {…}`), an error (`anna ← 1 FAILED_PRECONDITION "…" {…}`), the end of a stream (`anna ← 3 end`), or time that passes
/// (`15 minutes pass`). Numbers are stream ids. What differs each time is called by a name: `$cookie`, `$proof`, `$pid`, `$version`, `$sqlite`.
/// FHIR in base64 is written as `base64({…})`.
struct WireTranscript {
    enum Line: Hashable {
        case request(person: String, stream: Int, service: String, method: String, json: String, program: String?)
        case answer(person: String, stream: Int)
        case minutes(Int)
    }

    struct Malformed: Error {
        let line: String
    }

    let lines: [Line]

    init(_ text: String) throws {
        lines = try text.split(separator: "\n").map { line -> Line in
            if let match = line.wholeMatch(of: #/(\w+) → (\d+) ([\w.]+)/(\w+) (\{.*\})( program=(\w+))?/#) {
                return .request(
                    person: String(match.1), stream: Int(match.2) ?? 0, service: String(match.3),
                    method: String(match.4), json: String(match.5), program: match.7.map(String.init))
            }
            if let match = line.firstMatch(of: #/^(\w+) ← (\d+) /#) {
                return .answer(person: String(match.1), stream: Int(match.2) ?? 0)
            }
            if let match = line.wholeMatch(of: /(\d+) minutes pass/) { return .minutes(Int(match.1) ?? 0) }
            throw Malformed(line: String(line))
        }
    }

    /// The same dialogue with the daemon's present answers.
    func replayed(with gate: LiveGate) async throws -> String {
        var player = Player(gate: gate)
        var text: [String] = []
        for (index, line) in lines.enumerated() {
            let next = index + 1 < lines.count ? lines[index + 1] : nil
            text.append(try await player.play(line, before: next))
        }
        await player.close()
        return text.joined(separator: "\n")
    }
}

/// Both sides of a transcript, as far as it has come.
private struct Player {
    private struct Caller: Hashable {
        let person: String
        let stream: Int
    }

    private enum Open {
        case call(Task<[UInt8], any Error>, MethodDescription)
        case stream(TTRPCClientStream.AsyncIterator, MethodDescription)
    }

    private let gate: LiveGate
    private var people: [String: Connected] = [:]
    private var open: [Caller: Open] = [:]
    private var names = WireNames()
    /// The ids that the connections have used.
    private var lastStream: [String: Int] = [:]

    init(gate: LiveGate) {
        self.gate = gate
    }

    /// - Returns: the line as it is now.
    mutating func play(_ line: WireTranscript.Line, before next: WireTranscript.Line?) async throws -> String {
        switch line {
        case .request(let person, let stream, let service, let method, let json, let program):
            try await ask(Caller(person: person, stream: stream), service, method, names.values(in: json), program)
            // A call that waits has reached the daemon before the next line is played.
            if next != .answer(person: person, stream: stream) { try await reach(person) }
            return "\(person) → \(stream) \(service)/\(method) \(json)\(program.map { " program=\($0)" } ?? "")"
        case .answer(let person, let stream):
            return "\(person) ← \(stream) \(try await answer(to: Caller(person: person, stream: stream)))"
        case .minutes(let minutes):
            await gate.advance(by: .seconds(60 * minutes))
            return "\(minutes) minutes pass"
        }
    }

    func close() async {
        for person in people.values { await person.close() }
    }

    private mutating func ask(
        _ caller: Caller, _ service: String, _ name: String, _ json: String, _ program: String?
    ) async throws {
        guard let method = ServiceCatalog.find(service: service, method: name) else {
            throw WireTranscript.Malformed(line: "\(service)/\(name)")
        }
        let person: Connected
        if let known = people[caller.person] {
            person = known
        } else {
            person = try await gate.connect(caller.person)
            people[caller.person] = person
        }
        let connection = person.connection
        lastStream[caller.person, default: -1] += 2
        guard lastStream[caller.person] == caller.stream else {
            throw WireTranscript.Malformed(
                line: "stream \(caller.stream) of \(caller.person) is another one on the wire")
        }
        let payload = try MessageJSON.bytes(from: json, as: method.input)
        let metadata = program.map { [Metadata(key: "program", value: $0)] } ?? []
        if method.isServerStream {
            let stream = try await connection.openStream(
                service: service, method: name, payload: payload, timeout: nil, metadata: metadata)
            open[caller] = .stream(stream.makeAsyncIterator(), method)
        } else {
            // The request is on its way when this returns, so that it comes before the next one.
            let call = Task.immediate {
                try await connection.call(
                    service: service, method: name, payload: payload, timeout: nil, metadata: metadata)
            }
            open[caller] = .call(call, method)
        }
    }

    /// Waits until everything that this person has sent has reached the daemon.
    private mutating func reach(_ person: String) async throws {
        _ = try await people[person]?.call(Methods.Control.ping, PingRequest())
        lastStream[person, default: -1] += 2
    }

    private mutating func answer(to caller: Caller) async throws -> String {
        do {
            switch open[caller] {
            case .call(let call, let method):
                return names.namesOfValues(in: try MessageJSON.text(of: try await call.value, as: method.output))
            case .stream(var messages, let method):
                guard let bytes = try await messages.next() else { return "end" }
                open[caller] = .stream(messages, method)
                return names.namesOfValues(in: try MessageJSON.text(of: bytes, as: method.output))
            case nil:
                throw WireTranscript.Malformed(line: "\(caller.person) ← \(caller.stream)")
            }
        } catch let error as TTRPCClientError {
            guard case .status(let status) = error else { throw error }
            let details = try status.details.map {
                try MessageJSON.text(of: $0.value, as: ErrorDetail.descriptor)
            }
            let words = "\(GateError.Code(rawValue: status.code.rawValue) ?? .unknown)"
                .map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
            let message = status.message.replacing("\n", with: "\\n")
            return "\(words) \"\(message)\" \(details.joined(separator: " "))"
        }
    }
}

/// What differs each time that a dialogue is played, and what the page calls it.
private struct WireNames {
    private var values: [String: String] = [:]

    /// A text of the page with the values of now.
    func values(in text: String) -> String {
        text.replacing(/\$(cookie|proof|pid|version|sqlite)[0-9]*/) { values[String($0.0)] ?? String($0.0) }
            .replacing(/base64\(([{\[].*?[}\]])\)/) { "\"\(Data($0.1.utf8).base64EncodedString())\"" }
    }

    /// An answer with the page's names. One that is seen for the first time gets the next one.
    mutating func namesOfValues(in text: String) -> String {
        var text = text.replacing(/"(response|answers)":"([^"]+)"/) { match in
            "\"\(match.1)\":base64(\(String(decoding: Data(base64Encoded: String(match.2)) ?? Data(), as: UTF8.self)))"
        }
        for match in text.matches(of: /"(cookie|proof|pid|requesterPid|version|sqlite)":("[^"]+"|[0-9]+)/) {
            let value = match.2.trimmingCharacters(in: ["\""])
            if values.contains(where: { $0.value == value }) || value == "0" { continue }
            let kind = match.1 == "requesterPid" ? "pid" : String(match.1)
            let count = values.keys.count { $0.hasPrefix("$\(kind)") }
            values["$\(kind)\(count == 0 ? "" : "\(count + 1)")"] = value
        }
        for (name, value) in values {
            text = text.replacing("\"\(value)\"", with: "\"\(name)\"")
                .replacing(#""pid":\#(value)"#, with: #""pid":\#(name)"#)
                .replacing(#""requesterPid":\#(value)"#, with: #""requesterPid":\#(name)"#)
        }
        return text
    }
}
