import CGTK
import GateClient
import GateModel
import GateScreens
import GateTexts
import GateWindows
import Glibc

/// Connects the daemon and the window: shows what the daemon reports, and asks it to do what is pressed in the window.
@GLibLoop
final class SettingsController {
    let gate: GateClient
    /// The command line that sets the device up; `nil`: nothing here can start it as root.
    let setup: [String]?
    private let apps: AppsReading
    /// The page that the window begins with.
    private let firstPage: SettingsPage.ID
    /// Whether this program has already learned if the device is set up. If it is not, the assistant opens by itself at
    /// that moment, and never later: a person who removes the passcode does not want the assistant.
    private var hasSeenSetup = false
    private(set) var machine = SettingsStateMachine()
    var window: SettingsWindow?
    /// The open dialog; `nil` if none is open.
    var dialog: OpenDialog?
    /// The act that is done when the open dialog is closed; `nil` if none is.
    var afterDialog: SettingsAct?
    private var journal: Task<Void, Never>?
    private var isDrawing = false
    private var loading: Set<SettingsPart> = []
    private var toLoad: Set<SettingsPart> = []
    private let timer = RedrawTimer()
    private var pace = JournalPace()
    private let paceTimer = RedrawTimer()
    private let ageTimer = RedrawTimer()
    private var appsPace = AppsPace()
    private let appsTimer = RedrawTimer()
    private var household: Task<Void, Never>?
    private let userNames = UserNames { LocalAccounts.userName(of: $0) }
    /// Resumed when the window is closed.
    private var closing: CheckedContinuation<Void, Never>?

    /// Keeps a dialog alive while it is open.
    enum OpenDialog {
        case fields(FieldsDialog)
        case authenticator(AuthenticatorDialog)
        case rows(RowsDialog)
        case assistant(AssistantDialog)
    }

    /// - Parameters:
    ///   - setup: starts `gatectl setup --for-window` as root; `nil`: nothing can.
    ///   - page: the page that the window begins with.
    init(_ gate: GateClient, setup: [String]?, apps: AppsReading, page: SettingsPage.ID) {
        self.gate = gate
        self.apps = apps
        self.setup = setup
        firstPage = page
    }

    /// Shows the window until it is closed.
    func run() async {
        await withCheckedContinuation { closing in
            self.closing = closing
            let window = SettingsWindow(
                firstPage, told: { [weak self] in self?.received($0) }, chosen: { [weak self] in self?.refresh() },
                noticeClosed: { [weak self] in
                    self?.machine.messageRead()
                    self?.drawSoon()
                })
            self.window = window
            window.window.onCloseRequest { [weak self] in self?.close() }
            window.onActivated { [weak self] in self?.refresh() }
            draw()
            window.open()
            Task { await watch() }
        }
        journal?.cancel()
        household?.cancel()
    }

    /// A window can be asked to close twice.
    private func close() {
        closing?.resume()
        closing = nil
    }

    // MARK: The daemon

    private func watch() async {
        for await event in gate.events(
            of: [.mode, .signIn, .entitlements, .forms, .asks, .schedules, .usage, .ageRanges])
        {
            if case .lost(let error) = event {
                machine.lost(error)
                journal?.cancel()
                journal = nil
                household?.cancel()
                household = nil
                closeDialog()
            } else {
                load(
                    machine.told(
                        mode: event.mode, signIn: event.signIn, entitlements: event.entitlements, drafts: event.forms,
                        asks: event.asks, usage: event.usage, schedules: event.schedules, ages: event.ageRanges))
                if journal == nil { readJournal() }
            }
            drawSoon()
        }
    }

    /// Reads the journal, if this user is an administrator. Its entries also say which parts have to be fetched again.
    /// If it is cut off, it is read again after a pause. The watch reports a daemon that is lost.
    private func readJournal() {
        journal?.cancel()
        journal = Task {
            var retry = RetryPause()
            while !Task.isCancelled {
                let start = BootTime.now()
                guard await followJournal() else { return }
                try? await GLibLoop.sleep(for: retry.next(afterLasting: start.duration(to: .now())))
            }
        }
    }

    /// Reads the journal until it ends.
    ///
    /// - Returns: whether to read it again. False if this user may not read it, or the task was cancelled.
    private func followJournal() async -> Bool {
        machine.journalBegins()
        do throws(GateError) {
            for try await batch in gate.control.auditBatches(last: JournalReading.maximumEntries, following: true) {
                guard !Task.isCancelled else { return false }
                pace.came(machine.journalCame(batch.entries, at: moment()))
                keepPace()
            }
        } catch {
            guard !Task.isCancelled else { return false }
            if error.code == .permissionDenied {
                machine.journalRefused()
                drawSoon()
                return false
            }
        }
        return true
    }

    /// Draws the new entries of the journal, and fetches the parts that they have changed, at most once a second.
    private func keepPace() {
        if let parts = pace.taken(at: .now()) {
            load(parts)
            drawSoon()
        }
        paceTimer.set(to: pace.due) { [weak self] in self?.keepPace() }
    }

    /// Fetches everything again for non-administrators when they look, because nothing reports changes to them.
    private func refresh() {
        userNames.forget()
        if machine.isOrdinary {
            load(Set(SettingsPart.allCases))
            readJournal()
        }
        drawSoon()
    }

    private func load(_ parts: Set<SettingsPart>) {
        guard !parts.isEmpty else { return }
        let isFirst = toLoad.isEmpty
        toLoad.formUnion(parts)
        guard isFirst else { return }
        GLibLoop.onceIdle { [weak self] in self?.loadNow() }
    }

    private func loadNow() {
        if toLoad.remove(.household) != nil { followHousehold() }
        let parts = toLoad.subtracting(loading)
        toLoad.subtract(parts)
        loading.formUnion(parts)
        for part in parts {
            Task {
                let take = await gate.fetched(part, machine.generation, apps)
                take(&machine)
                loading.remove(part)
                drawSoon()
                // The part has changed meanwhile.
                if toLoad.contains(part) { loadNow() }
            }
        }
    }

    // MARK: The person

    func received(_ input: PageInput) {
        switch input {
        case .filtered(let filter):
            machine.filterChanged(to: filter)
            drawSoon()
        case .pressed(let act):
            guard let window else { return }
            guard let question = act.confirmation else { return perform(act) }
            ConfirmationDialog.ask(question, over: window.window) { [weak self] in self?.perform(act) }
        }
    }

    private func perform(_ act: SettingsAct) {
        switch act {
        case .open(let dialog): openFields(dialog)
        case .setUp: openAssistant()
        case .checkGate(let change):
            if machine.began(act) { Task { await check(change, act) } }
            drawSoon()
        case .enrolAuthenticator: openAuthenticator()
        case .enterParentMode, .extend, .lock, .takeBack, .revokeGrant, .answerAsk, .withdrawAsk,
            .askMoreTime, .logOut, .removePerson, .revokeClaim, .requestForm, .withdrawResponse, .showResponse,
            .clearLockouts, .removeSecret, .turnJournal, .reloadPolicy, .changeGate, .setAges, .chooseAge:
            if machine.began(act) { Task { await carryOut(act) } }
            drawSoon()
        case .lockDevice(let device): send(.lock, .lock, to: [device], act)
        case .lockAllDevices: send(.lock, .lock, to: nil, act)
        case .extendDevice(let device, let end):
            send(.extend, .extend(DeviceAction.lease(until: end, at: .now())), to: [device], act)
        }
    }

    private func carryOut(_ act: SettingsAct) async {
        let generation = machine.generation
        var refusal: GateError?
        do throws(GateError) {
            if let rows = try await gate.carryOut(act), case .showResponse(let id) = act { openRows(id, rows) }
        } catch {
            refusal = error
        }
        guard generation == machine.generation else { return }
        machine.ended(act, refusal)
        done()
    }

    /// Asks the daemon what a change of a gate would do, and then the person whether to make it.
    private func check(_ change: ChosenGate, _ act: SettingsAct) async {
        let generation = machine.generation
        let checked = await gate.checked(change)
        guard generation == machine.generation else { return }
        switch checked {
        case .success(let next):
            machine.ended(act, nil)
            received(.pressed(next))
        case .failure(let error): machine.ended(act, error)
        }
        drawSoon()
    }

    /// Fetches everything again for users who are no administrators. Administrators see the change in the journal.
    func done() {
        if machine.isOrdinary { load(Set(SettingsPart.allCases)) }
        drawSoon()
    }

    // MARK: The household

    /// Watches the household's devices. If there is no household, it begins again when the part is loaded again.
    private func followHousehold() {
        guard household == nil else { return }
        household = Task {
            let generation = machine.generation
            await gate.followDevices { [weak self] result in
                self?.machine.householdCame(result, generation: generation)
                self?.drawSoon()
            }
            if !Task.isCancelled { household = nil }
        }
    }

    private func send(
        _ action: DeviceAction, _ order: GuardianOrder, to devices: [HouseholdMember]?, _ act: SettingsAct
    ) {
        if machine.began(act) {
            Task {
                let generation = machine.generation
                let error = await command(action, order, to: devices)
                if generation == machine.generation { machine.ended(act, error) }
                drawSoon()
            }
        }
        drawSoon()
    }

    /// Sends a command to other devices, and shows the outcome beside each of them.
    ///
    /// - Parameter devices: `nil`: all other devices.
    /// - Returns: why nothing was sent; `nil` if it was sent.
    func command(_ action: DeviceAction, _ order: GuardianOrder, to devices: [HouseholdMember]?) async
        -> GateError?
    {
        let targets = devices ?? machine.otherDevices
        let generation = machine.generation
        do throws(GateError) {
            let sent = try await gate.send(order, to: devices)
            guard generation == machine.generation else { return nil }
            machine.actionSent(to: targets)
            drawSoon()
            Task {
                let answers = try? await gate.household.answers(to: sent, waiting: DeviceAction.patience)
                guard generation == machine.generation else { return }
                if let answers { machine.answered(action, answers) } else { machine.actionFailed(to: targets) }
                drawSoon()
            }
            return nil
        } catch {
            return error
        }
    }

    // MARK: Drawing

    /// Draws once for all changes that have come.
    private func drawSoon() {
        guard !isDrawing else { return }
        isDrawing = true
        GLibLoop.onceIdle { [weak self] in
            self?.isDrawing = false
            self?.draw()
        }
    }

    private func draw() {
        guard let window else { return }
        let moment = moment()
        window.show(
            machine.page(window.wanted, at: moment), of: machine.pages, machine.notice,
            count: { machine.count(of: $0, at: moment) })
        ageTimer.set(to: machine.nextRedraw(of: window.wanted, at: moment)) { [weak self] in self?.drawSoon() }
        // Permissions and lockouts end by themselves at this time.
        timer.set(to: machine.nextChange(after: moment.boot)) { [weak self] in self?.load([.grants, .lockouts, .gates])
        }
        appsTimer.set(to: appsPace.next(isSettled: machine.areAppsSettled, at: moment.boot)) { [weak self] in
            self?.appsPace.looked()
            self?.load([.apps])
        }
        if !hasSeenSetup, let isSetUp = machine.isSetUp {
            hasSeenSetup = true
            if !isSetUp { openAssistant() }
        }
    }

    /// The present moment on this device, and the person who uses it.
    private func moment() -> SettingsMoment {
        SettingsMoment(
            boot: .now(), wall: .now(),
            clock: LocalClock(secondsEastOfUTC: \.secondsEastOfUTC), habits: .ofPerson,
            languages: Localization.languages, uid: geteuid(),
            userName: { [userNames] in userNames.name(of: $0) })
    }
}
