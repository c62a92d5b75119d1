import Testing

/// The libraries that apps link: what they offer, and that each of it is explained.
@Suite("The public libraries")
struct PublicLibraryTests {
    private static let targets: Set<String> = ["GateModel", "GateClient", "GateClientRaw", "GateClientTesting"]

    /// These have the documentation of the protocol that asks for them.
    private static let inherited = [
        "static func ==(", "static func == (", "static func < (", "static func <(", "func hash(into",
        "var description: String {",
        "var customMirror: Mirror", "let rawValue", "init(rawValue", "init(stringLiteral",
        "static var answerTypeName: String {",
        "func formValue(for item: QuestionnaireItem)", "init?(formValue: FormValue)",
    ]

    @Test("every public declaration of the libraries has a docstring")
    func documented() throws {
        var count = 0
        for file in try RepositoryFiles.swift(in: "Sources") where Self.targets.contains(file.target) {
            for (number, declaration) in Self.publicDeclarations(of: file) {
                count += 1
                guard !Self.inherited.contains(where: { declaration.hasPrefix("public \($0)") }) else { continue }
                #expect(
                    Self.hasDocumentation(above: number, in: file),
                    "\(file.path):\(number): \(declaration) says nothing of itself")
            }
        }
        #expect(count > 1000)
    }

    /// Whatever an app switches over without a `default` can get no more cases.
    private static let closedEnums = ["Mode", "Code: Int32", "GateRelease", "BegunRequest"]

    @Test("a public enum may get more cases, without an app having to be written anew, but for the few that are closed")
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

    @Test("an app that imports GateClient gets nothing of the wire, and nothing of NIO")
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

    /// Everything that an app finds in its namespace. A name more is a promise for good: write it here once it is decided.
    private static let types: [String: String] = [
        "GateModel": """
        AppVersion ArithmeticProblem AttachmentDigest AuditBatch AuditEntry AuthorizationNeed AuthorizationOutlook
        AuthorizationRequest BackupSummary BirthdateCalendar BootTime Challenge ChallengeAnswer ChallengeForAge
        CivilDate Claim ClaimProvider ClaimSummary DaemonStatistics DaemonVersion DeviceStatus EffectivePolicy
        Entitlement EntitlementsState ErrorIssue FormAttachment FormChange FormCoding FormDate FormDateTime
        FormDecimal FormDescription FormHolder FormInvitation FormIssue FormPath FormQuantity FormReference
        FormSummary FormTime FormValue GateAccount GateError GateRelease GateSecret GatedActionSummary Grant
        GrantRequester KeptGrantSummary Lockout LockoutSummary Mode ModeState Paywall PaywallOutcome PaywallRequest
        PolicySummary Presentation PresentationContext PresentationInput PresentationSummary PresenterAbilities
        ProviderHTTPHeader ProviderHealth ProviderReport Questionnaire QuestionnaireAnswerOption
        QuestionnaireEnableCondition QuestionnaireItem QuestionnaireItemConstraints QuestionnaireResponse
        QuestionnaireResponseAnswer QuestionnaireResponseItem QuestionnaireSummary QuizText ReleaseNotesSummary
        ResponseSummary Revision RoleHolders SecretKind ShapesProblem SignInState StateUpdate StatisticsCount
        StatisticsHistogram SwipeGesture WallTime WatchTopic WhatsNew WhatsNewNotice WhatsNewOutcome
        """,
        "GateClient": """
        AccountChange AuditSequence BegunRequest ClaimChange ClearedLockouts DiscardedForm FormAnswer FormSession
        FormUpdateSequence FormVerdict GateClient GateClientOptions KeptResponse OpenPresentation PingReply
        PresentationAnswer PresentationCompletion PresentationHandler PresenterEvent PresenterSequence
        ProviderSubmission ResponseChange RestoredBackup RevokedGrants SecretChange SecretsState SeenReleaseNotes
        SignInForm StatusPage StoreRecovery UnseenReleaseNotes UpdateSequence WatchEvent WatchSequence
        WithdrawnPresentation WrittenBackup
        """,
        "GateClientRaw": """
        RawCalls RawMessageSequence
        """,
        "GateClientTesting": """
        TestingDevice TestingPerson
        """,
    ]

    @Test("the libraries offer the types that are listed here, and no others: one more is a decision")
    func listed() throws {
        let declaration = try Regex<(Substring, Substring)>(
            "^public (?:final |indirect )*(?:struct|enum|class|actor|protocol|typealias) ([A-Za-z]+)")
        for (target, list) in Self.types {
            let names = try RepositoryFiles.swift(in: "Sources").filter { $0.target == target }
                .flatMap(\.lines).compactMap { try declaration.firstMatch(in: $0).map { String($0.output.1) } }
            #expect(names.sorted() == list.split(whereSeparator: \.isWhitespace).map(String.init).sorted(), "\(target)")
        }
    }

    @Test("a call returns a struct, so that a later version can add to it, and no tuple, text, number or bare revision")
    func results() throws {
        let bare = try Regex(
            "async throws(\\(GateError\\))? -> (\\(|(String|Int|UInt32|UInt64|Revision) )")
        var count = 0
        for file in try RepositoryFiles.swift(in: "Sources") where file.target == "GateClient" {
            for (number, declaration) in Self.publicDeclarations(of: file) where declaration.contains("func ") {
                let whole = file.lines[(number - 1)...].prefix(10).joined(separator: " ").prefix { $0 != "{" }
                guard whole.contains(" async throws") else { continue }
                count += 1
                #expect(!whole.contains(bare), "\(file.path):\(number): \(whole)")
            }
        }
        #expect(count > 60)
    }

    @Test("a case of a public enum has one value at most, so that a later version can add to it, but for two questions")
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

    /// Types that are not Gate's, and that the libraries extend.
    private static let foreign: Set<String> = ["Bool", "Duration", "Int", "String", "Unicode.Scalar"]

    @Test("importing Gate adds nothing to the types of the standard library but what answers to forms need")
    func foreignTypes() throws {
        for file in try RepositoryFiles.swift(in: "Sources") where Self.targets.contains(file.target) {
            var isForeign = false
            for (index, line) in file.lines.enumerated() {
                if line.hasPrefix("extension ") {
                    isForeign =
                        Self.foreign.contains { line.hasPrefix("extension \($0) ") }
                        || Self.foreign.contains {
                            line.hasPrefix("extension \($0):") && !line.contains(" FormAnswer ")
                        }
                }
                if line == "}" { isForeign = false }
                #expect(!isForeign || !line.hasPrefix("    public "), "\(file.path):\(index + 1)")
            }
        }
    }

    /// With the numbers of their lines; the cases of public enums too.
    private static func publicDeclarations(of file: RepositoryFile) -> [(number: Int, text: String)] {
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
