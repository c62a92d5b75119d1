import Foundation
import FoundationNetworking
import GateReceipts
import Synchronization

/// Asks over HTTP, and takes no more than is good: no cookies, no cache, no redirect, no body over 1 MiB, no longer than 30 s.
final class HTTPExchange: Sendable {
    /// Why there is no answer. A sentence for people; names no user.
    struct Failure: Error, Hashable {
        var detail: String
    }

    static let deadline: Duration = .seconds(30)

    private let session: URLSession
    private let answers: Answers
    private let deadline: Duration

    init(deadline: Duration = HTTPExchange.deadline) {
        self.deadline = deadline
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.timeoutIntervalForRequest = TimeInterval(max(1, deadline.components.seconds))
        configuration.httpMaximumConnectionsPerHost = 4
        answers = Answers()
        session = URLSession(configuration: configuration, delegate: answers, delegateQueue: nil)
    }

    /// Ends all that is under way.
    func close() {
        session.invalidateAndCancel()
    }

    func answer(to request: CustomerInfoRequest) async throws(Failure) -> HTTPAnswer {
        try await answer(from: request.url, asking: request.headers)
    }

    func answer(to request: OfferingsRequest) async throws(Failure) -> HTTPAnswer {
        try await answer(from: request.url, asking: request.headers)
    }

    private func answer(from url: URL, asking headers: [String: String]) async throws(Failure) -> HTTPAnswer {
        var urlRequest = URLRequest(url: url)
        for (name, value) in headers { urlRequest.setValue(value, forHTTPHeaderField: name) }
        let task = session.dataTask(with: urlRequest)
        // The session's own time limit starts anew with every byte.
        let alarm = Task { [deadline, answers] in
            try await Task.sleep(for: deadline)
            answers.end(task, with: .failure(Failure(detail: "RevenueCat took longer than 30 s to answer.")))
        }
        defer { alarm.cancel() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                answers.begin(task, continuation)
                task.resume()
            }
        } onCancel: {
            answers.end(task, with: .failure(Failure(detail: "Stopped.")))
        }
        return try result.get()
    }
}

/// The part of each answer that has come so far.
private final class Answers: NSObject, URLSessionDataDelegate {
    typealias Result = Swift.Result<HTTPAnswer, HTTPExchange.Failure>

    private struct Open {
        var continuation: CheckedContinuation<Result, Never>
        var answer: HTTPAnswer?
    }

    private struct State {
        var open: [Int: Open] = [:]
        /// Ended before they began.
        var ended: [Int: Result] = [:]
    }

    private let state = Mutex(State())

    func begin(_ task: URLSessionTask, _ continuation: CheckedContinuation<Result, Never>) {
        let ended = state.withLock { state in
            let ended = state.ended.removeValue(forKey: task.taskIdentifier)
            if ended == nil { state.open[task.taskIdentifier] = Open(continuation: continuation) }
            return ended
        }
        if let ended { continuation.resume(returning: ended) }
    }

    /// Once: what comes later is dropped.
    func end(_ task: URLSessionTask, with result: Result) {
        let continuation = state.withLock { state in
            let open = state.open.removeValue(forKey: task.taskIdentifier)
            if open == nil, task.state == .suspended { state.ended[task.taskIdentifier] = result }
            return open?.continuation
        }
        continuation?.resume(returning: result)
        task.cancel()
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        var headers: [String: String] = [:]
        for case (let name as String, let value as String) in response.allHeaderFields { headers[name] = value }
        let answer = HTTPAnswer(status: response.statusCode, headers: headers, body: [])
        state.withLock { $0.open[dataTask.taskIdentifier]?.answer = answer }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let count = state.withLock { state in
            state.open[dataTask.taskIdentifier]?.answer?.body += data
            return state.open[dataTask.taskIdentifier]?.answer?.body.count ?? 0
        }
        if count > CustomerInfoResponse.maximumBodyByteCount {
            end(dataTask, with: .failure(.init(detail: "RevenueCat's answer is longer than 1 MiB.")))
        }
    }

    /// A redirect is an answer like others: the key goes nowhere else, and the signature is for this path.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
        end(task, with: .success(HTTPAnswer(status: response.statusCode, headers: [:], body: [])))
    }

    /// Being asked for a name and a password is an answer like others, too: there are none. The system's own handling would ask again
    /// without one, and never say how that ended.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if let response = challenge.failureResponse as? HTTPURLResponse {
            end(task, with: .success(HTTPAnswer(status: response.statusCode, headers: [:], body: [])))
        }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let answer = state.withLock { $0.open[task.taskIdentifier]?.answer }
        if let error {
            end(task, with: .failure(.init(detail: Self.sentence(for: error, hasBegun: answer != nil))))
        } else if let answer {
            end(task, with: .success(answer))
        } else {
            end(task, with: .failure(.init(detail: "RevenueCat ended the connection without an answer.")))
        }
    }

    /// Not the error's own words, which may hold the URL and with it the user.
    private static func sentence(for error: any Error, hasBegun: Bool) -> String {
        guard let code = (error as? URLError)?.code else { return "RevenueCat can't be asked." }
        return switch code {
        case .timedOut: "RevenueCat took longer than 30 s to answer."
        case .cannotFindHost, .dnsLookupFailed: "RevenueCat's host can't be found. Is this device online?"
        case .cannotConnectToHost, .notConnectedToInternet: "RevenueCat can't be reached. Is this device online?"
        case .networkConnectionLost: "RevenueCat ended the connection before the answer was whole."
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            "RevenueCat's certificate can't be trusted. Look at this device's clock and at its certificates."
        case _ where hasBegun: "RevenueCat ended the connection before the answer was whole."
        case _: "RevenueCat can't be asked (error \(code.rawValue) of the network)."
        }
    }
}
