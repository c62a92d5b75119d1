import GateModel

/// One change of the device. No step is ever half done, and doing it twice does no harm.
enum AppStep: Hashable {
    /// Writes a file of the app's record.
    case record(RecordFile, String)
    /// Adds an override to dpkg's list, in place of one that is there.
    case putOverride(StatOverride)
    case dropOverride(String)
    /// Takes a file or folder from everybody but root and a group.
    case hold(String, FileState)
    /// Gives it back as it was.
    case giveBack(String, FileState)
    /// Writes a menu entry or a D-Bus service that leads through Gate.
    case write(String, String)
    case remove(String)
    case removeGroup(String)
    case removeRecord

    enum RecordFile: String, CaseIterable {
        case before, start, app
    }

    /// Whether the step changes a single file or folder, and no step for another file or folder depends on it.
    var isOfPath: Bool {
        switch self {
        case .putOverride, .dropOverride, .hold, .giveBack, .write, .remove: true
        case .record, .removeGroup, .removeRecord: false
        }
    }
}

/// The state of one app on the device, and the steps from there to guarding or releasing it. Work can end after any
/// step, and a later run continues it: the earlier owners and modes are on the disk before anything is changed, and
/// stay there until all of them are restored.
struct AppPlan {
    var name: String
    /// The gid of the app's group, and that of an earlier one that the record still has.
    var groups: Set<UInt32>
    /// The owners and modes from before the app was guarded, as recorded.
    var before = BeforeRecord()
    /// The files of the record, as they are.
    var recordTexts: [AppStep.RecordFile: String] = [:]
    /// As they are, without links followed; missing ones are left out.
    var states: [String: FileState] = [:]
    /// All overrides of the device.
    var overrides: [String: StatOverride] = [:]
    /// The menu entries and services that Gate has written for this app, as they are.
    var written: [String: String] = [:]

    // MARK: - Guarding

    /// The record of the owners and modes that these paths had before. An owner or mode that Gate has set is never
    /// recorded.
    func entries(of held: [HeldPath]) -> [String: BeforeRecord.Entry] {
        held.reduce(into: [:]) { entries, held in
            guard let state = states[held.path] else { return }
            let recorded = before.entries[held.path]
            let foreign = overrides[held.path].flatMap { isOurs($0) ? nil : $0 }
            if groups.contains(state.gid) {
                entries[held.path] = BeforeRecord.Entry(
                    // Without a record, the usual owner and mode of a package's file are assumed.
                    state: recorded?.state ?? FileState(uid: 0, gid: 0, mode: held.kind.usualMode),
                    override: foreign ?? recorded?.override)
            } else {
                let isReplaced = overrides[held.path].map(isOurs) ?? false
                let isHalf = foreign == nil && isBeingGivenBack(state, recorded)
                let state = isHalf ? recorded?.state ?? state : state
                entries[held.path] = BeforeRecord.Entry(
                    state: state, override: foreign ?? (isReplaced ? recorded?.override : nil))
            }
        }
    }

    /// Guards the app, or covers it again after an upgrade.
    /// - Parameters:
    ///   - texts: the menu entries and services that shall be there.
    ///   - start, summary: the files of the record.
    func covering(
        _ held: [HeldPath], group: UInt32, texts: [String: String], start: String, summary: String
    ) -> [AppStep] {
        let entries = entries(of: held)
        let gone = before.entries.filter { entries[$0.key] == nil }
        var steps: [AppStep] = []
        if recordTexts[.start] != start { steps.append(.record(.start, start)) }
        let all = BeforeRecord(entries.merging(gone) { ours, _ in ours }).text
        if recordTexts[.before] != all { steps.append(.record(.before, all)) }
        for held in held {
            guard let entry = entries[held.path], let state = states[held.path] else { continue }
            let present = overrides[held.path]
            if held.hasOverride || entry.override != nil {
                let ours = StatOverride(held, gid: group)
                if present != ours { steps.append(.putOverride(ours)) }
            } else if let present, isOurs(present) {
                steps.append(.dropOverride(held.path))
            }
            let wanted = FileState(uid: 0, gid: group, mode: held.mode)
            if state != wanted { steps.append(.hold(held.path, wanted)) }
        }
        if !gone.isEmpty {
            steps += givingBack(gone) + [.record(.before, BeforeRecord(entries).text)]
        }
        steps += texts.sorted { $0.key < $1.key }.filter { written[$0.key] != $0.value }
            .map { .write($0.key, $0.value) }
        steps += written.keys.filter { texts[$0] == nil }.sorted().map { .remove($0) }
        // This is always written, so that a program that waits for the device sees that this run is over.
        return steps + [.record(.app, summary)]
    }

    // MARK: - Releasing

    /// Puts everything back.
    /// - Parameter summary: what is kept of an app that is on the list and can't be guarded; `nil`: nothing.
    func releasing(summary: String? = nil) -> [AppStep] {
        var steps = givingBack(before.entries) + written.keys.sorted().map { .remove($0) }
        // The group is removed before the record, so that an app always has a record until it is completely released.
        steps += [.removeGroup(AppName.group(of: name)), .removeRecord]
        return steps + (summary.map { [.record(.app, $0)] } ?? [])
    }

    private func givingBack(_ entries: [String: BeforeRecord.Entry]) -> [AppStep] {
        entries.sorted { $0.key.compareBytes($1.key) < 0 }.flatMap { path, entry in
            var steps: [AppStep] = []
            if let present = overrides[path], isOurs(present) {
                steps.append(entry.override.map { .putOverride($0) } ?? .dropOverride(path))
            }
            if let state = states[path], groups.contains(state.gid) || isBeingGivenBack(state, entry) {
                steps.append(.giveBack(path, entry.state))
            }
            return steps
        }
    }

    /// Whether an earlier run restored the owner, and was killed before it restored the set-id bits.
    private func isBeingGivenBack(_ state: FileState, _ entry: BeforeRecord.Entry?) -> Bool {
        guard let entry else { return false }
        return state != entry.state && state == entry.state.withoutSetBits
    }

    private func isOurs(_ override: StatOverride) -> Bool { groups.contains { override.group == "#\($0)" } }

    /// The set-group-id programs, and the groups that they gave.
    static func setGroups(_ entries: [String: BeforeRecord.Entry], _ held: [HeldPath]) -> [(path: String, gid: UInt32)]
    {
        let setsGroup: UInt16 = 0o2010
        return held.compactMap { held in
            guard held.kind == .program, let state = entries[held.path]?.state,
                state.mode & setsGroup == setsGroup, state.gid != 0
            else { return nil }
            return (held.path, state.gid)
        }
    }
}

extension CodeKind? {
    /// The mode that Debian's packages give files of this kind, and folders.
    fileprivate var usualMode: UInt16 {
        switch self {
        case nil, .program, .script: 0o755
        case .library, .module: 0o644
        }
    }
}
