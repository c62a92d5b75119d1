import GateClient
import GateProtocol

let here = Revision(epoch: 7, number: 5)

/// A question with time enough to answer it, by this device's clock.
func question(
    _ id: UInt64 = 1, _ purpose: Presentation.Purpose = .enterParentMode,
    deadline: BootTime = .now().advanced(by: .seconds(3600)),
    challenge: Challenge = .arithmeticChoice(
        ArithmeticProblem(left: 6, operator: .times, right: 7), choices: [41, 42, 48])
) -> Presentation {
    let asked =
        purpose == .authorize
        ? PresentationContext(
            uid: 1000, pid: 7, program: "game", gatedAction: "link.open", title: "Open", details: "https://a.example")
        : PresentationContext(uid: 1000, pid: 7, program: "game")
    return Presentation(
        PresentationSummary(
            id: id, purpose: purpose, kind: .challenge(challenge.kind), deadline: deadline, style: .sheet,
            isDismissible: true,
            stage: .claimed, asked: asked),
        cookie: PresentationCookie(bytes: Array(repeating: UInt8(id), count: 24)), challenge: challenge)
}

/// A sign-in: a step of a gated action, or the cover that only the state closes.
func signIn(
    _ id: UInt64 = 1, _ purpose: Presentation.Purpose = .authorize, cookie: UInt8? = nil
) -> Presentation {
    stateClosed(id, purpose, .signIn, cookie: cookie)
}

/// What could be bought.
func paywall(_ id: UInt64 = 1, _ purpose: Presentation.Purpose = .pay) -> Presentation {
    let premium = Paywall(
        entitlement: "premium", title: "Premium", provider: .revenueCat, products: ["premium.monthly"])
    return stateClosed(id, purpose, .paywall(premium))
}

/// A presentation that the state closes, like a sign-in or a paywall.
func stateClosed(
    _ id: UInt64, _ purpose: Presentation.Purpose, _ content: Presentation.Content, cookie: UInt8? = nil
) -> Presentation {
    let isCover = purpose == .signIn
    return Presentation(
        PresentationSummary(
            id: id, purpose: purpose, kind: content.kind, deadline: .now().advanced(by: .seconds(3600)),
            style: isCover ? .fullScreenCover : .sheet, isDismissible: !isCover, stage: .claimed,
            asked: PresentationContext(uid: 1000, pid: 7, program: "game")),
        cookie: PresentationCookie(bytes: Array(repeating: cookie ?? UInt8(id), count: 24)), content: content)
}

extension Presentation {
    /// The presentation as a watcher sees it.
    func summary(_ stage: Presentation.Stage) -> PresentationSummary {
        var summary = summary
        summary.stage = stage
        return summary
    }
}

/// The open presentations, to somebody who has just begun to watch.
func openNow(_ presentations: [PresentationSummary], number: UInt64 = 5) -> WatchResponse {
    WatchResponse(
        firstNumber: number, revision: Revision(epoch: 7, number: number), isSnapshot: true, mode: nil,
        presentations: presentations)
}

/// A handler that shows a question to nobody, and returns when it is taken away.
@Sendable func nobodyAnswers(_ open: OpenPresentation) async -> PresentationAnswer {
    let (never, _) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    return .dismiss
}

extension GateError {
    static let noPresenter = GateError(.aborted, .noPresenter, "Nobody can show it.")
}

extension Result where Failure == GateError {
    /// The reason of the failure.
    var reason: GateError.Reason? {
        switch self {
        case .success: nil
        case .failure(let error): error.reason
        }
    }
}

extension GateClient {
    /// The result of asking for parent mode.
    func result(_ present: PresentationHandler?) async -> Result<ModeState, GateError> {
        do throws(GateError) {
            return .success(try await mode.toggle(presenting: present))
        } catch {
            return .failure(error)
        }
    }
}
