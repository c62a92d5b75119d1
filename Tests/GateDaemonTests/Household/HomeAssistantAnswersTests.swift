import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

@Suite("Home Assistant and a question, through gated (H-07)", .timeLimit(.minutes(10)))
struct HomeAssistantAnswersTests {
    private static let share = AuthorizeRequest(
        request: AuthorizationRequest(gatedAction: "photos.share", details: "12 photos"), presenting: .elsewhere)

    private func with(
        _ section: String, _ body: @escaping (TwoDevices, Carrier) async throws -> Void
    ) async throws {
        try await TwoDevices.with(more: ("home-assistant: \(section)\n", "")) { devices, carrier in
            try await carrier.tabletHasBroker()
            try await body(devices, carrier)
        }
    }

    private func answer(_ number: UInt64, _ isApproved: Bool, at peer: Connected) async -> GateError? {
        await peer.refusal(
            of: Methods.Household.obeyHomeAssistant,
            ObeyHomeAssistantRequest(order: .answer(number, isApproved: isApproved)))
    }

    @Test("a yes grants, a no refuses, and afterwards the question is closed", arguments: [true, false])
    func answered(isApproved: Bool) async throws {
        try await with("{may: [answer]}") { devices, carrier in
            let mia = try await devices.tablet.connect("anna")
            async let refusal = mia.refusal(of: Methods.Authorization.authorize, Self.share)
            let asked = try await carrier.asked()
            let number = asked.requests[0].number
            #expect(asked.requests[0].clear == nil, "nobody has said that the words are to be told")
            #expect(await answer(number + 1, isApproved, at: carrier.atTablet)?.reason == .closed)
            #expect(await answer(number, isApproved, at: mia)?.parameters["what"] == "household")
            #expect(await answer(number, isApproved, at: carrier.atTablet) == nil)
            #expect(await refusal?.reason == (isApproved ? nil : .refused))
            #expect(await answer(number, isApproved, at: carrier.atTablet)?.parameters["what"] == "question")
            #expect(try await carrier.asked(after: asked.change).requests.isEmpty)
        }
    }

    @Test("the words of a question are given out only if household.yaml says so, also after a reload")
    func words() async throws {
        try await with("{words: true}") { devices, carrier in
            let (mia, root) = (try await devices.tablet.connect("anna"), try await devices.tablet.connect("root"))
            async let refusal = mia.refusal(of: Methods.Authorization.authorize, Self.share)
            var asked = try await carrier.asked()
            let clear = try #require(asked.requests[0].clear)
            #expect(clear.purpose == .authorize && clear.asked.details == "12 photos")
            #expect(clear.asked.title == "Share photos")
            let number = asked.requests[0].number
            #expect(await answer(number, true, at: carrier.atTablet)?.parameters["what"] == "home-assistant")

            let text = devices.tablet.householdText
            for (old, new, areTold) in [
                ("words: true", "words: false", false), ("words: false", "words: true", true),
                ("words: true", "words: true, discovery: false", false),
                ("words: true, discovery: false", "may: [answer]", false),
            ] {
                text.value = text.value.replacing(old, with: new)
                _ = try await root.call(Methods.Control.reload, ReloadRequest())
                let before = asked
                asked = try await carrier.asked(after: areTold == (before.requests[0].clear != nil) ? 0 : before.change)
                #expect(asked.requests.map(\.number) == [number])
                #expect((asked.requests[0].clear != nil) == areTold, "\(new)")
            }
            #expect(await answer(number, false, at: carrier.atTablet) == nil)
            #expect(await refusal?.reason == .refused)
        }
    }
}
