import GateModel
import Testing

@testable import gatectl

@Suite("What is done to guard and release an app, in an order that can end anywhere (X-04)")
struct AppPlanTests {
    private let group: UInt32 = 990
    private let held = [
        HeldPath(path: "/usr/games/x", kind: .program, hasOverride: true),
        HeldPath(path: "/usr/lib/x", kind: nil, hasOverride: true),
        HeldPath(path: "/usr/lib/x/m.py", kind: .module, hasOverride: false),
    ]
    private let states = [
        "/usr/games/x": FileState(uid: 0, gid: 60, mode: 0o2755), "/usr/lib/x": FileState(uid: 0, gid: 0, mode: 0o755),
        "/usr/lib/x/m.py": FileState(uid: 0, gid: 0, mode: 0o644),
    ]
    private let entry = "/usr/local/share/applications/x.desktop"

    /// A device in memory, so that a plan can be carried out as far as a kill lets it.
    private struct Device {
        var states: [String: FileState]
        var overrides: [String: StatOverride] = [:]
        var record: [AppStep.RecordFile: String] = [:]
        var written: [String: String] = [:]
        var hasGroup = true

        mutating func perform(_ step: AppStep) {
            switch step {
            case .record(let file, let text): record[file] = text
            case .putOverride(let override): overrides[override.path] = override
            case .dropOverride(let path): overrides[path] = nil
            case .hold(let path, let state), .giveBack(let path, let state): states[path] = state
            case .write(let path, let text): written[path] = text
            case .remove(let path): written[path] = nil
            case .removeGroup: hasGroup = false
            case .removeRecord: record = [:]
            }
        }

        func plan(_ group: UInt32) -> AppPlan {
            let recorded = record[.start].flatMap { StartRecord.group(in: $0) }
            return AppPlan(
                name: "x", groups: Set([recorded, group].compactMap(\.self)),
                before: BeforeRecord(text: record[.before] ?? ""), recordTexts: record, states: states,
                overrides: overrides, written: written)
        }
    }

    private func cover(_ device: Device, _ held: [HeldPath]? = nil, group: UInt32? = nil) -> [AppStep] {
        let group = group ?? self.group
        let start = StartRecord(action: "app.x", group: group, arguments: ["/usr/games/x"])
        return device.plan(group).covering(
            held ?? self.held, group: group, texts: [entry: "through Gate"], start: start.text ?? "", summary: "{}")
    }

    private func guarded() -> Device {
        var device = Device(states: states)
        for step in cover(device) { device.perform(step) }
        return device
    }

    @Test("what was before is on record before anything changes, and the summary comes last")
    func order() {
        let steps = cover(Device(states: states))
        #expect(steps.prefix(2).map(isRecord) == [true, true])
        #expect(steps.last == .record(.app, "{}"))
        let device = guarded()
        #expect(device.states["/usr/games/x"] == FileState(uid: 0, gid: group, mode: 0o710))
        #expect(device.states["/usr/lib/x/m.py"] == FileState(uid: 0, gid: group, mode: 0o640))
        #expect(device.overrides.keys.sorted() == ["/usr/games/x", "/usr/lib/x"])
        #expect(device.record[.before] == "0 60 2755 - /usr/games/x\n0 0 755 - /usr/lib/x\n0 0 644 - /usr/lib/x/m.py\n")
        let set = AppPlan.setGroups(BeforeRecord(text: device.record[.before] ?? "").entries, held)
        #expect(set.map(\.path) == ["/usr/games/x"] && set.map(\.gid) == [60])
    }

    @Test("a folder that gives its group to new files gives none to a start")
    func groupOfFolder() {
        let entry = BeforeRecord.Entry(state: FileState(uid: 0, gid: 42, mode: 0o2775))
        #expect(AppPlan.setGroups(["/usr/lib/x": entry, "/usr/lib/x/m.py": entry], held).isEmpty)
    }

    private func isRecord(_ step: AppStep) -> Bool {
        if case .record = step { true } else { false }
    }

    @Test("a second time nothing is done but to say so")
    func again() {
        #expect(cover(guarded()) == [.record(.app, "{}")])
    }

    @Test("killed after any step of guarding, it can be guarded or released as if nothing had happened")
    func killedGuarding() {
        let (whole, count) = (guarded(), cover(Device(states: states)).count)
        for end in 0...count {
            var device = Device(states: states)
            for step in cover(device).prefix(end) { device.perform(step) }
            var other = device
            for step in cover(device) { device.perform(step) }
            #expect(device.states == whole.states && device.overrides == whole.overrides)
            #expect(device.record == whole.record && device.written == whole.written)
            for step in other.plan(group).releasing() { other.perform(step) }
            expectReleased(other)
        }
    }

    @Test("killed after any step of releasing, it can be released or guarded again, also with another group")
    func killedReleasing() {
        let count = guarded().plan(group).releasing().count
        for end in 0...count {
            var device = guarded()
            for step in device.plan(group).releasing().prefix(end) { device.perform(step) }
            var other = device
            for step in device.plan(group).releasing() { device.perform(step) }
            expectReleased(device)
            for step in cover(other, group: 991) { other.perform(step) }
            for step in other.plan(991).releasing() { other.perform(step) }
            expectReleased(other)
        }
    }

    private func expectReleased(_ device: Device) {
        #expect(device.states == states)
        #expect(device.overrides.isEmpty && device.record.isEmpty && device.written.isEmpty)
    }

    @Test("a file whose owner was changed, and whose mode was not yet, keeps what is on its record")
    func halfHeld() {
        var device = guarded()
        device.states["/usr/games/x"] = FileState(uid: 0, gid: group, mode: 0o755)
        for step in cover(device) { device.perform(step) }
        #expect(device.record[.before]?.hasPrefix("0 60 2755 - /usr/games/x\n") == true)
        device.states["/usr/games/x"] = FileState(uid: 0, gid: 60, mode: 0o755)
        for step in device.plan(group).releasing() { device.perform(step) }
        expectReleased(device)
    }

    @Test("an administrator's override gives way, also one that was made later, and comes back")
    func override() {
        let theirs = StatOverride(user: "root", group: "#60", mode: "755", path: "/usr/games/x")
        for isLater in [false, true] {
            var device = isLater ? guarded() : Device(states: states)
            device.overrides["/usr/games/x"] = theirs
            device.states["/usr/games/x"] = FileState(uid: 0, gid: 60, mode: 0o755)
            for step in cover(device) { device.perform(step) }
            #expect(device.overrides["/usr/games/x"]?.group == "#\(group)")
            #expect(device.record[.before]?.hasPrefix("0 60 755 root:#60:755 /usr/games/x\n") == true)
            for step in device.plan(group).releasing() { device.perform(step) }
            #expect(device.overrides == ["/usr/games/x": theirs])
            #expect(device.states["/usr/games/x"] == FileState(uid: 0, gid: 60, mode: 0o755))
        }
    }

    @Test("after an upgrade new files are covered, and what is gone leaves dpkg's list and the record")
    func upgrade() {
        var device = guarded()
        device.states["/usr/games/x"] = nil
        device.states["/usr/games/y"] = FileState(uid: 0, gid: 0, mode: 0o755)
        device.states["/usr/lib/x/m.py"] = FileState(uid: 0, gid: 0, mode: 0o600)
        let now = [HeldPath(path: "/usr/games/y", kind: .program, hasOverride: true)] + held.dropFirst()
        for step in cover(device, Array(now)) { device.perform(step) }
        #expect(device.overrides.keys.sorted() == ["/usr/games/y", "/usr/lib/x"])
        #expect(device.record[.before] == "0 0 755 - /usr/games/y\n0 0 755 - /usr/lib/x\n0 0 600 - /usr/lib/x/m.py\n")
        #expect(device.states["/usr/lib/x/m.py"] == FileState(uid: 0, gid: group, mode: 0o640))
    }

    @Test("an app that is on the list and can't be guarded keeps its reason, and nothing else")
    func refused() {
        var device = guarded()
        for step in device.plan(group).releasing(summary: "why") { device.perform(step) }
        #expect(device.record == [.app: "why"])
        #expect(device.states == states && !device.hasGroup)
    }
}

@Suite("The records of guarded apps (X-04)")
struct AppRecordTests {
    @Test("what was before is read as it was written, whatever its path is")
    func before() {
        let record = BeforeRecord([
            "/usr/games/a b": BeforeRecord.Entry(
                state: FileState(uid: 5, gid: 60, mode: 0o4755),
                override: StatOverride(user: "games", group: "#60", mode: "4755", path: "/usr/games/a b")),
            "/usr/games/c": BeforeRecord.Entry(state: FileState(uid: 0, gid: 0, mode: 0o755)),
        ])
        #expect(record.text == "5 60 4755 games:#60:4755 /usr/games/a b\n0 0 755 - /usr/games/c\n")
        #expect(BeforeRecord(text: record.text) == record)
        #expect(BeforeRecord(text: "rubbish\n0 0 999 - /x\n0 0 755 - x\n").entries.isEmpty)
    }

    @Test("dpkg's list of overrides is read line by line")
    func overrides() {
        let list = StatOverride.list("root games 2755 /usr/games/a b\n\nroot\nroot root 755 x\n")
        #expect(
            list == ["/usr/games/a b": StatOverride(user: "root", group: "games", mode: "2755", path: "/usr/games/a b")]
        )
    }

    @Test("what gate-launcher starts has a form that it takes, or none")
    func start() {
        var start = StartRecord(action: "app.x", group: 990, arguments: ["/usr/games/x", "--level", "a b"])
        start.also = [60]
        start.folder = "/usr/share/x"
        start.isForTerminal = true
        #expect(
            start.text == """
                gate-app 1
                action app.x
                group 990
                also 60
                directory /usr/share/x
                terminal yes
                argument /usr/games/x
                argument --level
                argument a b
                end

                """)
        #expect(StartRecord.group(in: start.text ?? "") == 990)
        for arguments in [
            [], ["x"], ["/x", "a\nb"], ["/x", String(repeating: "a", count: 4096)],
            [String](repeating: "/x", count: 65),
        ] {
            start.arguments = arguments
            #expect(start.text == nil)
        }
    }

    @Test("a summary keeps its reasons as words, and gives each reader a sentence")
    func summary() throws {
        let summary = AppSummary(
            title: "Chess", icon: "chess", packages: ["chess"],
            hold: AppHold(strength: .hands, reasons: [AppHold.Reason(word: .modules, what: "/usr/lib/x/m.py")]),
            entries: ["other"], problems: [AppProblem(.foreignFile, "/x")])
        #expect(AppSummary(text: summary.text) == summary)
        #expect(AppSummary(text: "{}") == nil)
        for word in AppProblem.Word.allCases {
            let sentence = AppProblem(word, "what", by: "by").sentence("chess")
            #expect(sentence.hasSuffix(".") || sentence.hasSuffix("`") || sentence.hasSuffix("by"))
            #expect(!sentence.contains("{"))
        }
    }
}
