import Synchronization

/// Makes HTTP requests with narrow limits: no cookies, no cache, no redirects, at most 1 MiB of body, at most 30 s.
final class HTTPExchange: Sendable {
    /// Why there is no answer, in a sentence for people that names no user.
    struct Failure: Error, Hashable {
        var detail: String
    }

    static let deadline: Duration = .seconds(30)

    /// Each lane makes one request at a time. So RevenueCat never gets more than this number of requests at once.
    private let lanes = (0..<4).map { _ in HTTPLane() }
    private let count = Atomic<Int>(0)
    private let deadline: Duration

    init(deadline: Duration = HTTPExchange.deadline) {
        self.deadline = deadline
    }

    func answer(to request: CustomerInfoRequest) async throws(Failure) -> HTTPAnswer {
        try await answer(from: request.url, asking: request.headers)
    }

    func answer(to request: OfferingsRequest) async throws(Failure) -> HTTPAnswer {
        try await answer(from: request.url, asking: request.headers)
    }

    private func answer(from url: String, asking headers: [String: String]) async throws(Failure) -> HTTPAnswer {
        let transfer = HTTPTransfer(url: url, headers: headers, deadline: deadline)
        let lane = lanes[count.wrappingAdd(1, ordering: .relaxed).oldValue % lanes.count]
        let result = await withTaskCancellationHandler {
            await lane.result(of: transfer)
        } onCancel: {
            transfer.stop()
        }
        return try result.get()
    }
}
