import GateGuardians
import GateModel
import GateProtocol
import Testing

@testable import GateDaemon

extension Carrier {
    /// Tells the tablet that it has a broker, so that it may ask its guardians.
    func tabletHasBroker(_ isThere: Bool = true) async throws {
        _ = try await atTablet.call(
            Methods.Household.reportDevices, ReportDevicesRequest(devices: [], isAll: false, hasBroker: isThere))
    }

    /// The questions of the tablet that are open after this change.
    func asked(after change: UInt64 = 1) async throws -> OutgoingRequests {
        try await atTablet.call(Methods.Household.collectRequests, CollectRequestsRequest(afterChange: change)).requests
    }

    /// Brings the tablet's questions to the laptop, as they are on the tablet's topic.
    func bring(_ asked: OutgoingRequests, _ change: (inout ArrivedRequest) -> Void = { _ in }) async throws {
        let requests = asked.requests.map { request in
            var arrived = ArrivedRequest(
                name: RequestName(TwoDevices.tablet, request.number),
                sealed: request.sealed.first { $0.device == TwoDevices.laptop }?.sealed ?? [], left: request.left,
                askedAt: request.askedAt)
            change(&arrived)
            return arrived
        }
        _ = try await atLaptop.call(
            Methods.Household.submitRequests, SubmitRequestsRequest(requests: requests, isAll: true))
    }
}

@Suite("A question on one device, answered on another, through gated (H-04)", .timeLimit(.minutes(10)))
struct RequestsElsewhereTests {
    private static let share = AuthorizeRequest(
        request: AuthorizationRequest(gatedAction: "photos.share", details: "12 photos"), presenting: .elsewhere)

    @Test(
        "Mia asks on the tablet, her mother answers on the laptop, and Mia is granted or refused",
        arguments: [true, false])
    func answered(isApproved: Bool) async throws {
        try await TwoDevices.with { devices, carrier in
            try await carrier.tabletHasBroker()
            let (mia, mother) = (try await devices.tablet.connect("anna"), try await devices.laptop.connect("mother"))
            var stream = try await mother.register()
            async let result = mia.result(of: Methods.Authorization.authorize, Self.share)
            let asked = try await carrier.asked()
            #expect(asked.requests.map(\.kind) == ["confirm"] && asked.requests.first?.sealed.count == 1)
            let sealed = asked.requests[0].sealed[0].sealed
            #expect(!String(decoding: sealed, as: UTF8.self).contains("photos"))
            try await carrier.bring(asked)

            let shown = try await mother.claim(from: &stream)
            #expect(shown.summary.asked.device == "Tablet" && shown.summary.asked.details == "12 photos")
            #expect(shown.summary.asked.title == "Share photos" && shown.summary.purpose == .authorize)
            _ = try await mother.call(
                Methods.Presentations.complete,
                CompleteRequest(cookie: shown.cookie, answer: .text(isApproved ? "yes" : "no")))
            try await carrier.carry()
            let became = await result
            if isApproved {
                guard case .grant = try became.get().result else {
                    Issue.record("it has no grant: \(became)")
                    return
                }
            } else {
                #expect(became.refusal?.reason == .refused)
            }
            #expect(try await carrier.asked(after: asked.change).requests.isEmpty)
        }
    }

    @Test("an administrator answers by number and is told the outcome; a second answer finds the question closed")
    func byNumber() async throws {
        try await TwoDevices.with { devices, carrier in
            try await carrier.tabletHasBroker()
            let (mia, root) = (try await devices.tablet.connect("anna"), try await devices.laptop.connect("root"))
            async let result = mia.result(of: Methods.Authorization.authorize, Self.share)
            let asked = try await carrier.asked()
            try await carrier.bring(asked)
            let listed = try await root.call(Methods.Household.listRequests, ListRequestsRequest()).requests
            #expect(listed.map(\.asked.device) == ["Tablet"])
            for isFirst in [true, false] {
                let sent = try await root.call(
                    Methods.Household.answerRequest, AnswerRequestRequest(number: listed[0].id, isApproved: isFirst))
                try await carrier.carry()
                try await carrier.tabletReports()
                let answer = try await root.call(
                    Methods.Household.getResults, GetResultsRequest(command: sent.command, waitsForAll: true)
                ).results.answers.first
                #expect(answer?.isDone == isFirst && answer?.check == (isFirst ? "" : "closed"))
            }
            guard case .grant = try await result.get().result else {
                Issue.record("it has no grant")
                return
            }
            let stranger = try await devices.laptop.connect("anna")
            #expect(
                await stranger.refusal(of: Methods.Household.listRequests, ListRequestsRequest())?.reason
                    == .notPermitted)
        }
    }

    @Test("a question that was changed, sealed to another device or renamed is not shown")
    func forged() async throws {
        try await TwoDevices.with { devices, carrier in
            try await carrier.tabletHasBroker()
            let (mia, root) = (try await devices.tablet.connect("anna"), try await devices.laptop.connect("root"))
            async let result = mia.result(of: Methods.Authorization.authorize, Self.share)
            let asked = try await carrier.asked()
            let sealed = asked.requests[0].sealed[0].sealed
            let stranger = SigningKey()
            let words = RequestWords(
                household: TwoDevices.household, device: TwoDevices.tablet, number: asked.requests[0].number,
                purpose: .authorize,
                asked: PresentationContext(uid: 0, pid: 0, program: "", gatedAction: "photos.share", details: "1 photo")
            )
            let forged = SignedText.sign(words.payload, as: .request, with: stranger)
            let laptopsKey = carrier.members[0].sealingKey
            var attempts: [(inout ArrivedRequest) -> Void] = stride(from: 0, to: sealed.count, by: 37).map { place in
                { $0.sealed[place] ^= 1 }
            }
            attempts += [
                { $0.sealed.removeLast() }, { $0.sealed = [] },
                { $0.sealed = SealedWords.seal(forged, to: laptopsKey, of: TwoDevices.laptop) ?? [] },
                { $0.name.number += 1 }, { $0.name.device = TwoDevices.laptop },
                { $0.sealed = SealedWords.seal(forged, to: laptopsKey, of: TwoDevices.tablet) ?? [] },
            ]
            for attempt in attempts {
                try await carrier.bring(asked, attempt)
                #expect(try await root.call(Methods.Household.listRequests, ListRequestsRequest()).requests.isEmpty)
            }
            try await carrier.bring(asked)
            let shown = try await root.call(Methods.Household.listRequests, ListRequestsRequest()).requests
            #expect(shown.count == 1)
            _ = try await root.call(
                Methods.Household.answerRequest, AnswerRequestRequest(number: shown[0].id, isApproved: false))
            try await carrier.carry()
            #expect(await result.refusal?.reason == .refused)
        }
    }

    @Test("a yes given while the tablet is away is delivered when it returns")
    func away() async throws {
        try await TwoDevices.with { devices, carrier in
            try await carrier.tabletHasBroker()
            let (mia, mother) = (try await devices.tablet.connect("anna"), try await devices.laptop.connect("mother"))
            var stream = try await mother.register()
            async let result = mia.result(of: Methods.Authorization.authorize, Self.share)
            try await carrier.bring(try await carrier.asked())
            let shown = try await mother.claim(from: &stream)
            try await carrier.tabletReports(isOnline: false)
            _ = try await mother.call(
                Methods.Presentations.complete, CompleteRequest(cookie: shown.cookie, answer: .text("yes")))
            try await carrier.tabletReports()
            try await carrier.carry()
            guard case .grant = try await result.get().result else {
                Issue.record("it has no grant")
                return
            }
        }
    }

    @Test("a yes whose challenge another command used up is sent again with the next challenge")
    func again() async throws {
        try await TwoDevices.with { devices, carrier in
            try await carrier.tabletHasBroker()
            let (mia, mother) = (try await devices.tablet.connect("anna"), try await devices.laptop.connect("mother"))
            let root = try await devices.laptop.connect("root")
            var stream = try await mother.register()
            async let result = mia.result(of: Methods.Authorization.authorize, Self.share)
            try await carrier.bring(try await carrier.asked())
            let shown = try await mother.claim(from: &stream)
            _ = try await root.call(
                Methods.Household.sendCommand,
                SendCommandRequest(devices: [TwoDevices.tablet], order: .override(.child, nil, reason: "first")))
            _ = try await mother.call(
                Methods.Presentations.complete, CompleteRequest(cookie: shown.cookie, answer: .text("yes")))
            try await carrier.carry()
            try await carrier.tabletReports()
            try await carrier.carry()
            guard case .grant = try await result.get().result else {
                Issue.record("it has no grant")
                return
            }
        }
    }
}

extension Result {
    fileprivate var refusal: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension Connected {
    fileprivate func result<Request, Response>(
        of method: Method<Request, Response>, _ request: Request
    ) async -> Result<Response, GateError> {
        do throws(GateError) {
            return .success(try await call(method, request))
        } catch {
            return .failure(error)
        }
    }
}
