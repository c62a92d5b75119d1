import Foundation
import Testing

/// The public declarations of the libraries that apps link, and that each is explained.
@Suite("The public libraries")
struct PublicLibraryTests {
    private static let targets: Set<String> = ["GateModel", "GateClient", "GateClientRaw", "GateClientTesting"]

    /// Members that have the documentation of the protocol that requires them.
    private static let inherited = [
        "static func ==(", "static func == (", "static func < (", "static func <(", "func hash(into",
        "var description: String {",
        "var customMirror: Mirror", "let rawValue", "init(rawValue", "init(stringLiteral",
        "static var answerTypeName: String {",
        "func formValue(for item: QuestionnaireItem)", "init?(formValue: FormValue)",
    ]

    /// A docstring of an initializer that only takes its type's fields would repeat theirs, so a reader decides.
    @Test("every public declaration of the libraries has a docstring, initializers excepted")
    func documented() throws {
        var count = 0
        for file in try RepositoryFiles.swift(in: "Sources") where Self.targets.contains(file.target) {
            for (number, declaration) in Self.publicDeclarations(of: file) {
                count += 1
                guard !Self.inherited.contains(where: { declaration.hasPrefix("public \($0)") }),
                    !declaration.hasPrefix("public init(")
                else { continue }
                #expect(
                    Self.hasDocumentation(above: number, in: file),
                    "\(file.path):\(number): \(declaration) says nothing of itself")
            }
        }
        #expect(count > 1000)
    }

    @Test("docs/apps.md lists every call by subject, with the labels of its parameters")
    func listedCalls() throws {
        let page = try #require(try RepositoryFiles.pages().first { $0.path == "docs/apps.md" })
        let rows = page.lines.compactMap { $0.wholeMatch(of: /\| `(?:gate\.\w+|OpenPresentation)` \| (.*) \|/)?.1 }
        let listed = Set(rows.flatMap { $0.matches(of: /`(\w+\([\w:]*\))`/).map { String($0.1) } })
        var declared: Set<String> = []
        let folders = ["Calls/", "Presenting/OpenPresentation", "Presenting/ClosingByState"].map { "/GateClient/\($0)" }
        for file in try RepositoryFiles.swift(in: "Sources") where folders.contains(where: file.path.contains) {
            let declaration = /public func (\w+)(?:<[^>]*>)?\(([^{]*?)\)\s+(?:async|->)/
            for call in file.lines.joined(separator: "\n").matches(of: declaration) {
                // Every sequence has this one.
                guard call.1 != "makeAsyncIterator" else { continue }
                let labels = ",\(call.2)".matches(of: /,\s*(\w+)[^,:]*:/).map { "\($0.1):" }
                declared.insert("\(call.1)(\(labels.joined()))")
            }
        }
        #expect(declared.count > 60)
        #expect(declared.subtracting(listed).isEmpty, "not listed: \(declared.subtracting(listed).sorted())")
        #expect(listed.subtracting(declared).isEmpty, "no such call: \(listed.subtracting(declared).sorted())")
    }

    @Test("docs/apps.md names the versions that Package.swift asks for")
    func versionsOfPackages() throws {
        let page = try #require(try RepositoryFiles.pages().first { $0.path == "docs/apps.md" }).lines.joined(
            separator: " ")
        let package = try String(
            contentsOf: RepositoryFiles.root.appendingPathComponent("Package.swift"), encoding: .utf8)
        let tools = try #require(package.firstMatch(of: /swift-tools-version: ([\d.]+)/)?.1)
        #expect(page.contains("`swift-tools-version` \(tools),"))
        for name in ["swift-nio", "swift-log"] {
            let declared = try Regex("/\(name)\", from: \"([0-9.]+)\"", as: (Substring, Substring).self)
            let version = try #require(package.firstMatch(of: declared)?.1)
            #expect(page.contains("\(name) \(version)"), "\(name) is \(version)")
        }
    }

    /// Enums that apps switch over without a `default`, so that they can get no more cases.
    private static let closedEnums = ["Mode", "Code: Int32", "GateRelease", "BegunRequest"]

    @Test("public enums are open to new cases, except for the few that are closed on purpose")
    func nonexhaustive() throws {
        let declaration = try Regex("^ *public (indirect )?enum ")
        for file in try RepositoryFiles.swift(in: "Sources") where Self.targets.contains(file.target) {
            for (index, line) in file.lines.enumerated() where line.contains(declaration) {
                let isOpen = index > 0 && file.lines[index - 1].hasSuffix("@nonexhaustive")
                let isClosed = Self.closedEnums.contains { line.contains("enum \($0)") }
                #expect(isOpen != isClosed, "\(file.path):\(index + 1)")
            }
        }
    }

    @Test("importing GateClient brings neither the wire nor NIO along")
    func nothingOfTheWire() throws {
        let exported = try Regex("^(@_exported )?public import ").wordBoundaryKind(.simple)
        for file in try RepositoryFiles.swift(in: "Sources") {
            switch file.target {
            case "GateClient":
                for line in file.lines where line.contains(exported) {
                    #expect(line.hasSuffix(" import GateModel"), "\(file.path): \(line)")
                }
            case "GateProtocol":
                #expect(Self.publicDeclarations(of: file).isEmpty, "\(file.path) has something public")
            default: break
            }
        }
    }

    /// Everything that an app finds in its namespace. Another name is a promise for good: add it here once it is
    /// decided.
    private static let types: [String: String] = [
        "GateModel": """
        AgeApp AgeChoice AgeRange AgeSettings AgeState
        AppVersion ArithmeticProblem AttachmentDigest AuditBatch AuditEntry AuthorizationNeed AuthorizationOutlook
        Ask AskAnswer AskChoice
        AuthorizationRequest BackupSummary BirthdateCalendar BootTime Broker Challenge ChallengeAnswer
        ChallengeForAge ChangedGate ChangedTimeRule
        CivilDate Claim ClaimProvider ClaimSummary CommandAnswers DaemonStatistics DaemonVersion DeviceAnswer
        DeviceReport DeviceStatus EffectivePolicy Entitlement EntitlementsState ErrorIssue FormAttachment FormChange
        FormCoding FormDate FormDateTime FormDecimal FormDescription FormHolder FormInvitation FormIssue FormPath
        FormQuantity FormReference FormSummary FormTime FormValue GatePerson GateError GateRelease GateRule GateSecret
        GateStrength
        GatedActionSummary Grant GrantRequester GuardianName GuardianOrder HouseholdDevice HouseholdDevices
        HouseholdID HouseholdMember HouseholdRequest KeptGrantSummary LocalizedText Lockout LockoutSummary Mode
        ModeOverride ModeState Offer PartSummary Paywall PaywallOutcome PaywallRequest PendingSuggestion PolicyLayer
        PolicyOrigin PolicySettingOrigin PolicySummary
        Presentation PresentationContext PresentationElsewhere PresentationInput PresentationSummary
        PresenterAbilities ProviderHTTPHeader ProviderHealth ProviderReport Questionnaire QuestionnaireAnswerOption
        QuestionnaireEnableCondition QuestionnaireInvariant QuestionnaireItem QuestionnaireItemConstraints
        QuestionnaireItemExpressions QuestionnaireResponse QuestionnaireResponseAnswer QuestionnaireResponseItem
        QuestionnaireSummary QuestionnaireVariable QuizText ReleaseNotesSummary ReportedOffers RequestAnswer
        ResponseSummary Revision RoleHolders ScheduleState SecretKind ShapesProblem SignInState StateUpdate StatisticsCount
        StatisticsHistogram Subject SwipeGesture TimeLeft TimeRule UsedElsewhere UsedTime WallTime WatchTopic WhatsNew WhatsNewNotice WhatsNewOutcome
        """,
        "GateClient": """
        AgeChange AnsweredAsk AuditSequence BegunRequest ClaimChange ClearedLockouts DiscardedForm FormAnswer FormSession
        FormUpdateSequence FormVerdict GateClient GateClientOptions KeptPart KeptResponse OpenPresentation PartChange PersonChange PingReply
        PresentationAnswer PresentationCompletion PresentationHandler PresenterEvent PresenterSequence
        ProviderSubmission ResponseChange RestoredBackup RevokedGrants SecretChange SecretsState SeenReleaseNotes SentCommand
        SignInForm StatusPage StoreRecovery UnseenReleaseNotes UpdateSequence UseSequence WatchEvent WatchSequence
        WithdrawnAsk WithdrawnPresentation WrittenBackup
        """,
        "GateClientRaw": """
        RawCalls RawMessageSequence
        """,
        "GateClientTesting": """
        TestingDevice TestingPerson
        """,
    ]

    @Test("the libraries have exactly the public types listed here")
    func listed() throws {
        let declaration = try Regex<(Substring, Substring)>(
            "^public (?:final |indirect )*(?:struct|enum|class|actor|protocol|typealias) ([A-Za-z]+)")
        for (target, list) in Self.types {
            let names = try RepositoryFiles.swift(in: "Sources").filter { $0.target == target }
                .flatMap(\.lines).compactMap { try declaration.firstMatch(in: $0).map { String($0.output.1) } }
            #expect(names.sorted() == list.split(whereSeparator: \.isWhitespace).map(String.init).sorted(), "\(target)")
        }
    }

    /// Results that are not Gate's types: bytes are what they are, and what is premium is asked as the source of it has it.
    private static let foreignResults = ["download": "[UInt8]", "isSubscriptionActive": "Bool"]

    @Test("a public call returns one of Gate's own types or nothing, so that a later version can add to it")
    func results() throws {
        let declaration = try Regex(
            "public (?:final )?(?:struct|class|enum|actor) (\\w+)", as: (Substring, Substring).self)
        let own = Set(
            try RepositoryFiles.swift(in: "Sources").filter { Self.targets.contains($0.target) }.flatMap(\.lines)
                .compactMap { try declaration.firstMatch(in: $0).map { String($0.1) } })
        let call = try Regex(
            "func (\\w+).* async throws(?:\\(GateError\\))?(?: -> (\\S+))? *(?:where .*)?$",
            as: (Substring, Substring, Substring?).self)
        var count = 0
        for file in try RepositoryFiles.swift(in: "Sources") where file.target == "GateClient" {
            for (number, declaration) in Self.publicDeclarations(of: file) where declaration.contains("func ") {
                // The declaration goes on to the brace that opens its body, at the end of its line or with the body
                // behind it.
                let text = file.lines[(number - 1)...].prefix(12).joined(separator: "\n")
                let body = try #require(text.firstRange(of: #/ \{(\n| .*\}(\n|$))/#), "\(file.path):\(number)")
                let whole = text[..<body.lowerBound].replacing("\n", with: " ")
                guard whole.contains(" async throws") else { continue }
                count += 1
                let (_, name, result) = try #require(
                    try call.firstMatch(in: whole)?.output, "\(file.path):\(number): \(whole)")
                guard let result, result != "R" else { continue }
                let words = result.split { !$0.isLetter && !$0.isNumber }.map(String.init)
                #expect(
                    words.allSatisfy(own.contains) || Self.foreignResults[String(name)] == String(result),
                    "\(file.path):\(number): \(result)")
            }
        }
        #expect(count > 60)
    }

    @Test("a case of a public enum has at most one value, except for two questions")
    func cases() throws {
        let several = try Regex("^case [a-zA-Z]+\\(.*,")
        for file in try RepositoryFiles.swift(in: "Sources") where Self.targets.contains(file.target) {
            for (number, declaration) in Self.publicDeclarations(of: file) where declaration.contains(several) {
                #expect(
                    ["case arithmeticChoice(", "case shapes("].contains { declaration.hasPrefix($0) },
                    "\(file.path):\(number): \(declaration)")
            }
        }
    }

    @Test("Gate extends types of others only where answers to forms need it")
    func foreignTypes() throws {
        let sources = try RepositoryFiles.swift(in: "Sources")
        let declaration = try Regex("(?:struct|class|enum|actor|protocol) (\\w+)", as: (Substring, Substring).self)
        let own = Set(
            try sources.flatMap(\.lines).compactMap { try declaration.firstMatch(in: $0).map { String($0.1) } })
        for file in sources where Self.targets.contains(file.target) {
            var isForeign = false
            for (index, line) in file.lines.enumerated() {
                if line.hasPrefix("extension ") || line.hasPrefix("public extension ") {
                    let type = line.replacing("public ", with: "").dropFirst("extension ".count)
                    isForeign = !own.contains(String(type.prefix { $0.isLetter || $0.isNumber }))
                    isForeign = isForeign && !line.contains(": FormAnswer ")
                    #expect(!isForeign || !line.hasPrefix("public "), "\(file.path):\(index + 1)")
                }
                if line == "}" { isForeign = false }
                #expect(!isForeign || !line.hasPrefix("    public "), "\(file.path):\(index + 1)")
            }
        }
    }

    /// With the numbers of their lines; the cases of public enums too.
    static func publicDeclarations(of file: RepositoryFile) -> [(number: Int, text: String)] {
        /// The indentation of the public enum that a line is in; `nil`: it is in none.
        var enumIndentation: Int?
        return file.lines.enumerated().compactMap { index, line in
            let text = String(line.drop { $0 == " " })
            let indentation = line.count - text.count
            if indentation == enumIndentation, text == "}" { enumIndentation = nil }
            let isCase = text.hasPrefix("case ") && indentation == enumIndentation.map { $0 + 4 }
            let isPublic = text.hasPrefix("public ") && !text.hasPrefix("public import ")
            if text.hasPrefix("public enum ") || text.hasPrefix("public indirect enum ") {
                enumIndentation = indentation
            }
            return isCase || isPublic ? (index + 1, text) : nil
        }
    }

    private static func hasDocumentation(above number: Int, in file: RepositoryFile) -> Bool {
        let above = file.lines[..<(number - 1)].last { line in
            let text = line.drop { $0 == " " }
            return !text.hasPrefix("@") && !text.hasPrefix("// swift-format")
        }
        return above?.hasDocumentation ?? false
    }
}

extension String {
    fileprivate var hasDocumentation: Bool { drop { $0 == " " }.hasPrefix("///") }
}
