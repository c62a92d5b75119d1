import GateModel
import GateScreens
import GateTexts
import Testing

@Suite("The page of the household's devices (H-02)")
struct DevicesPageTests {
    private static let wall = WallTime(unixMilliseconds: 1_773_144_000_000)
    private static let moment = SettingsMoment(
        boot: BootTime(nanoseconds: 1_000_000_000_000), wall: wall, clock: .utc,
        habits: WritingHabits(dateFormat: "%d.%m.%Y", decimalSeparator: ","), uid: 1000, userName: { _ in nil })

    private static func id(_ digit: Character) -> HouseholdID { HouseholdID(String(repeating: digit, count: 32))! }

    private static func after(_ seconds: Int64) -> WallTime {
        WallTime(unixMilliseconds: wall.unixMilliseconds + seconds * 1000)
    }

    private static let laptop = HouseholdMember(id: id("1"), name: "Laptop", publicKey: [], guardian: "Anna")
    private static let tablet = HouseholdMember(id: id("2"), name: "Tablet", publicKey: [])

    private static func device(
        _ member: HouseholdMember, _ mode: Mode = .child, until: WallTime? = nil, isOnline: Bool = true,
        updated: WallTime = wall, isThisDevice: Bool = false
    ) -> HouseholdDevice {
        let report = DeviceReport(
            id: member.id, name: member.name, mode: mode, parentUntil: until, isOnline: isOnline, updated: updated,
            version: "1")
        return HouseholdDevice(member: member, report: report, isThisDevice: isThisDevice)
    }

    private static let own = device(laptop, isThisDevice: true)

    private static func connected(isAdministrator: Bool = true) -> SettingsStateMachine {
        var machine = SettingsStateMachine()
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        if isAdministrator { _ = machine.journalCame([], at: moment) } else { machine.journalRefused() }
        return machine
    }

    /// A machine that has been told about these devices.
    private static func household(_ devices: HouseholdDevice..., hasBroker: Bool = true) -> SettingsStateMachine {
        var machine = connected()
        hears(&machine, devices, hasBroker: hasBroker)
        return machine
    }

    private static func hears(
        _ machine: inout SettingsStateMachine, _ devices: [HouseholdDevice], hasBroker: Bool = true
    ) {
        let household = HouseholdDevices(change: 1, devices: devices, hasBroker: hasBroker)
        machine.householdCame(.success(.devices(household)), generation: machine.generation)
    }

    private static func group(_ machine: SettingsStateMachine) -> SettingsGroup? {
        let page = machine.page(.devices, at: moment)
        return page.id == .devices ? page.groups.first : nil
    }

    private static func row(_ machine: SettingsStateMachine) -> SettingsRow? {
        group(machine)?.rows.first { $0.title == "Tablet" }
    }

    @Test("each device says its mode, until when, and whether it is there")
    func rows() {
        func text(_ device: HouseholdDevice) -> String? { Self.row(Self.household(Self.own, device))?.text }
        #expect(text(Self.device(Self.tablet)) == "Child mode, connected")
        #expect(
            text(Self.device(Self.tablet, .parent, until: Self.after(600)))
                == "Parent mode, until 12:10, connected")
        #expect(text(Self.device(Self.tablet, .verifying)) == "A grown-up is being asked, connected")
        #expect(
            text(Self.device(Self.tablet, isOnline: false, updated: Self.after(-200)))
                == "Child mode, offline, last heard 3 minutes ago")
        // Its lease has ended, though it could not report that.
        #expect(
            text(Self.device(Self.tablet, .parent, until: Self.after(-1), isOnline: false, updated: Self.after(-7300)))
                == "Child mode, offline, last heard 2 hours ago")
        #expect(
            text(HouseholdDevice(member: Self.tablet, report: nil, isThisDevice: false)) == "never connected")
        var cloned = Self.device(Self.tablet)
        cloned.report?.hasTwin = true
        #expect(text(cloned) == "Child mode, connected\ntwo devices have its key")
        cloned.member.isRevoked = true
        #expect(text(cloned) == "revoked")
        let own = Self.group(Self.household(Self.own))?.rows.first
        #expect(own?.text == "Child mode, this device" && own?.buttons == [])
    }

    @Test("a locked device can be opened, an open one extended, and both can be locked")
    func buttons() {
        func acts(_ device: HouseholdDevice) -> [SettingsAct]? {
            Self.row(Self.household(Self.own, device))?.buttons.map(\.act)
        }
        let end = Self.after(600)
        #expect(acts(Self.device(Self.tablet)) == [.open(.openDevice(Self.tablet)), .lockDevice(Self.tablet)])
        #expect(
            acts(Self.device(Self.tablet, .parent, until: end))
                == [.extendDevice(Self.tablet, until: end), .lockDevice(Self.tablet)])
        var revoked = Self.tablet
        revoked.isRevoked = true
        #expect(acts(Self.device(revoked)) == [])
        let all = Self.household(Self.own, Self.device(Self.tablet), Self.device(revoked))
        #expect(Self.group(all)?.buttons.map(\.act) == [.lockAllDevices])
        #expect(all.otherDevices == [Self.tablet])
        #expect(Self.group(Self.household(Self.own))?.buttons == [])
    }

    @Test("a device that commands no others names the devices that do")
    func child() {
        var own = Self.device(Self.tablet, isThisDevice: true)
        own.isThisDevice = true
        let laptop = HouseholdDevice(member: Self.laptop, report: nil, isThisDevice: false)
        let group = Self.group(Self.household(laptop, own))
        #expect(group?.text == "The others are locked and opened from Laptop.")
        #expect(group?.buttons == [] && group?.rows.flatMap(\.buttons) == [])
        // This device is not told about the laptop's mode.
        #expect(group?.rows.first?.text == "")
    }

    @Test("the outcome of a command is shown at the device until its state changes otherwise")
    func outcomes() {
        func text(_ machine: SettingsStateMachine) -> String? {
            Self.row(machine)?.text.split(separator: "\n").dropFirst().joined(separator: "\n")
        }
        func answer(_ check: String, _ mode: Mode = .child) -> CommandAnswers {
            CommandAnswers(
                answers: [
                    DeviceAnswer(
                        member: Self.tablet, isDone: check.isEmpty, check: check, message: "Too long.", mode: mode)
                ], unanswered: [])
        }
        var machine = Self.household(Self.own, Self.device(Self.tablet, .parent, until: Self.after(600)))
        machine.actionSent(to: [Self.tablet])
        #expect(text(machine) == "Waiting for its answer …")
        machine.answered(.lock, answer(""))
        #expect(text(machine) == "It is locked.")
        // The device itself reports what it has answered.
        Self.hears(&machine, [Self.own, Self.device(Self.tablet)])
        #expect(text(machine) == "It is locked.")
        Self.hears(&machine, [Self.own, Self.device(Self.tablet, .parent, until: Self.after(600))])
        #expect(text(machine) == "")

        machine.answered(.lock, answer("offline"))
        #expect(text(machine) == "It did not answer. It seems to be offline.")
        machine.answered(.extend, answer("refused"))
        #expect(text(machine) == "That did not work. Too long.")
        machine.answered(.open, answer("challenge"))
        #expect(text(machine) == "That did not work. Something else has changed meanwhile. Send it again.")
        machine.answered(.open, CommandAnswers(answers: [], unanswered: [Self.tablet]))
        #expect(text(machine) == "It did not answer. It seems to be offline.")
        machine.actionSent(to: [Self.tablet])
        machine.actionFailed(to: [Self.tablet])
        #expect(text(machine) == "")
    }

    @Test("any time that another device reports can be shown")
    func strangeTimes() {
        let times = [Int64.min, -1, 0, .max].map { WallTime(unixMilliseconds: $0) }
        for until in times {
            for updated in times {
                for isOnline in [false, true] {
                    let machine = Self.household(
                        Self.own, Self.device(Self.tablet, .parent, until: until, isOnline: isOnline, updated: updated))
                    #expect(Self.row(machine)?.text.isEmpty == false)
                    #expect(machine.nextRedraw(of: .devices, at: Self.moment).map { Self.moment.boot < $0 } ?? true)
                }
            }
        }
    }

    @Test("without a household an administrator is told how to make one, and others don't have the page")
    func none() {
        func pages(isAdministrator: Bool, _ result: Result<HouseholdFacts, GateError>) -> SettingsStateMachine {
            var machine = Self.connected(isAdministrator: isAdministrator)
            machine.householdCame(result, generation: machine.generation)
            return machine
        }
        let administrators = pages(isAdministrator: true, .success(.none))
        #expect(Self.group(administrators)?.text.contains("sudo gatectl household create") == true)
        #expect(!pages(isAdministrator: false, .success(.none)).pages.contains(.devices))
        #expect(!Self.connected().pages.contains(.devices))
        let old = GateError(.unimplemented, .notBuilt, "Not in this version.")
        #expect(!pages(isAdministrator: true, .failure(old)).pages.contains(.devices))
        let failed = pages(isAdministrator: false, .failure(GateError(.resourceExhausted, .limit, "Too many.")))
        #expect(Self.group(failed)?.rows.count == 1)
    }

    @Test("without the daemon nothing of the household is shown, and late answers are ignored")
    func lost() {
        var machine = Self.household(Self.own, Self.device(Self.tablet))
        let before = machine.generation
        machine.lost(GateError(.unavailable, .unspecified, "There is no daemon."))
        #expect(!machine.pages.contains(.devices) && machine.otherDevices.isEmpty)
        _ = machine.told(mode: .closed, signIn: .closed, entitlements: .closed, drafts: [])
        machine.householdCame(.success(.none), generation: before)
        #expect(!machine.pages.contains(.devices))
    }

    @Test("the page is redrawn when an age or an end changes, and never otherwise")
    func redraws() {
        func seconds(_ device: HouseholdDevice, page: SettingsPage.ID = .devices) -> Double? {
            Self.household(Self.own, device).nextRedraw(of: page, at: Self.moment).map {
                Self.moment.boot.duration(to: $0) / .seconds(1)
            }
        }
        #expect(seconds(Self.device(Self.tablet)) == nil)
        let away = Self.device(Self.tablet, isOnline: false, updated: Self.after(-200))
        #expect(seconds(away) == 40)
        #expect(seconds(away, page: .padlock) == nil)
        #expect(seconds(Self.device(Self.tablet, isOnline: false, updated: Self.after(-7300))) == 3500)
        // A clock that is ahead.
        #expect(seconds(Self.device(Self.tablet, isOnline: false, updated: Self.after(30))) == 90)
        #expect(seconds(Self.device(Self.tablet, .parent, until: Self.after(600))) == 600)
        #expect(seconds(Self.device(Self.tablet, .parent, until: Self.after(-1))) == nil)
    }

    @Test("15 minutes more are added to the time left, in whole minutes, and a wrong clock adds no years")
    func longer() {
        #expect(DeviceAction.lease(until: Self.after(600), at: Self.wall) == .seconds(1500))
        #expect(DeviceAction.lease(until: Self.after(601), at: Self.wall) == .seconds(1560))
        #expect(DeviceAction.lease(until: Self.after(-600), at: Self.wall) == .seconds(900))
        #expect(DeviceAction.lease(until: nil, at: Self.wall) == .seconds(900))
        #expect(
            DeviceAction.lease(until: WallTime(unixMilliseconds: .max), at: WallTime(unixMilliseconds: 0))
                == .seconds(87_300))
        #expect(DeviceAction.lease(until: WallTime(unixMilliseconds: .min), at: Self.wall) == .seconds(900))
    }

    @Test("opening another device needs a duration and a reason")
    func opening() throws {
        let dialog = SettingsDialog.openDevice(Self.tablet)
        #expect(dialog.title == "Open Tablet")
        let filled = SettingsDialog.Filled(texts: [.duration: "30", .reason: "homework is done"])
        #expect(
            try dialog.request(filled)
                == .openDevice(
                    Self.tablet, ModeOverride(mode: .parent, duration: .seconds(1800), reason: "homework is done")))
        #expect(throws: SettingsDialog.Mistake.self) {
            try dialog.request(SettingsDialog.Filled(texts: [.duration: "30"]))
        }
    }
}
