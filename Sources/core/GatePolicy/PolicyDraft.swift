import GateModel

/// A policy while its files are being read: what they have said so far, and what is wrong with them.
///
/// Each section of the files has a source file of its own, `…Section.swift`. A setting may be given only once in all
/// files.
struct PolicyDraft {
    var configuration = Configuration.builtIn
    var roles = RolePolicy.builtIn
    var providers = ProviderSettings.none
    var browser: String?
    var problems = PolicyProblems()
    /// What the author should know, although it keeps nothing from being in force.
    var warnings = PolicyProblems()

    /// The texts of the file that is being read.
    var translations = PolicyTranslations()

    /// Where each setting, gated action and question was given first.
    private var places: [String: PolicyNode.Place] = [:]
    /// Settings that were given, but with a mistake. What depends on them can't be checked.
    var unread: Set<String> = []
    /// The places of quizzes. Whether there are questions for them is known only when all files have been read.
    var quizzes: [PolicyNode.Place] = []
    var holds: [(place: PolicyNode.Place, duration: Duration)] = []
    /// Whether every policy file could be read to its end, so that nothing in it was missed.
    var isAllYAML = true
    /// Whether every form could be read as far as its name.
    var areAllFormsNamed = true
    /// The names of all entitlements, including those with a mistake.
    var namedEntitlements: Set<String> = []
    var usesOfEntitlements: [(name: String, place: PolicyNode.Place)] = []

    /// The names of all forms, including those with a mistake.
    var namedForms: Set<String> = []
    var usesOfForms: [(name: String, place: PolicyNode.Place)] = []

    /// Whether one of the files could define entitlements.
    let hasPolicy: Bool
    /// Whether all forms of the device are among the files, so that a form that is not among them does not exist.
    let hasForms: Bool
    let rootFiles: RootFiles

    init(hasPolicy: Bool, hasForms: Bool, rootFiles: RootFiles) {
        self.hasPolicy = hasPolicy
        self.hasForms = hasForms
        self.rootFiles = rootFiles
    }

    static let keys = [
        "mode", "lockout", "roles", "sign-in", "entitlements", "paywall", "gated-actions", "browser", "questions",
    ]

    /// Settings that only a device's own files may have. Users differ between devices, and the household's key must not
    /// let anybody become an administrator, or have a program run.
    static let keysOfDevicesAlone = ["roles", "browser"]

    /// - Parameter isHouseholds: whether the file came from the household, not from this device.
    mutating func read(_ root: PolicyNode, isHouseholds: Bool = false) {
        let whose = isHouseholds ? "each device's own " : ""
        var elsewhere = Dictionary(
            uniqueKeysWithValues: Self.providerKeys.map { ($0, whose + PolicySource.providersName) })
        for key in Self.keysOfHouseholdsAlone { elsewhere[key] = whose + PolicySource.householdName }
        if isHouseholds { for key in Self.keysOfDevicesAlone { elsewhere[key] = whose + "policy.yaml" } }
        let keys = Self.keys.filter { !isHouseholds || !Self.keysOfDevicesAlone.contains($0) }
        elsewhere["resourceType"] = "questionnaires.d"
        for key in Self.releaseNotesKeys { elsewhere[key] = "a file of release-notes.d" }
        guard let fields = PolicyFields(root, of: "a policy", keys: keys, elsewhere: elsewhere, &problems) else {
            return
        }
        if let mode = fields.section("mode") { readMode(mode) }
        if let lockout = fields.section("lockout") { readLockout(lockout) }
        if !isHouseholds, let roles = fields.section("roles") { readRoles(roles) }
        if let signIn = fields.section("sign-in") { readSignIn(signIn) }
        if let entitlements = fields.section("entitlements") { readEntitlements(entitlements) }
        if let paywall = fields.section("paywall") { readPaywall(paywall) }
        if let gatedActions = fields.section("gated-actions") { readGatedActions(gatedActions) }
        if !isHouseholds, let browser = fields.value("browser"), isFirst("browser", at: browser.place) {
            readBrowser(browser)
        }
        if let questions = fields.section("questions") { readQuestions(questions) }
    }

    /// Returns whether nothing gave this setting before. If something did, reports a problem.
    ///
    /// - Parameter name: the setting's name for people, if that differs from `setting`, which has to be unique.
    mutating func isFirst(_ setting: String, called name: String? = nil, at place: PolicyNode.Place) -> Bool {
        guard let first = places[setting] else {
            places[setting] = place
            return true
        }
        problems.add(
            "'\((name ?? setting).shortened)' is there already: \(first.file):\(first.line). Keep one of them.",
            kind: .duplicate, at: place)
        return false
    }

    func place(of setting: String) -> PolicyNode.Place? { places[setting] }

    /// Checks what is known only when all files have been read.
    ///
    /// - Parameter isWhole: whether everything could be read.
    mutating func finish(isWhole: Bool) {
        if configuration.lease > configuration.maximumLease,
            unread.isDisjoint(with: ["mode.lease", "mode.maximum-lease"]),
            let place = places["mode.lease"] ?? places["mode.maximum-lease"]
        {
            problems.add(
                "'lease' (\(configuration.lease.shortText)) is longer than 'maximum-lease' "
                    + "(\(configuration.maximumLease.shortText)). Change one of them.", kind: .businessRule, at: place)
        }
        if configuration.lockout.maximum < configuration.lockout.duration,
            unread.isDisjoint(with: ["lockout.for", "lockout.max"]),
            let place = places["lockout.max"] ?? places["lockout.for"]
        {
            problems.add(
                "The longest lock, 'max' (\(configuration.lockout.maximum.shortText)), is shorter than the first, 'for' "
                    + "(\(configuration.lockout.duration.shortText)). Change one of them.", kind: .businessRule,
                at: place)
        }
        for hold in holds where hold.duration >= configuration.answerTime && !unread.contains("mode.answer-time") {
            problems.add(
                "A hold of \(hold.duration.shortText) does not fit into the \(configuration.answerTime.shortText) there are to "
                    + "answer. Hold for less, or set 'answer-time' in 'mode'.", kind: .businessRule, at: hold.place)
        }
        checkSessions()
        checkNamesOfEntitlements(isWhole: isWhole)
        checkNamesOfForms()
        if let quiz = quizzes.first, configuration.questions.isEmpty, isWhole {
            problems.add(
                "A quiz needs questions, and there are none. Put a question bank into questions.d, or ask something else.",
                kind: .required, at: quiz)
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
