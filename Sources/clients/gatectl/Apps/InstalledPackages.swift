import GateModel

/// A package that is installed, as far as guarding an app depends on it.
struct InstalledPackage: Hashable {
    /// As dpkg names it: with the architecture if there may be several.
    var id: String
    var name: String
    var source: String
    var isEssential = false
    var priority = "optional"
    /// The names of the packages that it can't do without; with alternatives, all of them.
    var needs: Set<String> = []
    var provides: Set<String> = []

    /// The packages without which people could not get to a desktop or use it.
    private static let ofDesktop: Set<String> = [
        "x-session-manager", "x-window-manager", "x-display-manager", "polkit-1-auth-agent", "xfce4-panel",
    ]

    var isOfSystem: Bool {
        isEssential || ["required", "important", "standard"].contains(priority) || Self.ofDesktop.contains(name)
            || !Self.ofDesktop.isDisjoint(with: provides)
    }

    /// Whether it needs the other package, also by a name that the other one provides.
    func needs(_ other: InstalledPackage) -> Bool {
        needs.contains(other.name) || !needs.isDisjoint(with: other.provides)
    }

    /// The fields that `init(line:)` reads, as `dpkg-query --show --showformat` takes them.
    static let format =
        #"${db:Status-Status}\t${binary:Package}\t${Package}\t${source:Package}\t${Essential}\t${Priority}\t${Depends}\t${Pre-Depends}\t${Provides}\n"#

    /// `nil` if the package has no files on the device.
    init?(line: String) {
        let fields = line.parts(between: "\t")
        guard fields.count == 9, !["not-installed", "config-files"].contains(fields[0]) else { return nil }
        id = fields[1]
        name = fields[2]
        source = fields[3]
        isEssential = fields[4] == "yes"
        priority = fields[5]
        needs = Self.names(fields[6]).union(Self.names(fields[7]))
        provides = Self.names(fields[8])
    }

    init(_ name: String, source: String, priority: String = "optional", needs: Set<String> = []) {
        (id, self.name, self.source, self.priority, self.needs) = (name, name, source, priority, needs)
    }

    /// `foo (>= 1), bar:any | baz` has three names.
    private static func names(_ field: String) -> Set<String> {
        Set(
            field.split(whereSeparator: { ",|".contains($0) }).compactMap { part in
                part.split(whereSeparator: { " :(".contains($0) }).first.map(String.init)
            })
    }
}

/// The packages that an app consists of, or why they can't be guarded.
struct AppPackages: Hashable {
    var packages: [InstalledPackage]
    /// Packages that belong to the app, but are not held because another package needs them, with the name of that
    /// package.
    var leftOut: [(package: InstalledPackage, by: String)] = []

    static func == (left: AppPackages, right: AppPackages) -> Bool { left.packages == right.packages }
    func hash(into hasher: inout Hasher) { hasher.combine(packages) }

    /// - Parameters:
    ///   - entry: the package of the menu entry, or of a program without an entry.
    ///   - program: the package of the program that the entry starts; `nil` if no package has it.
    ///   - isGuarded: whether the app is guarded already. Then a package that was installed since, and needs one of the
    ///     app's, does not open it.
    ///   - isOfSystem: whether the device does not work without a package.
    ///   - hasCode: whether one of the files of a package is code. It is asked about the few packages of other sources
    ///     that need one of the app's.
    static func of(
        entry: InstalledPackage, program: InstalledPackage?, among installed: [InstalledPackage],
        isGuarded: Bool = false,
        isOfSystem: (InstalledPackage) throws(GateError) -> Bool = { $0.isOfSystem },
        hasCode: (InstalledPackage) throws(GateError) -> Bool
    ) throws(GateError) -> Result<AppPackages, AppProblem> {
        let mains = [entry] + (program.map { $0.source == entry.source && $0 != entry ? [$0] : [] } ?? [])
        for package in mains {
            if package.source == "gate" { return .failure(AppProblem(.gate)) }
            if try isOfSystem(package) { return .failure(AppProblem(.system, package.name)) }
            if !isGuarded, let other = try dependent(on: package, installed, hasCode) {
                return .failure(AppProblem(.needed, package.name, by: other.name))
            }
        }
        let ofSource = installed.filter { $0.source == entry.source }
        var found = AppPackages(packages: mains)
        var next = mains[...]
        while let package = next.popFirst() {
            for other in ofSource where package.needs(other) && !found.knows(other) {
                if try isOfSystem(other) {
                    found.leftOut.append((other, other.name))
                } else if let needing = try dependent(on: other, installed, hasCode) {
                    found.leftOut.append((other, needing.name))
                } else {
                    found.packages.append(other)
                    next.append(other)
                }
            }
        }
        return .success(found)
    }

    private func knows(_ package: InstalledPackage) -> Bool {
        packages.contains(package) || leftOut.contains { $0.package == package }
    }

    /// A package of another source that needs this one and has code itself. Metapackages have no code, so nothing in
    /// them would stop working.
    private static func dependent(
        on package: InstalledPackage, _ installed: [InstalledPackage],
        _ hasCode: (InstalledPackage) throws(GateError) -> Bool
    ) throws(GateError) -> InstalledPackage? {
        for other in installed where other.source != package.source && other.needs(package) {
            if try hasCode(other) { return other }
        }
        return nil
    }
}
