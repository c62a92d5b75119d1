import GateReceipts

/// The result of a question to RevenueCat. Its sentences name no user, and people see them as the provider's health.
enum PollOutcome: Hashable, Sendable {
    /// RevenueCat's answer. With `etag` the next question can ask whether it has changed.
    case answer(CustomerInfoResponse, etag: String?)
    /// The answer is still the one of the etag that was sent.
    case notModified
    /// RevenueCat gets too many questions, or is out of order. `retryAfter`: how long it wants no questions.
    case busy(retryAfter: Duration?, String)
    /// No answer, or one that makes no sense. The next question may succeed.
    case failed(String)
    /// No question will succeed before a person changes something.
    case refused(String)

    /// The headers that the daemon needs to check an answer.
    private static let keptHeaders: Set<String> = ["x-signature", "x-revenuecat-request-time", "x-revenuecat-etag"]

    init(
        _ answer: HTTPAnswer, to request: CustomerInfoRequest, check: (CustomerInfoResponse) -> ReceiptError?
    ) {
        switch answer.status {
        case 200, 201:
            // With 201, RevenueCat did not know the user before.
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
            self = .busy(
                retryAfter: answer.retryAfter, "RevenueCat was asked too often (HTTP 429), and is asked again later.")
        case 503:
            self = .busy(
                retryAfter: answer.retryAfter, "RevenueCat is out of order (HTTP 503), and is asked again later.")
        case 401, 403:
            self = .refused(
                "RevenueCat does not take the public key (HTTP \(answer.status)). Compare `public-key` in providers.yaml."
            )
        case 404:
            self = .refused(
                "RevenueCat does not know what is asked for (HTTP 404). Compare `url` and `users` in providers.yaml.")
        case 408, 500...:
            self = .failed("RevenueCat has failed (HTTP \(answer.status)), and is asked again later.")
        case _:
            self = .refused("RevenueCat refuses to answer (HTTP \(answer.status)).")
        }
    }
}

struct HTTPAnswer: Hashable, Sendable {
    var status: Int
    var headers: [String: String]
    var body: [UInt8]

    func header(_ name: String) -> String? {
        headers.first { $0.key.lowercased() == name.lowercased() }?.value
    }

    /// How long to wait, in whole seconds. A date is ignored, since it would need two clocks that agree.
    var retryAfter: Duration? {
        header("Retry-After").flatMap { UInt32($0) }.map { .seconds($0) }
    }
}
