import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct PeopleVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: localized("List who is a grown-up and who is a child, and change the list."),
        discussion: localized(
            """
            For example: sudo gatectl people set mia --child --born 2015-03-02
            And: sudo gatectl people set thomas --grown-up
            """),
        subcommands: [PeopleListVerb.self, PeopleSetVerb.self, PeopleConfirmVerb.self, PeopleRemoveVerb.self],
        defaultSubcommand: PeopleListVerb.self, aliases: ["accounts"])
}

struct PeopleListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: localized("List the people (administrators and grown-ups; in parent mode anybody)."))

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let people = try await session.gate.people.listed()
        let today = CivilDate(WallTime.now())
        try await session.output.list(
            people, as: ListPeopleResponse.self,
            orNone: localized("Nobody is on the list. Put somebody there with `sudo gatectl people set NAME`.")
        ) { PersonText.columns($0, today: today) }
    }
}

struct PeopleSetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: localized("Add a person, or change one (administrators; grown-ups with the passcode)."),
        discussion: localized(
            """
            For example: sudo gatectl people set mia --child --born 2015-03-02
            And: sudo gatectl people set thomas --grown-up
            And: sudo gatectl people set kiosk --shared

            A new person gets the Unix user of the same name, if there is one. A child's age decides which questions \
            are asked in programs of that user. Grown-ups answer in programs of their own user. What you leave out \
            stays as it is, except that an unconfirmed person loses their password. A Unix user that several people \
            share is --shared: these people sign in, each with a password of their own (gatectl register, gatectl \
            password).
            """))

    @OptionGroup var connection: ConnectionOptions

    @Flag(
        help: ArgumentHelp(
            localized("A grown-up: programs of their user may show questions, and take passcodes and passwords.")))
    var grownUp = false

    @Flag(help: ArgumentHelp(localized("A child.")))
    var child = false

    @Flag(help: ArgumentHelp(localized("No person, but a Unix user that several people share.")))
    var shared = false

    @Option(
        help: ArgumentHelp(
            localized("The child's date of birth. Without it, the questions that are hardest to guess are asked."),
            valueName: "YYYY-MM-DD"),
        transform: BirthdateText.parse)
    var born: CivilDate?

    @Option(help: ArgumentHelp(localized("The person's own Unix user."), valueName: "name"))
    var user: String?

    @Flag(help: ArgumentHelp(localized("The person has no Unix user.")))
    var noUser = false

    @OptionGroup var question: QuestionOptions

    @Argument(help: ArgumentHelp(localized("The person's name.")), completion: NameCompletion.people)
    var name: String

    func validate() throws {
        guard [grownUp, child, shared].count(where: \.self) <= 1 else {
            throw ValidationError(localized("Give one of --grown-up, --child and --shared."))
        }
        guard user == nil || !noUser else { throw ValidationError(localized("Give --user or --no-user, not both.")) }
        guard born == nil || !grownUp && !shared else {
            throw ValidationError(localized("A date of birth is only for children: give --child."))
        }
    }

    func perform(_ session: Session) async throws(GateError) {
        let before: GatePerson?
        do throws(GateError) {
            before = try await session.gate.people.list().first { $0.name == name }
        } catch {
            // A user who may not read the list may not set a person either. The daemon's refusal of that has the better
            // words.
            guard error.code == .permissionDenied else { throw error }
            before = nil
        }
        guard let kind = kind(before?.kind) else {
            throw GateError(
                .invalidArgument, .invalidRequest,
                saying: localized(
                    "'{name}' is new on the list. Say who that is: --grown-up, --child or --shared.", ["name": name]))
        }
        let person = GatePerson(name: name, kind: kind, user: unixUser(before))
        let response = try await session.change(
            Methods.People.set, SetPersonRequest(person: ListedPerson(person)), readsStandardInput: question.stdin)
        // The list has the number of the user, too.
        let set = try await session.gate.people.listed().first { $0.person.name == name } ?? ListedPerson(person)
        var text = ListText.facts(PersonText.columns(set, today: CivilDate(WallTime.now())))
        if before?.isPasswordDoubtful == true { text = PersonText.passwordGoes(text) }
        try session.output.result(response, at: response.revision, text)
    }

    private func kind(_ before: GatePerson.Kind?) -> GatePerson.Kind? {
        if grownUp { return .grownUp }
        if shared { return .shared }
        guard case .child(let bornBefore)? = before else {
            return child || born != nil ? .child(born: born) : before
        }
        return .child(born: born ?? bornBefore)
    }

    private func unixUser(_ before: GatePerson?) -> GatePerson.UnixUser? {
        guard !noUser else { return nil }
        // The daemon looks the number up.
        if let user { return GatePerson.UnixUser(name: user, uid: 0) }
        if let before { return before.user }
        return LocalAccounts.userID(named: name).map { GatePerson.UnixUser(name: name, uid: $0) }
    }
}

struct PeopleConfirmVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "confirm",
        abstract: localized("Confirm a person, so that their age counts (administrators)."),
        discussion: localized(
            """
            For example: sudo gatectl people confirm anna
            In a script: sudo gatectl people confirm anna --password-file anna.password

            Somebody who was registered in parent mode, or whose password was changed there, is unconfirmed: they can \
            sign in, but get the questions for an unknown age. Confirm them if the date of birth is right. Confirming \
            sets a new password, which only that person should know, because nobody can say who set the old one.
            """))

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var password: PasswordOptions

    @Argument(help: ArgumentHelp(localized("The person's name.")), completion: NameCompletion.people)
    var name: String

    func perform(_ session: Session) async throws(GateError) {
        guard var listed = try await session.gate.people.listed().first(where: { $0.person.name == name }) else {
            throw GateError(
                .notFound, .unknown,
                saying: localized("There is no person '{name}'. See them with `gatectl people`.", ["name": name]))
        }
        let person = listed.person
        listed.person.isConfirmed = true
        let text = ListText.facts(PersonText.columns(listed, today: CivilDate(WallTime.now())))
        // Show the person before asking for the password, so that the administrator sees whom they confirm.
        session.output.note(text)
        var source = try PasswordSource(
            password, count: 1,
            orElse: localized(
                "Run `gatectl people confirm` on a terminal, or give the password with --password-file."))
        let newPassword = try await source.newPassword()
        let response = try await ProgressLine().during { () throws(GateError) in
            try await session.gate.call(
                Methods.SignIn.confirmAccount,
                ConfirmAccountRequest(account: person, newPassword: newPassword),
                timeout: SignInTime.allowed)
        }
        try session.output.result(response, at: response.revision, localized("{person}: confirmed", ["person": text]))
    }
}

struct PeopleRemoveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: localized("Remove a person, with their purchases and forms."),
        discussion: localized(
            """
            Administrators may do this, and grown-ups in the session of their own user, after the passcode. In parent \
            mode, anybody may remove children who have no Unix user. A person who is signed in is signed out.
            """))

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var question: QuestionOptions

    @Argument(help: ArgumentHelp(localized("The person's name.")), completion: NameCompletion.people)
    var name: String

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.change(
            Methods.People.remove, RemovePersonRequest(name: name), readsStandardInput: question.stdin)
        try session.output.result(
            response, at: response.revision, localized("{name} is removed", ["name": VisibleText.line(name)]))
    }
}

extension Session {
    /// Makes a change of Gate. A grown-up who is no administrator is asked for the passcode first.
    func change<Request: GrantedRequest, Response>(
        _ method: Method<Request, Response>, _ request: Request, readsStandardInput: Bool
    ) async throws(GateError) -> Response {
        try await gate.change(method, request) { request throws(GateError) in
            try await grant(for: request, readsStandardInput: readsStandardInput)
        }
    }
}
