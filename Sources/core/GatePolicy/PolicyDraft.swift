import GateModel

/// A policy while its files are read: what each has said so far, and what is wrong.
///
/// Each section of the files is read in a file of its own, `…Section.swift`. Each setting is said once, in one of the files.
struct PolicyDraft {
    var configuration = Configuration.builtIn
    var roles = RolePolicy.builtIn
    var providers = ProviderSettings.none
    var browser: String?
    var problems = PolicyProblems()
    /// Findings that are no problem, and to be known all the same.
    var warnings = PolicyProblems()

    /// The texts of the file that is being read.
    var translations = PolicyTranslations()

    /// Where each setting, gated action and question was first said.
    private var places: [String: PolicyNode.Place] = [:]
    /// Settings that are there, but are not what they should be. What depends on them can't be judged.
    var unread: Set<String> = []
    /// The quizzes, which can be judged when all files are read.
    var quizzes: [PolicyNode.Place] = []
    var holds: [(place: PolicyNode.Place, duration: Duration)] = []
    /// Whether all policies could be read up to their ends, so that nothing of them was missed.
    var isAllYAML = true
    /// Whether all forms could be, as far as their names.
    var areAllFormsNamed = true
    /// Every entitlement that is there, also one that has a mistake.
    var namedEntitlements: Set<String> = []
    var usesOfEntitlements: [(name: String, place: PolicyNode.Place)] = []

    /// Every form that is there, also one that has a mistake.
    var namedForms: Set<String> = []
    var usesOfForms: [(name: String, place: PolicyNode.Place)] = []

    /// Whether there is a file that could name entitlements.
    let hasPolicy: Bool
    /// Whether all forms that there are were read, so that what asks for another one is wrong.
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

    /// The settings that each device has for itself: users differ between devices, and the household's key is no way to become one who
    /// may do everything, or to have a program run.
    static let keysOfDevicesAlone = ["roles", "browser"]

    /// - Parameter isHouseholds: it came from the household and not from this device.
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

    /// Whether nothing before has said it. Otherwise it is reported.
    ///
    /// - Parameter name: what people call it, where that is not enough to tell it from everything else.
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

    /// Checks what only shows when everything is read.
    ///
    /// - Parameter isWhole: whether there is nothing that could not be read.
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
                "Nobody can hold for \(hold.duration.shortText) in the \(configuration.answerTime.shortText) there are to "
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
                "'browser' is a program: a path that begins with /, or a name without any.", kind: .value,
                at: node.place)
            return
        }
        browser = program
    }
}
