import GateReceipts

/// How a question to RevenueCat ended. Each sentence is for people, names no user, and is shown as the provider's health.
enum PollOutcome: Hashable, Sendable {
    /// `etag`: to ask next time whether it is still so.
    case answer(CustomerInfoResponse, etag: String?)
    /// It is what the etag stands for.
    case notModified
    /// Too many questions, or out of order. `retryAfter`: how long RevenueCat wants to be left alone.
    case busy(retryAfter: Duration?, String)
    /// No answer, or none that makes sense. May be better in a moment.
    case failed(String)
    /// It will not be better until a person changes something.
    case refused(String)

    /// The headers that the daemon needs to check an answer.
    private static let keptHeaders: Set<String> = ["x-signature", "x-revenuecat-request-time", "x-revenuecat-etag"]

    /// - Parameter check: what is wrong with an answer; `nil`: nothing.
    init(
        _ answer: HTTPAnswer, to request: CustomerInfoRequest, check: (CustomerInfoResponse) -> ReceiptError?
    ) {
        switch answer.status {
        case 200, 201:
            // 201: the user was not known to RevenueCat before.
            let response = CustomerInfoResponse(
                path: request.path, nonce: request.nonce,
                headers: answer.headers.filter { Self.keptHeaders.contains($0.key.lowercased()) }
                    .map { .init(name: $0.key, value: $0.value) }.sorted { $0.name < $1.name },
                body: answer.body)
            if let error = check(response) {
                self = .failed("RevenueCat's answer can't be believed. \(error.message)")
            } else {
                self = .answer(response, etag: answer.header("X-RevenueCat-ETag"))
            }
        case 304:
            self = .notModified
        case 300..<400:
            self = .failed(
                "The answer is a redirect (HTTP \(answer.status)), which is not followed. Look at `url` in providers.yaml."
            )
        case 429:
            self = .busy(retryAfter: answer.retryAfter, "RevenueCat is asked too often (HTTP 429).")
        case 503:
            self = .busy(retryAfter: answer.retryAfter, "RevenueCat is out of order (HTTP 503).")
        case 401, 403:
            self = .refused(
                "RevenueCat does not take the public key (HTTP \(answer.status)). Compare `public-key` in providers.yaml."
            )
        case 404:
            self = .refused(
                "RevenueCat does not know what is asked for (HTTP 404). Compare `url` and `users` in providers.yaml.")
        case 408, 500...:
            self = .failed("RevenueCat has failed (HTTP \(answer.status)).")
        case _:
            self = .refused("RevenueCat refuses to answer (HTTP \(answer.status)).")
        }
    }
}

/// The answer that came back over HTTP.
struct HTTPAnswer: Hashable, Sendable {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    func header(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }

    /// The time to wait, from whole seconds; a date, which would need both clocks to be right, counts as none.
    var retryAfter: Duration? {
        header("Retry-After").flatMap { UInt32($0) }.map { .seconds($0) }
    }
}
