import GateModel
import GateTexts
import Glibc

/// Makes the device match the list of guarded apps: guards the apps on the list, again after an upgrade, and releases
/// those that are no longer on it. Only root can do that.
///
/// It may be killed at any moment. The next run continues, since each app has a record of the earlier owners and modes
/// (`AppPlan`).
struct AppsApplying {
    let device: AppDevice
    /// For tests: the process ends after so many steps, as if it were killed.
    var stepLimit: Int?

    private static let lockFile = "\(AppDevice.recordFolder)/.lock"
    /// More apps than a policy names: it has at most 1,000 gated actions.
    private static let maximumApps = 2000

    /// - Parameter releasesAll: whether all apps are to be released, whatever the list says.
    /// - Returns: the problems, each with the app's name.
    /// - Throws: `UNAVAILABLE` if a call to the system failed for one of them. The others were done.
    func run(releasesAll: Bool) throws(GateError) -> [(name: String, problem: AppProblem)] {
        let lock = try locked()
        defer { close(lock) }
        var work = AppsWork(device: device, dpkg: Dpkg(device: device), groups: AppGroups(device: device))
        work.stepLimit = stepLimit
        let recorded = device.names(in: AppDevice.recordFolder).filter(isRecord)
        let wanted = releasesAll ? [] : try listed() ?? recorded
        var problems: [(name: String, problem: AppProblem)] = []
        for name in recorded where !wanted.contains(name) {
            if let problem = work.released(name) { problems.append((name, problem)) }
        }
        for (name, problem) in try guarding(wanted, &work) { problems.append((name, problem)) }
        try removeOrphans()
        if let problem = problems.first(where: { $0.problem.word == .failed }) {
            throw GateError(.unavailable, .unspecified, saying: problem.problem.sentence(problem.name))
        }
        return problems
    }

    /// Guards these apps. It first decides about all of them, and releases those that can't be guarded, because an app
    /// may now include a package that another app has held so far.
    private func guarding(
        _ names: [String], _ work: inout AppsWork
    ) throws(GateError) -> [(name: String, problem: AppProblem)] {
        guard !names.isEmpty else { return [] }
        // dpkg is asked only once. If it can't answer, everything stays as it is.
        let search = try AppSearch(device)
        var (found, taken): ([FoundApp], [String: String]) = ([], [:])
        var problems: [(name: String, problem: AppProblem)] = []
        for name in names.filter(device.isGuarded) + names.filter({ !device.isGuarded($0) }) {
            switch work.decision(name, search, taken) {
            case .success(let app):
                found.append(app)
                for package in app.packages.packages { taken[package.id] = name }
            case .failure(let problem):
                problems.append((name, problem))
                // Packages that this app still holds must not be taken over by another one.
                if device.isGuarded(name) {
                    for id in search.packages(of: device.summary(name)) { taken[id] = name }
                }
            }
        }
        for app in found {
            for problem in work.guarded(app) { problems.append((app.name, problem)) }
        }
        return problems
    }

    /// - Throws: `UNAVAILABLE` if the list is longer than it can be. Reading only a part of it would release the other
    ///   apps.
    private func listed() throws(GateError) -> [String]? {
        guard let text = device.listText else { return nil }
        // gate-apps-again.service compares it with the list, and starts this again if it has changed meanwhile.
        if device.look(AppDevice.seenFile.folder) != nil {
            try? SystemFile.write(text, to: "\(device.root)\(AppDevice.seenFile.folder)/\(AppDevice.seenFile.name)")
        }
        let names = Set(text.parts(between: "\n").filter(AppName.isName)).sorted()
        guard names.count <= Self.maximumApps, text.utf8.count < AppDevice.maximumListBytes else {
            throw GateError(
                .unavailable, .unspecified,
                saying: localized(
                    "{path} names more apps than a policy can have, so nothing was changed.",
                    ["path": AppDevice.listFile]))
        }
        return names
    }

    private func isRecord(_ name: String) -> Bool {
        var status = stat()
        return AppName.isName(name) && lstat("\(device.root)\(AppDevice.recordFolder)/\(name)", &status) == 0
            && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Waits until no other run is at work.
    private func locked() throws(GateError) -> CInt {
        try device.makeFolders(of: Self.lockFile)
        let path = device.root + Self.lockFile
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
            throw GateError(
                .unavailable, .unspecified,
                saying: localized(
                    "{path} can't be written: {reason}", ["path": path, "reason": String(cString: strerror(errno))]))
        }
        return descriptor
    }

    /// Removes groups without a record: their run was killed right after it made them, or their app still ran when it
    /// was released. If no app is guarded any more, also removes the folders that were made for menu entries.
    private func removeOrphans() throws(GateError) {
        let recorded = device.names(in: AppDevice.recordFolder).filter(isRecord)
        let groups = AppGroups(device: device)
        for group in Set(groups.ofApps).subtracting(recorded.map(AppName.group)).sorted() {
            if let gid = groups.gid(of: group) { try giveBackOverridden(gid) }
            try groups.remove(group)
        }
        guard recorded.isEmpty else { return }
        // A run that was killed while it wrote may have left this file behind.
        try device.remove(AppsWork.madeFolders + ".new")
        guard let made = device.text(AppsWork.madeFolders) else { return }
        for folder in made.parts(between: "\n").filter(\.isAbsolutePath).reversed() { rmdir(device.root + folder) }
        try device.remove(AppsWork.madeFolders)
    }
}

extension AppsApplying {
    /// Restores the files that dpkg still assigns to a group whose record is lost, because another app may get the same
    /// number for its group.
    private func giveBackOverridden(_ gid: UInt32) throws(GateError) {
        let dpkg = Dpkg(device: device)
        for (path, override) in try dpkg.overrides() where override.gid == gid {
            try dpkg.drop(path)
            try giveBackUsual(path, from: gid)
        }
    }

    /// Restores a path without a record, and everything in it if it is a folder, to the modes that files of packages
    /// usually have.
    private func giveBackUsual(_ path: String, from gid: UInt32) throws(GateError) {
        guard let (state, isFolder) = device.look(path), state.gid == gid else { return }
        if isFolder { for name in device.names(in: path) { try giveBackUsual("\(path)/\(name)", from: gid) } }
        let isStarted = state.mode & 0o100 != 0
        try device.giveBack(path, FileState(uid: 0, gid: 0, mode: isStarted ? 0o755 : 0o644))
    }
}

/// The work on one app after the other.
struct AppsWork {
    let device: AppDevice
    let dpkg: Dpkg
    let groups: AppGroups
    var stepLimit: Int?

    /// The folders that were made for menu entries and services, one a line. No app has a name that begins with a dot.
    static let madeFolders = "\(AppDevice.recordFolder)/.folders"

    mutating func released(_ name: String) -> AppProblem? {
        do throws(GateError) {
            let plan = try situation(name, held: [])
            try perform(plan.releasing(), name)
            return nil
        } catch {
            return AppProblem(.failed, by: error.message)
        }
    }

    /// Decides whether an app can be guarded, and how. If it can't, its record gets the reason. An app that is guarded
    /// already is released only if it is gone, if the device needs it, or if another app has its package.
    /// - Parameter taken: the packages that other apps have, by their ids.
    mutating func decision(
        _ name: String, _ search: AppSearch, _ taken: [String: String]
    ) -> Result<FoundApp, AppProblem> {
        do throws(GateError) {
            let summary: AppSummary
            switch try search.find(name, isGuarded: device.isGuarded(name)) {
            case .success(let app):
                guard let package = app.packages.packages.first(where: { taken[$0.id] != nil }) else {
                    return .success(app)
                }
                summary = app.summary([AppProblem(.otherApp, package.name, by: taken[package.id] ?? "")])
            case .failure(let problem):
                // Files that the device needs must not stay held. In all other cases the app stays as it is, until a
                // later run can decide again.
                let packages = search.packages(of: device.summary(name))
                if ![.system, .gate].contains(problem.word), device.isGuarded(name), !packages.isEmpty,
                    packages.allSatisfy({ taken[$0] == nil })
                {
                    return .failure(noted(name, problem))
                }
                summary = AppSummary(title: name, problems: [problem])
            }
            return .failure(try refused(name, summary)[0])
        } catch {
            return .failure(noted(name, AppProblem(.failed, by: error.message)))
        }
    }

    mutating func guarded(_ app: FoundApp) -> [AppProblem] {
        do throws(GateError) {
            return try covered(app)
        } catch {
            return [noted(app.name, AppProblem(.failed, by: error.message))]
        }
    }

    /// Stores a problem in the record. Files that are held stay so.
    private func noted(_ name: String, _ problem: AppProblem) -> AppProblem {
        var summary = device.summary(name) ?? AppSummary(title: name)
        summary.problems = [problem]
        try? device.write(summary.text, to: device.record(name, .app))
        return problem
    }

    private mutating func refused(_ name: String, _ summary: AppSummary) throws(GateError) -> [AppProblem] {
        let plan = try situation(name, held: [])
        try perform(plan.releasing(summary: summary.text), name)
        return summary.problems
    }

    private mutating func covered(_ app: FoundApp) throws(GateError) -> [AppProblem] {
        let group = AppName.group(of: app.name)
        var gid = groups.gid(of: group)
        // Checks that gate-launcher could start the app, before anything is changed.
        let trial = StartRecord(
            action: AppName.actionPrefix + app.name, group: gid ?? 0, folder: app.folder,
            isForTerminal: app.isForTerminal, arguments: app.arguments)
        guard trial.text != nil else {
            let problem = AppProblem(.odd)
            return device.isGuarded(app.name)
                ? [noted(app.name, problem)] : try refused(app.name, app.summary([problem]))
        }
        if let gid, !groups.isOurs(group, gid) {
            throw GateError(
                .unavailable, .unspecified,
                saying: localized(
                    "Gate did not make the group {group}: it has members, is somebody's own group, or has an unusual number. Remove it, and run `sudo gatectl apps apply`.",
                    ["group": group]))
        }
        if gid == nil {
            gid = try groups.make(group, overrides: Array(try dpkg.overrides().values))
            countStep()
        }
        guard let gid else { return [] }
        var plan = try situation(app.name, held: app.held)
        plan.groups.insert(gid)
        var start = trial
        start.group = gid
        let set = AppPlan.setGroups(plan.entries(of: app.held), app.held)
        // The group games is passed on, so that a game can write its high scores. Other groups, such as shadow, are
        // not: a child must not get their rights.
        let games = groups.gid(of: "games")
        start.also = Set(set.map(\.gid)).filter { $0 == games }.sorted()
        let (texts, problems) = texts(of: app)
        var summary = app.summary(problems)
        summary.hold.reasons += set.filter { $0.gid != games }.map { path, gid in
            AppHold.Reason(word: .group, what: path, by: groups.name(of: gid) ?? "\(gid)")
        }
        let steps = plan.covering(
            app.held, group: gid, texts: texts, start: start.text ?? "", summary: summary.text)
        try perform(steps, app.name)
        return problems
    }

    /// The menu entries and services that start the app through Gate. If Gate did not write the file that is in the
    /// place of one, that file is left alone and reported.
    private func texts(of app: FoundApp) -> (texts: [String: String], problems: [AppProblem]) {
        var (texts, problems): ([String: String], [AppProblem]) = ([:], [])
        func add(_ path: String, _ text: String, _ owner: String?) {
            if device.look(path) == nil || owner != nil {
                texts[path] = text
            } else {
                problems.append(AppProblem(.foreignFile, path))
            }
        }
        for entry in app.entries {
            let path = "\(AppDevice.ourMenuFolder)/\(entry.path)"
            add(
                path, entry.throughGate(app.name),
                device.text(path).flatMap { MenuEntry(path: entry.path, text: $0).gateApp })
        }
        for (file, service) in app.services {
            let path = "\(AppDevice.ourServiceFolder)/\(file)"
            add(path, service.throughGate(app.name), device.text(path).flatMap { BusService($0).gateApp })
        }
        return (texts, problems)
    }

    /// Reads the state of an app from the device.
    private func situation(_ name: String, held: [HeldPath]) throws(GateError) -> AppPlan {
        var plan = AppPlan(name: name, groups: [])
        for file in AppStep.RecordFile.allCases { plan.recordTexts[file] = device.text(device.record(name, file)) }
        plan.before = BeforeRecord(text: plan.recordTexts[.before] ?? "")
        let recorded = plan.recordTexts[.start].flatMap { StartRecord.group(in: $0) }
        plan.groups = Set([recorded, groups.gid(of: AppName.group(of: name))].compactMap(\.self))
        for path in Set(held.map(\.path)).union(plan.before.entries.keys) {
            plan.states[path] = device.look(path)?.state
        }
        if !held.isEmpty || !plan.before.entries.isEmpty { plan.overrides = try dpkg.overrides() }
        plan.written = written(for: name)
        return plan
    }

    private func written(for name: String) -> [String: String] {
        let menu = device.files(below: AppDevice.ourMenuFolder, suffix: MenuEntry.suffix)
            .map { "\(AppDevice.ourMenuFolder)/\($0)" }
        let services = device.files(below: AppDevice.ourServiceFolder, suffix: ".service")
            .map { "\(AppDevice.ourServiceFolder)/\($0)" }
        return (menu + services).reduce(into: [:]) { written, path in
            guard let text = device.text(path) else { return }
            let owner =
                path.ends(withBytesOf: MenuEntry.suffix)
                ? MenuEntry(path: path, text: text).gateApp : BusService(text).gateApp
            if owner == name { written[path] = text }
        }
    }

    /// Performs the steps. If one path can't be changed, the other paths still are, but not the record, which has to
    /// list what is left to be done.
    /// - Throws: the first error, at the end.
    private mutating func perform(_ steps: [AppStep], _ name: String) throws(GateError) {
        var failure: GateError?
        for step in steps where failure == nil || step.isOfPath {
            do throws(GateError) {
                try perform(step, name)
            } catch {
                guard step.isOfPath else { throw error }
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private mutating func perform(_ step: AppStep, _ name: String) throws(GateError) {
        switch step {
        case .record(let file, let text): try device.write(text, to: device.record(name, file))
        case .putOverride(let override): try dpkg.put(override)
        case .dropOverride(let path): try dpkg.drop(path)
        case .hold(let path, let state): try device.hold(path, state)
        case .giveBack(let path, let state): try device.giveBack(path, state)
        case .write(let path, let text):
            try rememberFolders(of: path)
            try device.write(text, to: path)
        case .remove(let path):
            // What an earlier run left that was killed while it wrote.
            try device.remove(path + ".new")
            try device.remove(path)
        case .removeGroup(let group): try groups.remove(group)
        case .removeRecord:
            // `start`, which knows the group, goes last.
            let folder = "\(AppDevice.recordFolder)/\(name)"
            for file in device.names(in: folder) { try device.remove("\(folder)/\(file)") }
            rmdir(device.root + folder)
        }
        countStep()
    }

    /// The folders that are about to be made are written down first, so that they are removed at the end.
    private func rememberFolders(of path: String) throws(GateError) {
        let missing = device.missingFolders(of: path)
        guard !missing.isEmpty else { return }
        let known = device.text(Self.madeFolders) ?? ""
        try device.write(known + missing.map { $0 + "\n" }.joined(), to: Self.madeFolders)
    }

    private mutating func countStep() {
        guard let limit = stepLimit else { return }
        if limit <= 1 { _exit(137) }
        stepLimit = limit - 1
    }
}
