import Foundation
import GateModel
import GateReceipts
import RevenueCatSupport
import Testing

@testable import gate_revenuecat

@Suite("Polling an API that behaves as documented", .timeLimit(.minutes(10)))
struct PollerTests {
    @Test("an answer is submitted to the daemon once, unchanged, and the next questions carry its etag")
    func answerThenNotModified() async throws {
        let outcome = try await PolledGate(replies: [.premium]).run { $0.questions.count >= 4 && $0.healths.count >= 1 }
        let answer = try #require(outcome.answers.first)
        #expect(outcome.answers.count == 1)
        #expect(answer.path == "/v1/subscribers/anna")
        #expect(String(decoding: answer.body, as: UTF8.self).hasSuffix("}}}}\n"))
        #expect(
            Set(answer.headers.map { $0.name.lowercased() }) == [
                "x-signature", "x-revenuecat-request-time", "x-revenuecat-etag",
            ])
        #expect(outcome.healths == [.init(isReachable: true, detail: "")])
        #expect(outcome.questions.prefix(4).map { $0.header("X-RevenueCat-ETag") } == [nil, "e1", "e1", "e1"])
        let times = outcome.questions.prefix(3).map(\.at)
        try #require(times.count == 3)
        #expect(times[0].duration(to: times[1]) == .seconds(900))
    }

    @Test("a question has the public key, a nonce of its own, no cookie, and the user percent-encoded")
    func question() async throws {
        let outcome = try await PolledGate(replies: [.premium], users: ["$RCAnonymousID:a/b é"]).run {
            $0.questions.count >= 3
        }
        let nonces = outcome.questions.compactMap { $0.header("X-Nonce") }
        #expect(Set(nonces).count == outcome.questions.count)
        #expect(nonces.allSatisfy { Data(base64Encoded: $0)?.count == 12 })
        for question in outcome.questions {
            #expect(question.path == "/v1/subscribers/%24RCAnonymousID%3Aa%2Fb%20%C3%A9")
            #expect(question.header("Authorization") == "Bearer \(SignedCustomerInfo.publicKey)")
            #expect(question.header("Cookie") == nil)
            #expect(question.header("X-Platform") == nil)
        }
    }

    @Test("an answer that has changed is submitted too")
    func change() async throws {
        let replies: [DocumentedAPI.Reply] = [
            .premium, .premium, .signed(etag: "e2", entitlement: "pro"), .signed(etag: "e2", entitlement: "pro"),
        ]
        let outcome = try await PolledGate(replies: replies).run { $0.answers.count >= 2 }
        try #require(outcome.answers.count >= 2)
        #expect(String(decoding: outcome.answers[1].body, as: UTF8.self).contains("\"pro\""))
    }

    @Test(
        "a bad answer is reported but not submitted, and the next good one is submitted",
        arguments: [
            (.status(500), "HTTP 500"), (.status(502), "HTTP 502"),
            (.status(429, headers: ["Retry-After": "60"]), "HTTP 429"), (.status(429), "HTTP 429"),
            (.status(503, headers: ["Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"]), "HTTP 503"),
            (.status(304), "nothing has changed"), (.status(404), "HTTP 404"), (.status(401), "public key"),
            (.status(403), "public key"), (.status(418), "HTTP 418"),
            (.status(401, headers: ["WWW-Authenticate": "Basic realm=\"a\""]), "public key"),
            (.status(401, headers: ["WWW-Authenticate": "Digest realm=\"a\", nonce=\"b\""]), "public key"),
            (.text("<html>Log in</html>"), "can't be believed"),
            (.text(""), "can't be believed"), (.text("{\"code\":7225}"), "can't be believed"),
            (.unsigned, "X-Signature"),
            (.replayed, "signature"), (.endless, "1 MiB"), (.truncated, "whole"), (.redirect(302), "redirect"),
            (.redirect(308), "redirect"),
        ] as [(DocumentedAPI.Reply, String)])
    func badAnswer(reply: DocumentedAPI.Reply, sentence: String) async throws {
        let outcome = try await PolledGate(replies: [reply, reply, .premium]).run {
            $0.healths.count >= 2 && $0.answers.count >= 1
        }
        #expect(outcome.healths.map(\.isReachable) == [false, true])
        #expect(outcome.healths.first?.detail.contains(sentence) == true, "\(outcome.healths)")
        #expect(outcome.healths.first?.detail.contains("anna") == false)
        #expect(outcome.answers.count == 1)
        #expect(outcome.questions.allSatisfy { $0.path == "/v1/subscribers/anna" }, "a redirect was followed")
    }

    @Test("an answer that does not come is given up")
    func silence() async throws {
        let outcome = try await PolledGate(replies: [.silence, .premium], deadline: .milliseconds(500)).run {
            $0.healths.count >= 2 && $0.answers.count >= 1
        }
        #expect(outcome.healths.first?.detail.contains("longer than") == true)
    }

    @Test("a host that is not there is reported")
    func nobodyListens() async throws {
        let outcome = try await PolledGate(replies: [], baseURL: "http://127.0.0.1:1").run { $0.healths.count >= 1 }
        #expect(outcome.healths.first?.isReachable == false)
        #expect(outcome.healths.first?.detail.contains("can't be reached") == true, "\(outcome.healths)")
        #expect(outcome.answers.isEmpty)
    }

    @Test("RevenueCat's Retry-After is obeyed")
    func retryAfter() async throws {
        let replies: [DocumentedAPI.Reply] = [.status(429, headers: ["Retry-After": "60"]), .premium]
        let outcome = try await PolledGate(replies: replies).run { $0.questions.count >= 2 }
        try #require(outcome.questions.count >= 2)
        #expect(outcome.questions[0].at.duration(to: outcome.questions[1].at) >= .seconds(60))
    }

    @Test("several users are polled, each with an etag of its own")
    func users() async throws {
        let outcome = try await PolledGate(replies: [.premium], users: ["anna", "bob", "eve", "ida", "joe", "mia"]).run
        {
            $0.questions.count >= 12 && Set($0.answers.map(\.path)).count == 6
        }
        #expect(outcome.answers.count == 6)
        let questions = Dictionary(grouping: outcome.questions, by: \.path)
        #expect(questions.count == 6)
        for (path, questions) in questions {
            let etags = questions.map { $0.header("X-RevenueCat-ETag") }
            #expect(etags[0] == nil && etags.dropFirst().allSatisfy { $0 == "e1" }, "\(path): \(etags)")
        }
    }

    @Test("unsigned answers are brought where the policy allows it")
    func unsigned() async throws {
        let outcome = try await PolledGate(replies: [.unsigned], acceptsUnsigned: true).run { $0.answers.count >= 1 }
        #expect(outcome.answers.count == 1)
    }

    @Test("a daemon that was away gets the last answer when it returns, also one that it had before")
    func daemonAway() async throws {
        let away = GateError(.unavailable, .unspecified, "gated is away.")
        let tried = try await PolledGate(replies: [.premium], refusals: [away, away]).run { $0.answers.count >= 3 }
        #expect(Set(tried.answers).count == 1)
        let returned = try await PolledGate(replies: [.premium], events: [.away, .present(Paywalls())]).run {
            $0.answers.count >= 2 && $0.healths.count >= 2
        }
        #expect(Set(returned.answers).count == 1)
        #expect(Set(returned.healths).count == 1)
    }

    @Test("an answer that the daemon refuses is not submitted again, and the next is asked for without an etag")
    func daemonRefuses() async throws {
        let refusal = GateError(.invalidArgument, .badReceipt, "No.")
        let outcome = try await PolledGate(replies: [.premium], refusals: [refusal]).run { $0.answers.count >= 2 }
        #expect(Set(outcome.answers.map(\.nonce)).count == 2)
        #expect(outcome.questions.contains { $0.header("X-RevenueCat-ETag") == "e1" } == false)
        let waits = zip(outcome.questions, outcome.questions.dropFirst()).map { $0.at.duration(to: $1.at) }
        #expect(waits.first == .seconds(2))
    }

    @Test("while a paywall is open it is asked every 5 s")
    func paywall() async throws {
        let outcome = try await PolledGate(replies: [.premium], events: [.present(open())]).run {
            $0.questions.count >= 8
        }
        let waits = zip(outcome.questions, outcome.questions.dropFirst()).map { $0.at.duration(to: $1.at) }
        #expect(waits.filter { $0 == .seconds(5) }.count >= 3, "\(waits)")
    }

    @Test(
        "after a search for a payment the health is reported behind the answers of all users (K-11)"
    )
    func restored() async throws {
        let outcome = try await PolledGate(
            replies: [.premium], users: ["anna", "bob"], events: [.changed(open(restoreCount: 1))]
        ).run { $0.healths.count >= 2 && $0.answers.count >= 2 }
        #expect(Set(outcome.healths) == [.init(isReachable: true, detail: "")])
        guard case .health = outcome.brought.last else {
            Issue.record("an answer came after it")
            return
        }
    }

    /// An open paywall on which somebody has asked this often to look again.
    private func open(restoreCount: UInt32 = 0) -> Paywalls {
        Paywalls(summaries: [
            PresentationSummary(
                id: 1, purpose: .pay, kind: .paywall, deadline: .init(nanoseconds: 1), style: .sheet,
                isDismissible: true, stage: .shown, asked: PresentationContext(uid: 1, pid: 1, program: "game"),
                restoreCount: restoreCount)
        ])
    }
}
