import Synchronization

/// Asks over HTTP, and takes no more than is good: no cookies, no cache, no redirect, no body over 1 MiB, no longer than 30 s.
final class HTTPExchange: Sendable {
    /// Why there is no answer. A sentence for people; names no user.
    struct Failure: Error, Hashable {
        var detail: String
    }

    static let deadline: Duration = .seconds(30)

    /// Each asks one thing at a time, so that RevenueCat never has more than so many questions of ours at once.
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
