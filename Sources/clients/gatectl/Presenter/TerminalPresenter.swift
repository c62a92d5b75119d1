import GateClient
import GateModel
import GateScreens
import GateTexts
import Glibc

/// Shows the presentations of all programs of the device on a terminal, until the person leaves.
struct TerminalPresenter: Sendable {
    let gate: GateClient
    let terminal: Terminal
    let abilities: PresenterAbilities

    /// The kinds that a terminal can show: everything but swipes.
    static let kinds = Set(Presentation.Kind.allCases).subtracting([.challenge(.swipe)])

    private enum Happening: Sendable {
        case presenter(PresenterEvent)
        case changed(WatchEvent)
        /// `at`: when the key was pressed.
        case key(Key, at: BootTime)
        case interrupted
        case resized
        case ticked
        case answered(UInt64, Challenge.Kind?)
        case formAsked(UInt64, FormPrompt)
        case formCompleted(UInt64)
        case refused(UInt64, GateError)
        case loggedIn(UInt64)
        case paymentNotFound(UInt64, String)
        case dismissed(UInt64)
    }

    /// - Throws: `PERMISSION_DENIED` if this user may not present.
    func run() async throws(GateError) {
        guard let signals = DismissingSignals(), let resize = ResizeSignal(), let stop = Wakeup(),
            let picture = FullScreen(terminal)
        else {
            throw GateError(.unavailable, .unspecified, saying: localized("The terminal can't be drawn on."))
        }
        let (happenings, told) = AsyncStream.makeStream(of: Happening.self)
        let refusal = await withTaskGroup(of: Void.self) { group -> GateError? in
            group.addTask {
                for await event in gate.presentations.events(for: abilities) { told.yield(.presenter(event)) }
            }
            group.addTask {
                for await event in gate.events(of: [.mode, .signIn, .entitlements]) { told.yield(.changed(event)) }
            }
            group.addTask {
                _ = await stop.wokenByCancellation { readKeys(stop, signals.wakeup, resize.wakeup, told) }
            }
            defer { group.cancelAll() }
            return await show(happenings, told, on: picture)
        }
        picture.leave()
        signals.stopCatching()
        if let refusal { throw refusal }
    }

    /// Handles events until the person leaves. Returns the error if the daemon does not let this user present.
    private func show(
        _ happenings: AsyncStream<Happening>, _ told: AsyncStream<Happening>.Continuation, on picture: FullScreen
    ) async -> GateError? {
        let locale = TextLocale.ofEnvironment()
        let colours = Colours.ofTerminal(terminal.output)
        var screen = PresenterScreen()
        var open: OpenPresentation?
        var isTicking = false
        var elsewhere: PresentationElsewhere?
        var console: PresenterFormConsole?
        var filling: Task<Void, Never>?
        var drawn = PresenterPicture.Layout(rows: [])
        defer { filling?.cancel() }

        func draw() -> [PresenterScreen.Action] {
            let (columns, rows) = terminal.size
            let now = BootTime.now()
            let layout = PresenterPicture(
                screen: screen, elsewhere: elsewhere, locale: locale, colours: colours, now: now
            )
            .layout(columns: columns, rows: rows)
            screen.scrolled(atMost: layout.maximumScroll)
            picture.draw(layout.rows)
            drawn = layout
            // The time is read anew, because a slow terminal delays the drawing.
            let actions = screen.drawn(isWhole: layout.isWhole, places: layout.places, at: .now())
            guard let interval = screen.redrawInterval, !isTicking else { return actions }
            isTicking = true
            Task {
                try? await Task.sleep(for: interval)
                told.yield(.ticked)
            }
            return actions
        }

        _ = draw()
        for await happening in happenings {
            if Task.isCancelled { return nil }
            var actions: [PresenterScreen.Action] = []
            switch happening {
            case .presenter(.registered): screen.registered()
            case .presenter(.lost): screen.lost()
            case .presenter(.refused(let error)): return error
            case .presenter(.elsewhere(let now)): elsewhere = now
            case .presenter(.covered): break  // A terminal has no desktop to hide.
            case .presenter(.close(let id)):
                screen.presentationClosed(id)
                open = nil
                // The form's task goes on: if completing the form closed the presentation, it still reports that.
                console?.close()
                console = nil
            case .presenter(.show(let presentation)):
                open = presentation
                screen.presentationCame(
                    presentation.presentation, sharesClock: presentation.sharesClock, at: .now())
                if case .form = presentation.content {
                    let id = presentation.id
                    let asking = PresenterFormConsole(locale: locale, colours: colours) {
                        told.yield(.formAsked(id, $0))
                    }
                    console = asking
                    filling = Task { await fill(presentation, at: asking, told) }
                }
            case .changed(let event): screen.changed(by: event)
            case .key(.redraw, _), .resized: picture.clear()
            case .key(.press(let column, let row), let time):
                actions = screen.pressReceived(on: drawn.target(column: column, row: row), at: time)
            case .key(.release, let time): actions = screen.releaseReceived(at: time)
            case .key(let key, let time): actions = screen.keyReceived(key, at: time)
            case .interrupted: actions = screen.interrupted()
            case .ticked: isTicking = false
            case .answered(let id, let kind): screen.answerTaken(id, kind: kind)
            case .refused(let id, let error): screen.answerRefused(id, error)
            case .loggedIn(let id): screen.loggedIn(id)
            case .paymentNotFound(let id, let words): screen.paymentNotFound(id, words)
            case .dismissed(let id): screen.dismissed(id)
            case .formAsked(let id, let prompt): screen.formAsked(id, prompt)
            case .formCompleted(let id): screen.formCompleted(id)
            }
            if actions.contains(.leave) { return nil }
            for action in actions + draw() {
                if case .formLine(let line) = action { console?.lineReceived(line) }
                guard let open else { continue }
                // Events go on meanwhile. The result comes as an event, too.
                Task { await carryOut(action, on: open, told) }
            }
        }
        return nil
    }

    private func carryOut(
        _ action: PresenterScreen.Action, on open: OpenPresentation, _ told: AsyncStream<Happening>.Continuation
    ) async {
        do throws(GateError) {
            switch action {
            case .report(.restore):
                guard let (askedAt, health) = try await open.restorePurchase(),
                    let words = RestoreWords.result(health, askedAt: askedAt)
                else { break }
                told.yield(.paymentNotFound(open.id, words))
            case .report(let input): try await open.report(input)
            case .complete(let answer):
                _ = try await open.complete(answer)
                told.yield(.answered(open.id, open.challenge?.kind))
            case .logIn(let name, let password):
                try await open.logInAfterOthers(name: name, password: password)
                told.yield(.loggedIn(open.id))
            case .dismiss:
                try await open.dismiss()
                told.yield(.dismissed(open.id))
            case .formLine, .leave, .follow, .openPeople, .form: break
            }
        } catch {
            // Nobody waits for the report that it is shown. If it can't be answered any more, another event says so.
            guard action != .report(.shown) else { return }
            told.yield(.refused(open.id, error))
        }
    }

    private func fill(
        _ open: OpenPresentation, at console: PresenterFormConsole, _ told: AsyncStream<Happening>.Continuation
    ) async {
        await console.fill(open, gate) {
            told.yield(.formCompleted(open.id))
        } dismissed: {
            told.yield(.dismissed(open.id))
        } refused: { error in
            told.yield(.refused(open.id, error))
        }
    }

    /// Reads keys and signals, on a thread of its own, until `stop` is woken or the input ends.
    private func readKeys(
        _ stop: Wakeup, _ signal: Wakeup, _ resize: Wakeup, _ told: AsyncStream<Happening>.Continuation
    ) {
        var keys = KeyDecoder()
        while true {
            var descriptors = [stop.descriptor, signal.descriptor, resize.descriptor, terminal.input].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let count = poll(&descriptors, 4, keys.isWaiting ? KeyDecoder.patienceMilliseconds : -1)
            if count == 0, let key = keys.waitedInVain() { told.yield(.key(key, at: .now())) }
            guard count > 0 else { continue }
            if descriptors[0].revents != 0 { return }
            if descriptors[1].revents != 0 {
                told.yield(.interrupted)
                return
            }
            if descriptors[2].revents != 0 {
                resize.settle()
                told.yield(.resized)
            }
            guard descriptors[3].revents != 0 else { continue }
            var byte: UInt8 = 0
            let length = read(terminal.input, &byte, 1)
            if length < 0, errno == EINTR || errno == EAGAIN { continue }
            guard length > 0 else {
                told.yield(.interrupted)
                return
            }
            if let key = keys.byteReceived(byte) { told.yield(.key(key, at: .now())) }
        }
    }
}

extension PresenterScreen {
    /// Takes over the state. Without the daemon nobody is signed in and nothing is paid for.
    fileprivate mutating func changed(by event: WatchEvent) {
        if let mode = event.mode { modeChanged(to: mode) }
        switch event {
        case .snapshot(let message), .change(let message), .resumed(let message):
            if let signIn = message.signIn { signInChanged(to: signIn) }
            if let entitlements = message.entitlements { entitlementsChanged(to: entitlements) }
        case .lost:
            signInChanged(to: .closed)
            entitlementsChanged(to: .closed)
        }
    }
}
