import GateModel
import GateTexts
import Glibc

extension AppDevice {
    /// The summary in the record of an app; `nil` if there is none.
    func summary(_ name: String) -> AppSummary? { text(record(name, .app)).flatMap { AppSummary(text: $0) } }

    /// Whether files of the app are held.
    func isGuarded(_ name: String) -> Bool { look(record(name, .start)) != nil }

    var recordedApps: [String] {
        names(in: Self.recordFolder).filter { AppName.isName($0) && look(record($0, .app)) != nil }
    }
}

/// An app of the device, for `gatectl apps list`.
struct ListedApp {
    var name: String
    /// The gated action that guards it, or would.
    var action: String
    var title: LocalizedText
    var icon: String
    var packages: [String]
    /// Whether the last run held all its files that can be held.
    var isGuarded: Bool
    /// What its gated action requires; `nil` if the policy does not name the action.
    var rule: GateRule?
    /// How well it is held, or would be if it were guarded.
    var hold: AppHold
    var problem: AppProblem?

    /// For people, in columns.
    func columns(visible: @escaping (String) -> String) -> [String] {
        let before =
            rule.map { GateWords.requirement($0, visible: visible) }
            ?? (isGuarded ? localized("guarded, and no longer in the policy") : localized("not guarded"))
        // The JSON does not report this as a problem, because gate-settings reads it while the device is still applying
        // a change.
        let problem = problem ?? (rule != nil && !isGuarded ? AppProblem(.open) : nil)
        let why = problem.map { [$0.sentence(name)] } ?? hold.reasons.map { $0.sentence }
        return [name, visible(title.ofPerson), before, hold.sentence, visible(ListText.sentences(why))]
    }

    var json: String {
        func text(_ value: String) -> String? { value.isEmpty ? nil : JSONString.quoted(value) }
        func list(_ values: [String]) -> String { JSONText.list(values.map(JSONString.quoted)) }
        return JSONText.object([
            ("name", JSONString.quoted(name)), ("action", JSONString.quoted(action)),
            ("title", JSONString.quoted(title.ofPerson)), ("icon", text(icon)), ("packages", list(packages)),
            ("guarded", "\(isGuarded)"), ("isListed", "\(rule != nil)"),
            ("requires", (rule?.requirement?.notation ?? rule?.gatedAction.requirement).flatMap(text)),
            ("holds", JSONString.quoted(hold.strength.rawValue)),
            ("reasons", list(hold.reasons.map(\.sentence))), ("problem", problem.flatMap { text($0.sentence(name)) }),
        ])
    }
}

/// Combines the menu, the policy and the records into a list of apps.
struct AppListing {
    let device: AppDevice
    let search: AppSearch
    /// The requirement of each gated action `app.NAME` in the policy, by NAME.
    let rules: [String: GateRule]
    /// For each further menu entry of a guarded app's packages: the name of that app, which starts it.
    private let guardians: [String: String]

    init(_ device: AppDevice, rules: [String: GateRule]) throws(GateError) {
        self.device = device
        self.rules = rules
        search = try AppSearch(device)
        guardians = device.recordedApps.filter(device.isGuarded).reduce(into: [:]) { guardians, name in
            for entry in device.summary(name)?.entries ?? [] { guardians[entry] = name }
        }
    }

    /// All apps that the menu shows, that are guarded, or that the policy names, by name.
    func all() throws(GateError) -> [ListedApp] {
        let desktops = (getenv("XDG_CURRENT_DESKTOP").map { String(cString: $0) } ?? "").parts(between: ":")
            .filter { !$0.isEmpty }
        let isThere = { (entry: MenuEntry) in
            entry.isShown(on: desktops) && (entry.tryExec.map { device.program($0) != nil } ?? true)
        }
        let packaged = search.entries.filter(isThere)
        try search.learnPrograms(of: packaged)
        let others = ([AppDevice.ourMenuFolder] + AppDevice.sandboxFolders.values).flatMap {
            AppSearch.entries(in: $0, device).filter { isThere($0) && $0.gateApp == nil }
        }
        let names = Set((packaged + others).compactMap(\.name)).union(device.recordedApps).union(rules.keys)
        var apps: [ListedApp] = []
        for name in names.sorted() { apps.append(try app(name, others)) }
        return apps
    }

    func app(_ name: String, _ others: [MenuEntry] = []) throws(GateError) -> ListedApp {
        let entry = (search.entries + others).first { $0.name == name }
        let guardian = device.isGuarded(name) ? name : guardians[name]
        if let guardian, let summary = device.summary(guardian) {
            return ListedApp(
                name: name, action: AppName.actionPrefix + guardian,
                title: entry?.title ?? LocalizedText(summary.title), icon: entry?.icon ?? summary.icon,
                packages: summary.packages, isGuarded: summary.isWhole, rule: rules[guardian], hold: summary.hold,
                problem: summary.problems.first)
        }
        var listed = ListedApp(
            name: name, action: AppName.actionPrefix + name, title: entry?.title ?? LocalizedText(name),
            icon: entry?.icon ?? "", packages: [], isGuarded: false, rule: rules[name],
            hold: AppHold(strength: .nothing))
        switch try search.find(name, isGuarded: false) {
        case .success(let app):
            (listed.packages, listed.hold) = (app.packages.packages.map { $0.name }.sorted(), app.hold)
            (listed.title, listed.icon) = (app.title, app.icon)
            listed.problem = device.summary(name)?.problems.first
        case .failure(let problem): listed.problem = problem
        }
        return listed
    }
}
