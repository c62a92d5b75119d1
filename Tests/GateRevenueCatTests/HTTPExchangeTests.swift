import GateClient
import GateModel
import RevenueCatSupport
import Testing

@testable import gate_revenuecat

@Suite("HTTP requests to RevenueCat")
struct HTTPExchangeTests {
    @Test("a key with control characters is refused, because it could begin another header")
    func controlCharacters() async {
        for key in ["appl_x\r\nX-Is-Sandbox: true", "appl_x\n", "appl_\u{0}x"] {
            let settings = RevenueCatSettings(publicKey: key, rootKey: nil, baseURL: "http://127.0.0.1:1")
            guard let request = OfferingsRequest(settings, user: "anna") else {
                Issue.record("no request")
                continue
            }
            let error = await #expect(throws: HTTPExchange.Failure.self) {
                try await HTTPExchange().answer(to: request)
            }
            #expect(error?.detail == "RevenueCat can't be asked: there is a control character in what is sent.")
        }
    }

    @Test(
        "an address of another protocol than HTTP is refused",
        arguments: ["file:///etc/passwd?", "ftp://127.0.0.1:1", "gopher://127.0.0.1:1"])
    func otherProtocols(baseURL: String) async throws {
        let settings = RevenueCatSettings(publicKey: "appl_x", rootKey: nil, baseURL: baseURL)
        let request = try #require(OfferingsRequest(settings, user: "anna"))
        let error = await #expect(throws: HTTPExchange.Failure.self) { try await HTTPExchange().answer(to: request) }
        // CURLE_UNSUPPORTED_PROTOCOL.
        #expect(error?.detail == "RevenueCat can't be asked (error 1 of libcurl).")
    }

    @Test("requests whose tasks are cancelled end, also those that wait behind others", .timeLimit(.minutes(10)))
    func cancellation() async throws {
        let api = try DocumentedAPI([], offerings: .silence, now: { .now() })
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await api.run() }
            let request = try #require(OfferingsRequest(try await api.settings(), user: "anna"))
            let exchange = HTTPExchange(deadline: .seconds(600))
            // More than there are lanes.
            let questions = (0..<8).map { _ in Task { try await exchange.answer(to: request) } }
            while api.questionsAboutOfferings.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
            for question in questions { question.cancel() }
            for question in questions {
                let error = await #expect(throws: HTTPExchange.Failure.self) { try await question.value }
                #expect(error?.detail == "Stopped.")
            }
            group.cancelAll()
        }
    }
}
