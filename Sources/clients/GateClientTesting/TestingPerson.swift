public import GateClient
import GateCredentials
import GateDaemon
import Synchronization

/// The person at a testing device: sees all presentations that programs want shown, and does what the test has said.
public final class TestingPerson: Sendable {
    /// What the person does with presentations. `right` until a test sets something else.
    @nonexhaustive
    public enum Answers: Hashable, Sendable {
        /// Gives the right answer to every question, signs in as `signsInAs`, and pays at paywalls.
        case right
        /// Like `right`, but buys this product at paywalls: the provider's name of one that the paywall shows.
        case paysAtPaywall(product: String)
        /// Answers every question wrong, refuses permission, types one wrong password, and dismisses whatever can be
        /// dismissed, paywalls included.
        case wrong
        /// Dismisses whatever can be dismissed.
        case dismissal
        /// Looks at presentations and does nothing. Advance the clock to let them expire.
        case nothing
        /// No person is at the screen: programs get `noPresenter`, or show the presentation themselves.
        case nobodyThere
    }

    private struct State {
        var name: String?
        var sitting: Task<Void, Never>?
        var client: GateClient?
        var shown: [Presentation.Content] = []
    }

    private let state = Mutex(State())
    private let device = Mutex(WeakDevice())

    private struct WeakDevice {
        weak var value: TestingDevice?
    }

    init() {}

    deinit {
        state.withLock { $0.sitting?.cancel() }
    }

    /// Sets what the person does from now on, also with a presentation that is already on the screen. It is in force
    /// when this returns. Does nothing if the daemon was stopped.
    public func answers(_ answers: Answers) async {
        guard let device = device.withLock({ $0.value }), !device.memory.value.withLock({ $0.isStopped }) else {
            return
        }
        let before = state.withLock { ($0.sitting, $0.client) }
        state.withLock { ($0.sitting, $0.client) = (nil, nil) }
        // The new screen is opened first, so that the presentation on the old one is handed to it.
        if answers != .nobodyThere { await begin(at: device, answers) }
        await Self.end(before.0, before.1)
        while await device.daemon.presenterCount(of: TestingDevice.Seat.person.uid) > (answers == .nobodyThere ? 0 : 1)
        {
            try? await Task.sleep(for: .milliseconds(1))
        }
        await device.daemon.settled()
    }

    /// The account that the person signs in with; `nil`: the one that was registered last.
    public var signsInAs: String? {
        get { state.withLock { $0.name } }
        set { state.withLock { $0.name = newValue } }
    }

    /// The presentations that the person has seen so far, in order.
    public var shown: [Presentation.Content] { state.withLock { $0.shown } }

    func sitDown(at device: TestingDevice) async {
        self.device.withLock { $0.value = device }
        await begin(at: device, .right)
    }

    func leave() async {
        let before = state.withLock { state in
            defer { (state.sitting, state.client) = (nil, nil) }
            return (state.sitting, state.client)
        }
        await Self.end(before.0, before.1)
    }

    /// Returns when the person can be asked.
    private func begin(at device: TestingDevice, _ answers: Answers) async {
        let client = device.unkeptClient(.person, programName: "person")
        let (registered, tell) = AsyncStream.makeStream(of: Void.self)
        let everything = PresenterAbilities(
            kinds: Set(Presentation.Kind.allCases), styles: Set(Presentation.Style.allCases))
        let sitting = Task { [weak device, weak self] in
            for await event in client.presentations.events(for: everything) {
                switch event {
                case .registered: tell.yield()
                case .show(let open):
                    self?.state.withLock { $0.shown.append(open.content) }
                    _ = try? await open.answered { [weak device, weak self] open in
                        guard let device, let self else { return .closedByState }
                        return await self.answer(to: open, answers, at: device)
                    }
                case .close, .lost, .refused, .elsewhere, .covered: break
                }
            }
            tell.finish()
        }
        for await _ in registered { break }
        state.withLock { ($0.sitting, $0.client) = (sitting, client) }
    }

    private static func end(_ sitting: Task<Void, Never>?, _ client: GateClient?) async {
        sitting?.cancel()
        await client?.close()
        await sitting?.value
    }

    // MARK: What they do

    private func answer(
        to open: OpenPresentation, _ answers: Answers, at device: TestingDevice
    ) async -> PresentationAnswer {
        switch answers {
        case .nothing, .nobodyThere:
            return .closedByState
        case .dismissal:
            return open.isDismissible ? .dismiss : .closedByState
        case .wrong:
            return await wrongAnswer(to: open, at: device)
        case .right:
            return await rightAnswer(to: open, product: nil, at: device)
        case .paysAtPaywall(let product):
            return await rightAnswer(to: open, product: product, at: device)
        }
    }

    private func rightAnswer(
        to open: OpenPresentation, product: String?, at device: TestingDevice
    ) async -> PresentationAnswer {
        switch open.content {
        case .challenge(let challenge):
            switch challenge.answering {
            case .hold(let duration):
                try? await open.report(.pressed)
                await device.advance(by: duration)
            case .secret(.totp):
                // Each code is accepted once.
                await device.advance(by: .seconds(TOTPKey.stepSeconds))
            case .result, .choice, .number, .permission, .date, .secret(.passcode), .swipe: break
            }
            return device.rightAnswer(to: challenge).map { .answer($0) } ?? .dismiss
        case .signIn:
            let (name, password) = device.password(of: signsInAs)
            guard let name, let password else { return .closedByState }
            _ = try? await open.logIn(name: name, password: password)
            return .closedByState
        case .paywall(let paywall):
            try? await device.setSubscription(
                paywall.entitlement, to: .subscribed, for: TestingDevice.month, through: paywall.provider,
                product: product ?? paywall.products.first)
            return .closedByState
        case .form:
            // The test decides what the person writes, with a `FormSession`, as in the app.
            return .dismiss
        case .whatsNew:
            return .answer(.acknowledged(.primary))
        case .unrecognized:
            return .dismiss
        }
    }

    private func wrongAnswer(to open: OpenPresentation, at device: TestingDevice) async -> PresentationAnswer {
        switch open.content {
        case .challenge(let challenge):
            if case .hold = challenge { try? await open.report(.pressed) }
            return .answer(device.wrongAnswer(to: challenge))
        case .signIn:
            let (name, _) = device.password(of: signsInAs)
            _ = try? await open.logIn(name: name ?? "nobody", password: GateSecret("not the password".utf8))
            return open.isDismissible ? .dismiss : .closedByState
        case .paywall, .form, .whatsNew, .unrecognized:
            return open.isDismissible ? .dismiss : .closedByState
        }
    }
}
