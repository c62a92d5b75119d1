import GateModel

/// An app as it is installed, with all that guarding it takes.
struct FoundApp {
    var name: String
    var title: LocalizedText
    var icon: String
    var packages: AppPackages
    /// The menu entries and D-Bus services of the packages.
    var entries: [MenuEntry]
    var services: [(file: String, service: BusService)]
    /// The real path of the first program, then its arguments.
    var arguments: [String]
    var folder: String?
    var isForTerminal: Bool
    var held: [HeldPath]
    /// A path of the packages that is no UTF-8, so that nothing can be done about it.
    var unnamed: String?

    var hold: AppHold { AppContents.hold(held, leftOut: packages.leftOut, unnamed: unnamed) }

    func summary(_ problems: [AppProblem] = []) -> AppSummary {
        AppSummary(
            title: title.text, icon: icon, packages: packages.packages.map(\.name).sorted(), hold: hold,
            entries: Set(entries.compactMap(\.name)).subtracting([name]).sorted(), problems: problems)
    }
}

/// Finds apps among the installed packages. It asks dpkg each question only once.
final class AppSearch {
    let device: AppDevice
    private let dpkg: Dpkg
    private let packages: [String: InstalledPackage]
    let entries: [MenuEntry]
    /// The login shells of this device.
    private let shells: Set<String>
    private let services: [String]
    private var ownersOfPaths: [String: [String]] = [:]
    private var filesOfPackages: [String: [String]] = [:]
    private var packagesWithCode: [String: Bool] = [:]

    init(_ device: AppDevice) throws(GateError) {
        self.device = device
        dpkg = Dpkg(device: device)
        packages = Dictionary(try dpkg.packages().map { ($0.id, $0) }) { first, _ in first }
        entries = Self.entries(in: AppDevice.menuFolder, device)
        shells = Set((device.text("/etc/shells") ?? "").parts(between: "\n").flatMap(AppDevice.aliases))
        services = device.files(below: AppDevice.serviceFolder, suffix: ".service")
        try learnOwners(
            entries.map { "\(AppDevice.menuFolder)/\($0.path)" } + services.map { "\(AppDevice.serviceFolder)/\($0)" })
    }

    static func entries(in folder: String, _ device: AppDevice) -> [MenuEntry] {
        device.files(below: folder, suffix: MenuEntry.suffix).compactMap { path in
            device.text("\(folder)/\(path)").map { MenuEntry(path: path, text: $0) }
        }
    }

    /// - Parameter isGuarded: whether it is guarded already.
    func find(_ name: String, isGuarded: Bool) throws(GateError) -> Result<FoundApp, AppProblem> {
        let fitting = entries.filter { $0.isApplication && $0.name == name }
        guard fitting.count < 2 else { return .failure(AppProblem(.ambiguous, Self.list(fitting.map(\.id)))) }
        guard let entry = fitting.first else { return try findProgram(name, isGuarded: isGuarded) }
        guard let owner = try owner(of: "\(AppDevice.menuFolder)/\(entry.path)") else {
            return .failure(AppProblem(.notOfPackage))
        }
        guard let words = entry.exec?.words, let first = words.first.flatMap(device.program) else {
            return .failure(owner.source == "gate" ? AppProblem(.gate) : AppProblem(.noProgram))
        }
        let program: String?
        switch ExecTarget(words) {
        case .program(let word), .readFile(let word): program = device.program(word)
        case .sandbox(let tool): return .failure(AppProblem(.sandbox, tool))
        case .unknown: program = nil
        }
        let app = FoundApp(
            name: name, title: entry.title, icon: entry.icon, packages: AppPackages(packages: []), entries: [],
            services: [], arguments: [first] + words.dropFirst(), folder: entry.folder,
            isForTerminal: entry.isForTerminal, held: [])
        return try complete(app, owner: owner, program: program, isGuarded: isGuarded)
    }

    /// A program that has no menu entry, by the name of its file.
    private func findProgram(_ name: String, isGuarded: Bool) throws(GateError) -> Result<FoundApp, AppProblem> {
        let paths = AppDevice.packagedProgramFolders.flatMap { folder in
            device.names(in: folder).filter { AppName.of($0) == name }.map { "\(folder)/\($0)" }
        }
        let programs = Set(paths.compactMap(device.realPath))
        guard let path = paths.first, let program = programs.first else { return .failure(withoutPackage(name)) }
        guard programs.count == 1 else { return .failure(AppProblem(.ambiguous, Self.list(paths))) }
        var owner = try owner(of: path)
        if owner == nil { owner = try self.owner(of: program) }
        guard let owner else { return .failure(AppProblem(.notOfPackage)) }
        let app = FoundApp(
            name: name, title: LocalizedText(path.lastPathPart ?? name), icon: "",
            packages: AppPackages(packages: []), entries: [], services: [], arguments: [program], folder: nil,
            // Nothing but a terminal starts it.
            isForTerminal: true, held: [])
        return try complete(app, owner: owner, program: program, isGuarded: isGuarded)
    }

    /// Why an app can't be guarded that no package has.
    private func withoutPackage(_ name: String) -> AppProblem {
        for (tool, folder) in AppDevice.sandboxFolders
        where Self.entries(in: folder, device).contains(where: { $0.name == name }) {
            return AppProblem(.sandbox, tool)
        }
        let isLocal = Self.entries(in: AppDevice.ourMenuFolder, device).contains {
            $0.name == name && $0.gateApp == nil
        }
        return AppProblem(isLocal ? .notOfPackage : .notInstalled)
    }

    private func complete(
        _ app: FoundApp, owner: InstalledPackage, program: String?, isGuarded: Bool
    ) throws(GateError) -> Result<FoundApp, AppProblem> {
        var app = app
        let programOwner = try program.map { path throws(GateError) in try self.owner(of: path) } ?? nil
        let packages = try AppPackages.of(
            entry: owner, program: programOwner, among: Array(self.packages.values), isGuarded: isGuarded,
            isOfSystem: { package throws(GateError) in try self.isOfSystem(package, app.name) },
            hasCode: hasCode)
        switch packages {
        case .failure(let problem): return .failure(problem)
        case .success(let packages): app.packages = packages
        }
        let ids = Set(app.packages.packages.map(\.id))
        let (code, held) = try contents(of: ids, program: program)
        if let program, !AppDevice.aliases(of: program).contains(where: { code[$0] != nil }) {
            return .failure(AppProblem(.elsewhere, programOwner?.name ?? program))
        }
        guard !code.isEmpty else { return .failure(AppProblem(.noProgram)) }
        if let path = held.first(where: { $0.kind == .program && device.hasCapabilities($0.path) })?.path {
            return .failure(AppProblem(.capabilities, path))
        }
        if let path = held.first(where: { device.hasAccessList($0.path) })?.path {
            return .failure(AppProblem(.accessList, path))
        }
        app.held = held
        // Names that are not UTF-8 were read with this replacement character.
        app.unnamed = try files(of: ids.sorted()).joined().first {
            $0.contains("\u{FFFD}") && AppContents.canBeHeld($0) && device.look($0) == nil
        }
        app.entries = entries.filter { $0.isApplication && isOwned("\(AppDevice.menuFolder)/\($0.path)", by: ids) }
        app.services = services.filter { isOwned("\(AppDevice.serviceFolder)/\($0)", by: ids) }.compactMap { file in
            device.text("\(AppDevice.serviceFolder)/\(file)").map { (file, BusService($0)) }
        }
        return .success(app)
    }

    /// The code of packages, and all that is held of them.
    private func contents(
        of ids: Set<String>, program: String?
    ) throws(GateError) -> (code: [String: CodeKind], held: [HeldPath]) {
        var (code, folders): ([String: CodeKind], [String]) = ([:], [])
        for path in Set(try files(of: ids.sorted()).flatMap(\.self)) where AppContents.canBeHeld(path) {
            guard let found = device.look(path) else { continue }
            if found.isFolder {
                if AppContents.canBeClosed(path) { folders.append(path) }
            } else if let kind = device.kind(of: path) {
                code[path] = kind
            } else if let program, AppDevice.aliases(of: program).contains(path) {
                // An interpreter reads it, whatever its name is.
                code[path] = .module
            }
        }
        try learnOwners(folders)
        let own = folders.filter { (ownersOfPaths[$0] ?? []).allSatisfy(ids.contains) }
        let held = AppContents.held(code: code, folders: Set(own), compiled: compiled(from: code))
        return (code, held)
    }

    /// What Python has compiled on this device of modules.
    private func compiled(from code: [String: CodeKind]) -> [String] {
        var modules: [String: Set<String>] = [:]
        for path in code.keys where path.ends(withBytesOf: ".py") {
            guard let (folder, name) = path.cut(atLast: "/") else { continue }
            modules[folder, default: []].insert(name)
        }
        return modules.flatMap { folder, names in
            device.names(in: "\(folder)/__pycache__").filter { AppContents.isCompiled($0, from: names) }
                .map { "\(folder)/__pycache__/\($0)" }
        }.filter { code[$0] == nil }
    }

    private func hasCode(_ package: InstalledPackage) throws(GateError) -> Bool {
        if let known = packagesWithCode[package.id] { return known }
        let has = try files(of: [package.id]).joined().contains {
            AppContents.canBeHeld($0) && device.kind(of: $0) != nil
        }
        packagesWithCode[package.id] = has
        return has
    }

    /// Whether the device needs a file of the package to start or to log people in; or whether a program in it gets
    /// root's rights, which Gate's launcher never gives. The set-user-id bit of a guarded app is in its record.
    private func isOfSystem(_ package: InstalledPackage, _ name: String) throws(GateError) -> Bool {
        if package.isOfSystem { return true }
        let before = BeforeRecord(text: device.text(device.record(name, .before)) ?? "").entries
        return try files(of: [package.id]).joined().contains { path in
            if AppContents.isOfSystem(path) || AppDevice.aliases(of: path).contains(where: shells.contains) {
                return true
            }
            guard let state = before[path]?.state ?? device.look(path).flatMap({ $0.isFolder ? nil : $0.state }) else {
                return false
            }
            return state.uid == 0 && state.mode & 0o4000 != 0
        }
    }

    // MARK: - What dpkg knows

    /// The ids of the packages that an app had when it was guarded, and that are installed.
    func packages(of summary: AppSummary?) -> [String] {
        packages.values.filter { summary?.packages.contains($0.name) ?? false }.map(\.id)
    }

    private func owner(of path: String) throws(GateError) -> InstalledPackage? {
        let names = AppDevice.aliases(of: path)
        try learnOwners(names)
        return names.lazy.compactMap { self.ownersOfPaths[$0]?.first }.first.flatMap { packages[$0] }
    }

    private func isOwned(_ path: String, by ids: Set<String>) -> Bool {
        ownersOfPaths[path]?.contains(where: ids.contains) ?? false
    }

    private func learnOwners(_ paths: [String]) throws(GateError) {
        let unknown = paths.filter { ownersOfPaths[$0] == nil }
        guard !unknown.isEmpty else { return }
        let found = try dpkg.owners(of: unknown)
        for path in unknown { ownersOfPaths[path] = found[path] ?? [] }
    }

    private func files(of ids: [String]) throws(GateError) -> [[String]] {
        let unknown = ids.filter { filesOfPackages[$0] == nil }
        filesOfPackages.merge(try dpkg.files(of: unknown)) { first, _ in first }
        return ids.map { filesOfPackages[$0] ?? [] }
    }

    /// Asks dpkg about the programs of all entries in one call, instead of one call for each.
    func learnPrograms(of entries: [MenuEntry]) throws(GateError) {
        let programs = entries.compactMap { entry -> String? in
            switch entry.exec.map({ ExecTarget($0.words) }) {
            case .program(let word)?, .readFile(let word)?: device.program(word)
            case .sandbox?, .unknown?, nil: nil
            }
        }
        try learnOwners(programs.flatMap(AppDevice.aliases))
        let places = entries.map { "\(AppDevice.menuFolder)/\($0.path)" } + programs.flatMap(AppDevice.aliases)
        _ = try files(of: Set(places.flatMap { ownersOfPaths[$0] ?? [] }).sorted())
    }

    private static func list(_ texts: [String]) -> String { texts.joined(separator: ", ") }
}
