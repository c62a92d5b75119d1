import CCurl
import Dispatch
import GateReceipts
import Synchronization

/// Makes transfers with libcurl, one after another, on a thread that may block. Connections are used again.
final class HTTPLane: @unchecked Sendable {
    private let turns = DispatchQueue(label: "gate-revenuecat.http")
    /// libcurl's handle, used only on the queue `turns`; `nil` if libcurl could not be initialized, as without memory.
    private let curl: UnsafeMutableRawPointer?

    /// Initialized once, before any thread uses libcurl.
    private static let isReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    init() {
        curl = Self.isReady ? curl_easy_init() : nil
    }

    deinit { curl_easy_cleanup(curl) }

    func result(of transfer: HTTPTransfer) async -> HTTPTransfer.Result {
        await withCheckedContinuation { continuation in
            turns.async { continuation.resume(returning: transfer.result(with: self.curl)) }
        }
    }
}

/// One request, and what has arrived of its answer.
final class HTTPTransfer: @unchecked Sendable {
    typealias Result = Swift.Result<HTTPAnswer, HTTPExchange.Failure>

    private let url: String
    private let headers: [String: String]
    private let deadline: Duration
    private let isStopped = Atomic(false)
    // Used only on the thread of the transfer.
    private var answerHeaders: [String: String] = [:]
    private var body: [UInt8] = []
    private var hasBegun = false
    private var isTooLong = false

    init(url: String, headers: [String: String], deadline: Duration) {
        (self.url, self.headers, self.deadline) = (url, headers, deadline)
    }

    /// Ends the transfer within a second. May be called from any thread.
    func stop() {
        isStopped.store(true, ordering: .relaxed)
    }

    /// Blocks until there is an answer or an error. Call it only once.
    fileprivate func result(with curl: UnsafeMutableRawPointer?) -> Result {
        guard let curl else { return .failure(.init(detail: "There is not enough memory to ask RevenueCat.")) }
        // A line break in a value would begin another header.
        guard headers.values.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 } }) else {
            return .failure(.init(detail: "RevenueCat can't be asked: there is a control character in what is sent."))
        }
        var list: UnsafeMutablePointer<curl_slist>?
        for (name, value) in headers { list = curl_slist_append(list, "\(name): \(value)") }
        defer { curl_slist_free_all(list) }
        let result = isStopped.load(ordering: .relaxed) ? CURLE_ABORTED_BY_CALLBACK : perform(curl, list)
        guard result == CURLE_OK else { return .failure(.init(detail: sentence(for: result))) }
        return .success(HTTPAnswer(status: curl_status(curl), headers: answerHeaders, body: body))
    }

    private func perform(_ curl: UnsafeMutableRawPointer, _ headers: UnsafeMutablePointer<curl_slist>?) -> CURLcode {
        // Resets the options of the previous transfer, but keeps its connection.
        curl_easy_reset(curl)
        let context = Unmanaged.passUnretained(self).toOpaque()
        let settings: [() -> CURLcode] = [
            { curl_set_text(curl, CURLOPT_URL, self.url) },
            { curl_set_text(curl, CURLOPT_PROTOCOLS_STR, "https,http") },
            { curl_set_headers(curl, headers) },
            // Accept every encoding that libcurl can decode.
            { curl_set_text(curl, CURLOPT_ACCEPT_ENCODING, "") },
            { curl_set_number(curl, CURLOPT_TIMEOUT_MS, max(1, self.deadline.milliseconds)) },
            // No signals, since there are other threads.
            { curl_set_number(curl, CURLOPT_NOSIGNAL, 1) },
            // A redirect is not followed: the key must go nowhere else, and the signature is for this path.
            { curl_set_number(curl, CURLOPT_FOLLOWLOCATION, 0) },
            { curl_set_callbacks(curl, receiveHeader, receiveBody, watch, context) },
        ]
        for setting in settings {
            let result = setting()
            guard result == CURLE_OK else { return result }
        }
        return withExtendedLifetime(self) { curl_easy_perform(curl) }
    }

    fileprivate func receive(headerLine line: String) {
        hasBegun = true
        // A new head begins: the one before was of an interim answer.
        if line.hasPrefix("HTTP/") { answerHeaders = [:] }
        guard let colon = line.firstIndex(of: ":") else { return }
        let value = line[line.index(after: colon)...].drop(while: \.isWhitespace)
        let end = value.lastIndex { !$0.isWhitespace }.map(value.index(after:)) ?? value.startIndex
        let (name, text) = (String(line[..<colon]), String(value[..<end]))
        answerHeaders[name] = answerHeaders[name].map { "\($0), \(text)" } ?? text
    }

    /// - Returns: `false` if the body has become too long, which ends the transfer.
    fileprivate func receive(bodyPiece piece: UnsafeRawBufferPointer) -> Bool {
        isTooLong = body.count + piece.count > CustomerInfoResponse.maximumBodyByteCount
        if !isTooLong { body += piece }
        return !isTooLong
    }

    fileprivate var mustEnd: Bool { isStopped.load(ordering: .relaxed) }

    /// libcurl's own messages are not used, since they may contain the URL and with it the user.
    private func sentence(for code: CURLcode) -> String {
        if mustEnd { return "Stopped." }
        if isTooLong { return "RevenueCat's answer is longer than 1 MiB." }
        return switch code {
        case CURLE_OPERATION_TIMEDOUT: "RevenueCat took longer than 30 s to answer."
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            "RevenueCat's host can't be found. Is this device online?"
        case CURLE_COULDNT_CONNECT: "RevenueCat can't be reached. Is this device online?"
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
            "RevenueCat's certificate can't be trusted. Look at this device's clock and at its certificates."
        case _ where hasBegun: "RevenueCat ended the connection before the answer was whole."
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR:
            "RevenueCat ended the connection without an answer."
        case _: "RevenueCat can't be asked (error \(code.rawValue) of libcurl)."
        }
    }
}

extension HTTPTransfer {
    fileprivate static func of(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer? {
        context.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
    }
}

private let receiveHeader: curl_receiver = { bytes, size, count, context in
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    HTTPTransfer.of(context)?.receive(headerLine: String(decoding: line, as: UTF8.self))
    return size * count
}

private let receiveBody: curl_receiver = { bytes, size, count, context in
    let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return HTTPTransfer.of(context)?.receive(bodyPiece: piece) == true ? size * count : 0
}

private let watch: curl_watcher = { context, _, _, _, _ in
    HTTPTransfer.of(context)?.mustEnd == false ? 0 : 1
}

extension Duration {
    fileprivate var milliseconds: Int {
        Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
    }
}
