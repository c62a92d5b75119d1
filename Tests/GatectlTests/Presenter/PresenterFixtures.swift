import GateModel
import GateScreens

@testable import gatectl

/// A presentation as a presenter receives it.
func presentation(
    _ id: UInt64, _ challenge: Challenge, details: String = "https://example.org/", isDismissible: Bool = true,
    style: Presentation.Style = .sheet
) -> Presentation {
    Presentation(
        PresentationSummary(
            id: id, purpose: .authorize, kind: .challenge(challenge.kind),
            deadline: BootTime(nanoseconds: 60_000_000_000),
            style: style, isDismissible: isDismissible, stage: .claimed,
            asked: PresentationContext(
                uid: 0, pid: 42, program: "firefox", gatedAction: "link.open", title: "Open a web page",
                details: details)),
        cookie: PresentationCookie(bytes: [UInt8](repeating: 7, count: 24)), challenge: challenge)
}

let sum = Challenge.arithmeticChoice(ArithmeticProblem(left: 8, operator: .times, right: 3), choices: [24, 16, 21])
let start = BootTime(nanoseconds: 0)

/// A sign-in: the cover that the policy raises, or a step on the way to something.
func signIn(_ id: UInt64, isCover: Bool = true) -> Presentation {
    Presentation(
        PresentationSummary(
            id: id, purpose: isCover ? .signIn : .authorize, kind: .signIn,
            deadline: isCover ? .never : BootTime(nanoseconds: 60_000_000_000),
            style: isCover ? .fullScreenCover : .sheet, isDismissible: !isCover, stage: .claimed,
            asked: isCover
                ? PresentationContext(uid: 0, pid: 0, program: "gated")
                : PresentationContext(
                    uid: 0, pid: 42, program: "photos", gatedAction: "premium.filters", title: "Premium filters")),
        cookie: PresentationCookie(bytes: [UInt8](repeating: 7, count: 24)), content: .signIn)
}

func paywall(_ id: UInt64, products: [String] = ["monthly", "yearly"]) -> Presentation {
    Presentation(
        PresentationSummary(
            id: id, purpose: .pay, kind: .paywall, deadline: BootTime(nanoseconds: 900_000_000_000), style: .sheet,
            isDismissible: true, stage: .claimed,
            asked: PresentationContext(uid: 0, pid: 42, program: "photos", title: "Premium")),
        cookie: PresentationCookie(bytes: [UInt8](repeating: 7, count: 24)),
        content: .paywall(
            Paywall(entitlement: "premium", title: "Premium", provider: .revenueCat, products: products)))
}

func formToFillIn(_ id: UInt64) -> Presentation {
    Presentation(
        PresentationSummary(
            id: id, purpose: .fillForm, kind: .form, deadline: BootTime(nanoseconds: 900_000_000_000), style: .sheet,
            isDismissible: true, stage: .claimed,
            asked: PresentationContext(uid: 0, pid: 42, program: "draw", title: "A car")),
        cookie: PresentationCookie(bytes: [UInt8](repeating: 7, count: 24)),
        content: .form(FormInvitation(name: "car", title: "A car", holder: .account("anna"), isForGrownUps: false)))
}

let anna = SignInState(
    session: SignInState.Session(name: "anna", isChild: false, deadline: BootTime(nanoseconds: 3_600_000_000_000)),
    isAuthenticating: false, needsAuthentication: false)

/// The one entitlement of the tests, with a claim of RevenueCat's until the end of 2026; without a status nobody claims it.
func premium(_ status: Entitlement.Status?) -> Entitlement {
    Entitlement(
        id: "premium", title: "Premium",
        source: status.map { status in
            Entitlement.Source(
                provider: .revenueCat, saidAt: WallTime(unixMilliseconds: 1_767_225_600_000), status: status,
                product: "monthly", holder: .account("anna"), until: WallTime(unixMilliseconds: 1_798_761_600_000))
        })
}

func premiumState(_ status: Entitlement.Status?) -> EntitlementsState {
    EntitlementsState(entitlements: [premium(status)], isSubscriptionActive: status?.isActive ?? false)
}

extension PresenterPicture.Layout {
    /// The rows inside a sheet's frame; without a frame, those below the first.
    var inside: [String] {
        guard let frame else { return Array(lines.dropFirst()) }
        return lines.dropFirst(frame.row + 1).prefix(frame.rows).map { $0 }
    }

    /// The middle of the place with this target.
    func place(of target: PresenterTarget) -> (column: Int, row: Int)? {
        places.first { $0.target == target }.map { ($0.columns.lowerBound + $0.columns.count / 2, $0.row) }
    }
}

extension PresenterScreen {
    /// Draws the presentation at the start; a second later, if that is needed, the person confirms that they answer.
    @discardableResult
    mutating func shows(_ presentation: Presentation, isUnlocked: Bool = true) -> [Action] {
        presentationCame(presentation, sharesClock: true, at: start)
        let actions = drawn(isWhole: true, at: start)
        if isUnlocked, isLocked { _ = keyReceived(.enter, at: start.advanced(by: ReadingTime.length)) }
        return actions
    }
}
