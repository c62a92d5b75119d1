import GateModel

/// A policy while its files are being read: what they have said so far, and what is wrong with them.
///
/// Each section of the files has a source file of its own, `…Section.swift`. The layers are read from the one that
/// counts most to the one that counts least, so a setting that is there already is not read again. Within a layer, a
/// setting may be given only once.
struct PolicyDraft {
    var configuration = Configuration.builtIn
    var roles = RolePolicy.builtIn
    var providers = ProviderSettings.none
    var browser: String?
    var problems = PolicyProblems()
    /// Warnings for the author. They don't keep the policy from being in force.
    var warnings = PolicyProblems()

    var translations = PolicyTranslations()

    /// The layer that is being read.
    var layer = PolicyLayer.device
    /// Where each setting, gated action and question was given, once for each layer; the first place counts.
    private var places: [String: [Given]] = [:]
    /// The gated actions that each file names, including those that an earlier layer overrides.
    private(set) var namedActions: [String: Set<String>] = [:]
    /// The files of which a part could not be read, so that they may name more gated actions.
    private(set) var filesThatMayNameMore: Set<String> = []
    let broken: [BrokenPolicyFile]
    /// Settings that were given, but with a mistake. What depends on them can't be checked.
    var unread: Set<String> = []
    /// The places of quizzes. Whether there are questions for them is known only when all files have been read.
    var quizzes: [(place: PolicyNode.Place, layer: PolicyLayer)] = []
    var holds: [(place: PolicyNode.Place, layer: PolicyLayer, duration: Duration)] = []
    /// Where the gated action, or the `mode`, that is being read says `may-wait`.
    var waits: [PolicyNode.Place] = []
    /// Whether every policy file could be read to its end, so that nothing in it was missed.
    var isAllYAML = true
    /// Whether every form could be read as far as its name.
    var areAllFormsNamed = true
    /// The names of all entitlements, including those with a mistake.
    var namedEntitlements: Set<String> = []
    var usesOfEntitlements: [NameUse] = []

    /// The names of all forms, including those with a mistake.
    var namedForms: Set<String> = []
    var usesOfForms: [NameUse] = []

    var schedules: [String: Schedule] = [:]
    /// The names of all schedules, including those with a mistake.
    var namedSchedules: Set<String> = []
    var usesOfSchedules: [NameUse] = []

    var allowances: [String: Allowance] = [:]
    /// The names of all allowances, including those with a mistake.
    var namedAllowances: Set<String> = []
    var usesOfAllowances: [NameUse] = []

    /// Whether one of the files could define entitlements, schedules and allowances.
    let hasPolicy: Bool
    /// Whether all forms of the device are among the files, so that a form that is not among them does not exist.
    let hasForms: Bool
    let rootFiles: RootFiles

    private struct Given {
        let layer: PolicyLayer
        let place: PolicyNode.Place
    }

    init(hasPolicy: Bool, hasForms: Bool, rootFiles: RootFiles, broken: [BrokenPolicyFile] = []) {
        self.hasPolicy = hasPolicy
        self.hasForms = hasForms
        self.rootFiles = rootFiles
        self.broken = broken
    }

    static let keys = [
        "mode", "lockout", "roles", "sign-in", "entitlements", "paywall", "schedules", "allowances",
        "gated-actions", "browser", "questions",
    ]

    /// Settings that only a device's own files may have. Users differ between devices, and the household's key must not
    /// let anybody become an administrator, or have a program run.
    static let keysOfDevicesAlone = ["roles", "browser"]

    mutating func read(_ root: PolicyNode, isHouseholds: Bool = false) {
        let whose = isHouseholds ? "each device's own " : ""
        var elsewhere = Dictionary(
            uniqueKeysWithValues: Self.providerKeys.map { ($0, whose + PolicySource.providersName) })
        for key in Self.keysOfHouseholdsAlone { elsewhere[key] = whose + PolicySource.householdName }
        if isHouseholds { for key in Self.keysOfDevicesAlone { elsewhere[key] = whose + "policy.yaml" } }
        let keys = Self.keys.filter { !isHouseholds || !Self.keysOfDevicesAlone.contains($0) }
        elsewhere["resourceType"] = "questionnaires.d"
        for key in Self.releaseNotesKeys { elsewhere[key] = "a file of release-notes.d" }
        let problemCount = problems.found.count
        let fields = PolicyFields(root, of: "a policy", keys: keys, elsewhere: elsewhere, &problems)
        // A key with a typing error may have been meant to be 'gated-actions'.
        if problems.found.count > problemCount { mayNameMore(root.place.file) }
        guard let fields else { return }
        if let mode = fields.section("mode") { readMode(mode) }
        if let lockout = fields.section("lockout") { readLockout(lockout) }
        if !isHouseholds, let roles = fields.section("roles") { readRoles(roles) }
        if let signIn = fields.section("sign-in") { readSignIn(signIn) }
        if let entitlements = fields.section("entitlements") { readEntitlements(entitlements) }
        if let paywall = fields.section("paywall") { readPaywall(paywall) }
        if let schedules = fields.section("schedules") { readSchedules(schedules) }
        if let allowances = fields.section("allowances") { readAllowances(allowances) }
        if let gatedActions = fields.section("gated-actions") { readGatedActions(gatedActions) }
        if !isHouseholds, let browser = fields.value("browser"), isFirst("browser", at: browser.place) {
            readBrowser(browser)
        }
        if let questions = fields.section("questions") { readQuestions(questions) }
    }

    // MARK: - Layers

    /// Returns whether this is the setting that counts: nothing gave it before. If the same layer did, reports a
    /// problem. `name` is the setting's name for people, if that differs from `setting`, which has to be unique.
    mutating func isFirst(_ setting: String, called name: String? = nil, at place: PolicyNode.Place) -> Bool {
        if let first = placeInLayer(of: setting) {
            problems.add(
                "'\((name ?? setting).shortened)' is there already: \(first.file):\(first.line). Keep one of them.",
                kind: .duplicate, at: place)
            return false
        }
        places[setting, default: []].append(Given(layer: layer, place: place))
        return places[setting]?.count == 1
    }

    func placeInLayer(of setting: String) -> PolicyNode.Place? {
        places[setting]?.last { $0.layer == layer }?.place
    }

    /// Whether a layer that counts more has given this setting, so that it is not read here.
    func isOverruled(_ setting: String) -> Bool { places[setting]?.contains { $0.layer != layer } ?? false }

    /// The place to blame if these settings do not fit together: the one in the layer that counts least. So a shipped
    /// file never makes the device's own files wrong.
    func placeToBlame(_ settings: String...) -> PolicyNode.Place? {
        settings.compactMap { places[$0]?.first }.min { $0.layer.rank < $1.layer.rank }?.place
    }

    /// Whether nothing but a choice gives this setting.
    func isOnlyChosen(_ setting: String) -> Bool { places[setting]?.allSatisfy { $0.layer == .choices } ?? false }

    /// The place of the setting if its layer counts less than `layer`; otherwise `place`.
    private func placeToBlame(
        _ setting: String, orIn layer: PolicyLayer, at place: PolicyNode.Place
    ) -> PolicyNode.Place {
        guard let given = places[setting]?.first, given.layer.rank < layer.rank else { return place }
        return given.place
    }

    mutating func names(_ gatedAction: String, in file: String) {
        if gatedAction.isDottedName { namedActions[file, default: []].insert(gatedAction) }
    }

    mutating func mayNameMore(_ file: String) { filesThatMayNameMore.insert(file) }

    /// Whether a broken file of this layer or of a later one names the gated action, which therefore is denied.
    func isDenied(_ gatedAction: String) -> Bool {
        broken.contains { $0.layer.rank >= layer.rank && $0.gatedActions.contains(gatedAction) }
    }

    /// Where each setting that counts was given.
    var origins: [String: PolicyOrigin] {
        places.compactMapValues { given in
            given.first.map { given in
                let hasLine = given.layer != .choices
                return PolicyOrigin(
                    layer: given.layer, file: given.place.file, line: hasLine ? given.place.line : nil)
            }
        }
    }

    // MARK: - All files together

    /// Checks what is known only when all files have been read. `isWhole`: whether everything could be read.
    mutating func finish(isWhole: Bool) {
        if configuration.lease > configuration.maximumLease,
            unread.isDisjoint(with: ["mode.lease", "mode.maximum-lease"]),
            let place = placeToBlame("mode.lease", "mode.maximum-lease")
        {
            problems.add(
                "'lease' (\(configuration.lease.shortText)) is longer than 'maximum-lease' "
                    + "(\(configuration.maximumLease.shortText)). Change one of them.", kind: .businessRule, at: place)
        }
        if configuration.lockout.maximum < configuration.lockout.duration,
            unread.isDisjoint(with: ["lockout.for", "lockout.max"]),
            let place = placeToBlame("lockout.max", "lockout.for")
        {
            problems.add(
                "The longest lock, 'max' (\(configuration.lockout.maximum.shortText)), is shorter than the first, 'for' "
                    + "(\(configuration.lockout.duration.shortText)). Change one of them.", kind: .businessRule,
                at: place)
        }
        for hold in holds where hold.duration >= configuration.answerTime && !unread.contains("mode.answer-time") {
            problems.add(
                "A hold of \(hold.duration.shortText) does not fit into the \(configuration.answerTime.shortText) there are to "
                    + "answer. Hold for less, or set 'answer-time' in 'mode'.", kind: .businessRule,
                at: placeToBlame("mode.answer-time", orIn: hold.layer, at: hold.place))
        }
        checkSessions()
        checkNamesOfEntitlements(isWhole: isWhole)
        checkNamesOfForms()
        resolveSchedules(isWhole: isWhole)
        resolveAllowances(isWhole: isWhole)
        // If a file was left out, it may have had the questions. Then a sum is asked in their place.
        if let quiz = quizzes.first(where: { broken.isEmpty || $0.layer.mayBeBroken }), configuration.questions.isEmpty,
            isWhole
        {
            problems.add(
                "A quiz needs questions, and there are none. Put a question bank into questions.d, or ask something else.",
                kind: .required, at: quiz.place)
        }
    }

    private mutating func readBrowser(_ node: PolicyNode) {
        guard let program = node.line(of: "browser", atMost: PolicyLimits.pathLength, &problems) else { return }
        guard program.hasPrefix("/") || !program.contains("/"), !program.hasPrefix("-") else {
            problems.add(
                "'browser' is a program: a path that begins with /, or a name without a /.", kind: .value,
                at: node.place)
            return
        }
        browser = program
    }
}
