import FlyingFox
import FlyingSocks
import Foundation
public import GateModel
import Synchronization

/// A server on the loopback that behaves as RevenueCat's API is documented: signed under a root key of the tests' own. It
/// gives one reply after the other; the last one stays.
public final class DocumentedAPI: Sendable {
    /// An answer to a question.
    public enum Reply: Sendable, CustomStringConvertible {
        /// 200, signed, with an etag. Or 304, where the question has the same etag.
        case signed(etag: String, entitlement: String)
        /// The same answer without X-Signature.
        case unsigned
        /// An answer signed for another nonce than the question's.
        case replayed
        /// Signed under a root key that is not RevenueCat's.
        case forged(etag: String, entitlement: String)
        case status(Int, headers: [String: String] = [:])
        /// Status 200 with this text.
        case text(String)
        /// No answer, for as long as the client waits.
        case silence
        /// The connection ends in the middle of the body.
        case truncated
        /// A body longer than the client accepts.
        case endless
        /// A redirect to this server's own /elsewhere.
        case redirect(Int)

        public static let premium = Reply.signed(etag: "e1", entitlement: "premium")

        public var description: String {
            switch self {
            case .signed(let etag, _): "signed \(etag)"
            case .unsigned: "unsigned"
            case .replayed: "replayed"
            case .forged(let etag, _): "forged \(etag)"
            case .status(let code, let headers): "status \(code) \(headers)"
            case .text(let text): "text \(text)"
            case .silence: "silence"
            case .truncated: "truncated"
            case .endless: "endless"
            case .redirect(let code): "redirect \(code)"
            }
        }
    }

    /// A question as it arrived.
    public struct Question: Sendable {
        public var path: String
        public var headers: [String: String]
        /// The time by the tests' clock.
        public var at: BootTime

        public func header(_ name: String) -> String? {
            headers.first { $0.key.lowercased() == name.lowercased() }?.value
        }
    }

    private let signing: SignedCustomerInfo
    private let forging = SignedCustomerInfo()
    private let replies: Mutex<[Reply]>
    private let now: @Sendable () -> BootTime
    private let received = Mutex<[Question]>([])
    private let receivedAboutOfferings = Mutex<[Question]>([])
    /// The reply to every question about offerings.
    private let offerings: Reply
    private let server: HTTPServer

    /// - Parameters:
    ///   - offerings: the reply about what can be bought; as it is, a key that may not ask.
    ///   - now: the tests' clock.
    public init(
        _ replies: [Reply], signing: SignedCustomerInfo = SignedCustomerInfo(), offerings: Reply = .status(403),
        now: @escaping @Sendable () -> BootTime
    ) throws {
        // By IPv4: libcurl takes no IPv6 address in place of a host from here. As long as the busiest machine takes: of itself
        // the server answers with 500 what it has not answered within 15 seconds.
        server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), timeout: 600)
        self.signing = signing
        self.offerings = offerings
        self.replies = Mutex(replies)
        self.now = now
    }

    /// The questions about what was bought.
    public var questions: [Question] { received.withLock(\.self) }

    /// The questions about what can be bought.
    public var questionsAboutOfferings: [Question] { receivedAboutOfferings.withLock(\.self) }

    /// Answers every question with this reply from now on.
    public func answers(with reply: Reply) { replies.withLock { $0 = [reply] } }

    /// Serves until its task is cancelled.
    public func run() async {
        await server.appendRoute("*") { [self] request in try await response(to: request) }
        try? await server.run()
    }

    /// The settings for this server, once it listens.
    package func settings(users: Set<String> = ["anna"]) async throws -> RevenueCatSettings {
        try await server.waitUntilListening(timeout: 60)
        guard case .ip4(_, let port) = await server.listeningAddress else { throw SocketError.unsupportedAddress }
        return RevenueCatSettings(
            publicKey: SignedCustomerInfo.publicKey, rootKey: signing.rootKey, baseURL: "http://127.0.0.1:\(port)",
            users: Dictionary(uniqueKeysWithValues: users.map { ($0, .device) }))
    }

    private func response(to request: HTTPRequest) async throws -> HTTPResponse {
        let path = request.target.path()
        var headers: [String: String] = [:]
        for (header, value) in request.headers { headers[header.rawValue] = value }
        let question = Question(path: path, headers: headers, at: now())
        if path.hasSuffix("/offerings") {
            receivedAboutOfferings.withLock { $0.append(question) }
            return try await response(with: offerings, to: question)
        }
        let index = received.withLock { questions in
            questions.append(question)
            return questions.count - 1
        }
        let reply = replies.withLock { $0.indices.contains(index) ? $0[index] : $0.last }
        guard let reply else { return HTTPResponse(statusCode: .notFound) }
        return try await response(with: reply, to: question)
    }

    private func response(with reply: Reply, to question: Question) async throws -> HTTPResponse {
        let nonce = Array(Data(base64Encoded: question.header("X-Nonce") ?? "") ?? Data())
        switch reply {
        case .signed(let etag, let entitlement):
            guard question.header("X-RevenueCat-ETag") != etag else {
                return HTTPResponse(statusCode: .init(304, phrase: ""))
            }
            return try answer(signing, to: question.path, nonce, etag, entitlement)
        case .unsigned:
            var response = try answer(signing, to: question.path, nonce, "e1", "premium")
            response.headers[.init("X-Signature")] = nil
            return response
        case .replayed:
            return try answer(signing, to: question.path, nonce.reversed(), "e1", "premium")
        case .forged(let etag, let entitlement):
            return try answer(forging, to: question.path, nonce, etag, entitlement)
        case .status(let code, let headers):
            var response = HTTPResponse(statusCode: .init(code, phrase: "Status"))
            for (name, value) in headers { response.headers[.init(name)] = value }
            return response
        case .text(let text):
            return HTTPResponse(statusCode: .ok, headers: HTTPHeaders(), body: Data(text.utf8))
        case .silence:
            try await Task.sleep(for: .seconds(600))
            return HTTPResponse(statusCode: .ok)
        case .truncated:
            let body = HTTPBodySequence(
                from: EndingBytes(pieces: [Array("{\"request_date_ms\":".utf8)], isCutOff: true), count: 1000)
            return HTTPResponse(statusCode: .ok, headers: [.connection: "close"], body: body)
        case .endless:
            let piece = [UInt8](repeating: 0x20, count: 1 << 16)
            return HTTPResponse(
                statusCode: .ok, body: HTTPBodySequence(from: EndingBytes(pieces: Array(repeating: piece, count: 64))))
        case .redirect(let code):
            return HTTPResponse(
                statusCode: .init(code, phrase: ""), headers: HTTPHeaders([.location: "/elsewhere"]), body: Data())
        }
    }

    private func answer(
        _ keys: SignedCustomerInfo, to path: String, _ nonce: [UInt8], _ etag: String, _ entitlement: String
    ) throws -> HTTPResponse {
        let info = try keys.answer(path: path, nonce: nonce, etag: etag, entitlement: entitlement)
        var headers: HTTPHeaders = [.contentType: "application/json", .init("Set-Cookie"): "visitor=1; Path=/"]
        for (name, value) in info.headers { headers[.init(name)] = value }
        return HTTPResponse(statusCode: .ok, headers: headers, body: Data(info.body.utf8))
    }
}

/// These pieces, and then the end of the body or of the connection.
private struct EndingBytes: AsyncBufferedSequence, AsyncBufferedIteratorProtocol {
    typealias Element = UInt8

    var pieces: [[UInt8]]
    var isCutOff = false

    func makeAsyncIterator() -> EndingBytes { self }

    mutating func next() async throws -> UInt8? { nil }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
        guard pieces.isEmpty else { return pieces.removeFirst() }
        if isCutOff { throw SocketError.disconnected }
        return nil
    }
}
