import CGTK
import GateClient
import GateModel
import GateScreens
import GateTexts
import GateWindows

/// Presents questions of all programs on the device in windows, until it is ended.
@GLibLoop
final class WindowPresenter {
    private let gate: GateClient
    private let bus: SessionBus?
    private lazy var marker = ModeMarker(gate, on: bus, hasDesktop: ownScreen == nil, timeNotifier) { [unowned self] in
        window?.show($0)
    }
    /// The notifications about asks and about waiting apps on this desktop. Gate's own screen has none.
    private lazy var askNotifiers: [AskNotifier] =
        if let bus, ownScreen == nil {
            [.waiting, .answered, .apps].map { AskNotifier($0, gate, on: bus, name: name, settings: settings) }
        } else {
            []
        }
    /// The notification about ending time on this desktop. Gate's own screen has none.
    private lazy var timeNotifier: TimeNotifier? =
        if let bus, ownScreen == nil { TimeNotifier(gate, on: bus, name: name, settings: settings) } else { nil }
    /// The presenter's name on the session bus.
    private let name: String
    private let settings: SettingsOpening
    /// `nil`: the windows are in a user's session.
    private let ownScreen: OwnScreen?
    /// `nil`: pages can't be opened here.
    private let pages: PageOpening?
    private var machine: ScreenStateMachine
    private var open: OpenPresentation?
    private var window: QuestionWindow? {
        didSet { covers.questionChanged(to: window) }
    }
    /// The window before, which keeps the keyboard until the next one is drawn, so that no program below gets a key.
    private var before: QuestionWindow?
    private let covers = MonitorCovers()
    private let timer = RedrawTimer()
    private var form: FormConversation?
    /// The paywall whose page was opened. If it comes back after the page's own question, it is dismissed.
    private var followed: UInt64?

    init(
        _ gate: GateClient, on bus: SessionBus?, name: String, _ ownScreen: OwnScreen?, pages: PageOpening?,
        settings: SettingsOpening
    ) {
        self.name = name
        (self.gate, self.bus, self.ownScreen, self.pages) = (gate, bus, ownScreen, pages)
        self.settings = settings
        machine = ScreenStateMachine(
            for: .ofEnvironment(year: thisYear()), opensPages: pages != nil,
            hasScreenOfItsOwn: ownScreen != nil)
    }

    /// The kinds and styles that it registers for. Gate's own screen takes only secrets, unless it is the only screen.
    private var abilities: PresenterAbilities {
        let all = ScreenStateMachine.kinds
        let kinds =
            ownScreen.map { $0.takesAllQuestions ? all : all.intersection(ScreenStateMachine.secretKinds) } ?? all
        var abilities = PresenterAbilities(kinds: kinds, styles: Set(Presentation.Style.allCases))
        abilities.hasScreenOfItsOwn = ownScreen != nil
        return abilities
    }

    /// Presents until it is stopped. Returns why the daemon does not let this user present; `nil` if it was stopped.
    func run() async -> GateError? {
        let topics: Set<WatchTopic> = [.mode, .asks, .schedules, .usage, .ageRanges]
        let watching = Task {
            for await event in gate.events(of: timeNotifier == nil ? [.mode] : topics) {
                if let mode = event.mode { marker.modeChanged(to: mode) }
                tell(event)
                draw()
            }
        }
        defer { watching.cancel() }
        for await event in gate.presentations.events(for: abilities) {
            switch event {
            case .show(let presentation): show(presentation)
            case .close(let id):
                machine.presentationClosed(id)
                draw()
            case .covered(let isCovered):
                // Gate's own screen has no desktop to cover.
                guard ownScreen == nil else { continue }
                covers.set(isCovered)
                machine.isDesktopHidden = isCovered
                draw()
            case .elsewhere(let elsewhere):
                // A person at Gate's own screen has come to answer the question there, so there is no notice.
                guard ownScreen?.takesAllQuestions ?? true else { continue }
                machine.elsewhereChanged(
                    to: elsewhere,
                    names: elsewhere.map { AskerNames($0.summary.asked, userName: LocalAccounts.userName) }
                        ?? AskerNames())
                draw()
            case .refused(let error): return error
            case .registered, .lost: break
            }
        }
        return nil
    }

    /// Passes an event on to the notifications. The loss of the daemon does not change them.
    private func tell(_ event: WatchEvent) {
        if case .lost = event { return }
        for notifier in askNotifiers {
            if let asks = event.asks { notifier.asksChanged(to: asks) }
            if let ages = event.ageRanges { notifier.appsChanged(to: ages.waiting) }
        }
        timeNotifier?.changed(event.schedules, event.asks, event.usage)
    }

    private func show(_ presentation: OpenPresentation) {
        guard presentation.id != followed else {
            Task { try? await presentation.dismiss() }
            return
        }
        open = presentation
        machine.presentationCame(
            presentation.presentation, names: AskerNames(presentation.asked, userName: LocalAccounts.userName),
            sharesClock: presentation.sharesClock)
        form?.end()
        form = nil
        if case .form = presentation.content {
            form = FormConversation(gate, presentation) { [weak self] in self?.heard($0, of: presentation.id) }
        }
        draw()
    }

    private func heard(_ news: FormConversation.News, of id: UInt64) {
        switch news {
        case .mayBegin(let beginnings): machine.formMayBegin(id, beginnings, wall: .now())
        case .opened(let questionnaire, let standing): machine.formOpened(id, questionnaire, standing, at: .now())
        case .failed(let error): machine.formFailed(id, error)
        case .read(let standing, let isOwn):
            machine.formHeard(id) { $0.draftRead(standing, isOwn: isOwn, at: .now()) }
        case .taken(let path, let cleared): machine.formHeard(id) { $0.changeTaken(path, cleared: cleared) }
        case .refused(let path, let error): machine.formHeard(id) { $0.changeRefused(path, error) }
        case .partsListed(let parts): machine.formHeard(id) { $0.partsListed(parts) }
        case .partsTaken(let leftOut): machine.formHeard(id) { $0.partsTaken(leftOut: leftOut) }
        case .partsRefused(let error): machine.formHeard(id) { $0.partsRefused(error) }
        case .notCompleted(let error): machine.formHeard(id) { $0.completionRefused(error, at: .now()) }
        }
        draw()
    }

    private func draw() {
        let now = BootTime.now()
        machine.timePassed(at: now)
        if machine.presentationID != open?.id { forget() }
        for notifier in askNotifiers { notifier.questionChanged(to: machine.presentationID) }
        defer { timer.set(to: machine.nextChange(after: now)) { [weak self] in self?.draw() } }
        guard let picture = machine.picture(at: now) else {
            closeBefore()
            window?.close()
            window = nil
            ownScreen?.questionClosed(wasTakenBack: machine.mayStillBeTyping)
            return
        }
        if let window, window.shows(picture) {
            window.update(picture)
        } else {
            closeBefore()
            before = window
            let place = ownScreen.map { WindowPlace.ownScreen(word: $0.word) } ?? .desktop
            window = QuestionWindow(
                picture, marker.mark, in: place, documents: form,
                pressed: { [weak self] in self?.machine.keyPressed(at: .now()) },
                told: { [weak self] in self?.received($0) })
            ownScreen?.questionCame()
        }
        guard machine.isWaitingToBeDrawn, let window else {
            closeBefore()
            return
        }
        window.onceDrawn { [weak self] in
            guard let self else { return }
            closeBefore()
            carryOut(machine.drawn(picture.id, at: .now()))
            draw()
        }
    }

    private func closeBefore() {
        before?.close()
        before = nil
    }

    private func forget() {
        open = nil
        form?.end()
        form = nil
    }

    private func received(_ input: ScreenInput) {
        carryOut(machine.inputReceived(input, at: .now()))
        draw()
    }

    private func carryOut(_ actions: [ScreenStateMachine.Action]) {
        guard let open else { return }
        for action in actions {
            if case .form(let action) = action {
                form?.carryOut(action)
                continue
            }
            Task { await carryOut(action, on: open) }
        }
    }

    private func carryOut(_ action: ScreenStateMachine.Action, on open: OpenPresentation) async {
        do throws(GateError) {
            switch action {
            case .report(.restore):
                guard let (askedAt, health) = try await open.restorePurchase(),
                    let words = RestoreWords.result(health, askedAt: askedAt)
                else { break }
                machine.paymentNotFound(open.id, words)
            case .report(let input): try await open.report(input)
            case .complete(let answer):
                if let haptic = open.content.haptic(of: answer) { Feedback.give(haptic, on: bus) }
                _ = try await open.complete(answer)
                machine.answerTaken(open.id)
            case .logIn(let name, let password):
                // The daemon closes the presentation when somebody is signed in.
                try await open.logInAfterOthers(name: name, password: password)
            case .openPeople: settings.open(.people)
            case .form, .formLine, .leave: break
            case .dismiss:
                // The text that was typed last has to reach the draft first.
                await form?.settled()
                try await open.dismiss()
                machine.answerTaken(open.id)
            case .follow(let page):
                followed = open.id
                guard let pages, try await gate.authorization.check("link.open").outcome != .denied,
                    await pages.open(page)
                else {
                    followed = nil
                    throw GateError(
                        .failedPrecondition, .denied,
                        saying: localized("Pages can't be opened here. A phone's camera reads the code."))
                }
                // The page replaces the paywall, so the paywall is closed.
                try await open.dismiss()
                machine.answerTaken(open.id)
            }
        } catch {
            // Nothing depends on this report. If the question can't be answered any longer, an event says so.
            guard action != .report(.shown) else { return }
            machine.answerRefused(open.id, error, leavesOpen: error.leavesQuestionOpen)
        }
        draw()
    }
}

/// The current year of the Gregorian calendar.
private func thisYear() -> Int {
    guard let now = g_date_time_new_now_local() else { return 2026 }
    defer { g_date_time_unref(now) }
    return Int(g_date_time_get_year(now))
}

extension Presentation.Content {
    /// The haptic feedback of the button with which this answer was given; `nil` if there is none.
    fileprivate func haptic(of answer: ChallengeAnswer) -> WhatsNew.Haptic? {
        guard case .whatsNew(let notice) = self, case .acknowledged(let button) = answer else { return nil }
        return switch button {
        case .primary: notice.entry.primary.haptic
        case .secondary: notice.entry.secondary?.haptic
        }
    }
}
