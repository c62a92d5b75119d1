import ArgumentParser
import FoundationEssentials
import GateClient
import GateModel
import GateProtocol
import GateTexts
import Glibc
import Synchronization

struct CallVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "call",
        abstract: localized("Call any method, with JSON in and out."),
        discussion: """
            Every message of a stream is a line. For example: gatectl call gate.v1.Mode/GetMode '{}'

            What belongs to a connection ends with it, like a question that the caller shows itself. Several calls go over one connection with \
            -, which reads them from standard input, one per line: the method, and its request. Each line is called when the one before \
            was answered; streams go on meanwhile. Every answer is an object with the number of its line: {"line":1,"answer":{…}}, and \
            "message" for one of a stream, "end" after its last, "error" for a refusal. The end of the input ends the connection; the status \
            is that of the first refusal.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Argument(
        help: ArgumentHelp(
            "In full: gate.v1.Mode/GetMode; - reads calls from standard input.", valueName: "service/method"),
        completion: .custom { _, _, _ in MethodNames.all })
    var method: String

    @Argument(help: "The request as proto3 JSON; - reads it from standard input.")
    var json = "{}"

    func perform(_ session: Session) async throws(GateError) {
        guard method != "-" else { return try await CallConversation(session).run() }
        let request = try CallRequest(method: method, json: json == "-" ? try Self.standardInput() : json)
        guard !request.presentsItself else { throw Self.endsAtOnce }
        if request.description.isServerStream {
            for try await message in try await request.open(session) {
                session.output.json(try request.text(of: message))
            }
        } else {
            session.output.json(try request.text(of: try await request.call(session)))
        }
    }

    /// The refusal of a question that the caller shows itself: nobody could answer it, and some questions count as
    /// answered wrong if they end like that.
    private static var endsAtOnce: GateError {
        GateError(
            .invalidArgument, .invalidRequest,
            "A question that you show yourself ends with its connection, and this one would end with the call. "
                + "Give this call and the answer as lines of one conversation: `gatectl call -`.")
    }

    /// All of standard input, up to what a frame can carry.
    private static func standardInput() throws(GateError) -> String {
        var bytes: [UInt8] = []
        while bytes.count <= CallRequest.maximumBytes {
            let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
                count = max(0, read(STDIN_FILENO, buffer.baseAddress, buffer.count))
            }
            if chunk.isEmpty { return String(decoding: bytes, as: UTF8.self) }
            bytes += chunk
        }
        throw CallRequest.tooLong
    }
}

struct CallRequest {
    /// The most that a frame can carry.
    static let maximumBytes = 4 << 20

    static var tooLong: GateError {
        GateError(.invalidArgument, .invalidRequest, "The request is longer than 4 MiB.")
    }

    let description: MethodDescription
    private let payload: [UInt8]

    /// - Throws: `UNIMPLEMENTED` if there is no such method; `INVALID_ARGUMENT` if the JSON is not a request of it.
    init(method: String, json: String) throws(GateError) {
        description = try MethodNames.find(method)
        payload = try MessageJSON.bytes(from: json, as: description.input)
    }

    /// Reads a line: the method, a space, and its request. The request may be missing.
    init(line: String) throws(GateError) {
        let (method, json) = line.cut(atFirst: " ").map { ($0.before, $0.after) } ?? (line, "{}")
        try self.init(method: String(method), json: String(json))
    }

    /// Whether the caller would show a question of this call itself.
    var presentsItself: Bool {
        guard let text = try? MessageJSON.text(of: payload, as: description.input),
            let fields = try? JSONDecoder().decode(PresentingFields.self, from: Data(text.utf8))
        else { return false }
        return fields.presentsItself == true
            || ["PRESENTING_HERE", "PRESENTING_ELSEWHERE_IF_POSSIBLE"].contains(fields.presenting)
    }

    func call(_ session: Session) async throws(GateError) -> [UInt8] {
        try await session.gate.call(
            service: description.service, method: description.name, payload: payload,
            timeout: session.gate.options.callTimeout)
    }

    func open(_ session: Session) async throws(GateError) -> MessageStream {
        try await session.gate.openStream(
            service: description.service, method: description.name, payload: payload)
    }

    func text(of answer: [UInt8]) throws(GateError) -> String {
        try MessageJSON.text(of: answer, as: description.output)
    }
}

/// What a request says about who presents. Each field is read by itself: a `presenting` that this version does not know
/// is a number in JSON, and must not hide what the other field says.
private struct PresentingFields: Decodable {
    let presentsItself: Bool?
    let presenting: String?

    private enum CodingKeys: CodingKey {
        case presentsItself
        case presenting
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        presentsItself = try? fields.decode(Bool.self, forKey: .presentsItself)
        presenting = try? fields.decode(String.self, forKey: .presenting)
    }
}

/// Makes the calls that standard input has, one a line, over one connection.
private final class CallConversation: Sendable {
    private let session: Session
    private let firstRefusal = Mutex<(line: Int, error: GateError)?>(nil)

    init(_ session: Session) {
        self.session = session
    }

    /// Makes calls until the input ends.
    /// - Throws: after all calls, an error with the code and reason of the first refusal.
    func run() async throws(GateError) {
        guard let lines = InputLines(maximumBytes: CallRequest.maximumBytes) else {
            throw GateError(.unavailable, .unspecified, "This program has no descriptors left to read calls with.")
        }
        await withTaskGroup(of: Void.self) { streams in
            var number = 0
            while let line = await lines.next() {
                number += 1
                guard let stream = await begun(line, number) else { continue }
                streams.addTask { [number] in
                    await self.refusing(number) { () throws(GateError) in
                        for try await message in stream.messages {
                            self.say(number, "message", try stream.request.text(of: message))
                        }
                        self.say(number, "end", "true")
                    }
                }
            }
            streams.cancelAll()
        }
        guard let (line, error) = firstRefusal.withLock({ $0 }) else { return }
        throw GateError(error.code, error.reason, "Line \(line) was refused: \(error.message)")
    }

    /// Makes the call of a line, and prints its answer. A stream is returned, for the caller to print its messages.
    private func begun(
        _ line: InputLines.Line, _ number: Int
    ) async -> (request: CallRequest, messages: MessageStream)? {
        await refusing(number) { () throws(GateError) in
            let text: String
            switch line {
            case .tooLong: throw CallRequest.tooLong
            case .text(let line): text = line
            }
            guard !text.allSatisfy(\.isWhitespace) else { return nil }
            let request = try CallRequest(line: text)
            guard !request.description.isServerStream else { return (request, try await request.open(self.session)) }
            self.say(number, "answer", try request.text(of: try await request.call(self.session)))
            return nil
        } ?? nil
    }

    private func refusing<Success>(
        _ number: Int, _ body: () async throws(GateError) -> Success
    ) async -> Success? {
        do throws(GateError) {
            return try await body()
        } catch {
            // The end of the input cancels what is still open. That is not a refusal.
            guard !Task.isCancelled else { return nil }
            firstRefusal.withLock { $0 = $0 ?? (number, error) }
            say(number, "error", JSONText.fields(of: error))
            return nil
        }
    }

    private func say(_ number: Int, _ key: String, _ json: String) {
        session.output.json("{\"line\":\(number),\(JSONString.quoted(key)):\(json)}")
    }
}

enum MethodNames {
    static var all: [String] {
        ServiceCatalog.all.flatMap { service in service.methods.map { "\(service.name)/\($0.name)" } }
    }

    /// - Throws: `UNIMPLEMENTED`, with the names that may have been meant.
    static func find(_ name: String) throws(GateError) -> MethodDescription {
        let parts = name.parts(between: "/")
        if parts.count == 2,
            let description = ServiceCatalog.find(service: parts[0], method: parts[1])
        {
            return description
        }
        let nearest = NearestNames.of(name, among: all)
        let hint =
            nearest.isEmpty
            ? "The services are \(ServiceCatalog.all.map(\.name).joined(separator: ", "))."
            : "Did you mean \(nearest.joined(separator: ", "))?"
        throw GateError(.unimplemented, .invalidRequest, "There is no method '\(name)'. \(hint)")
    }
}
