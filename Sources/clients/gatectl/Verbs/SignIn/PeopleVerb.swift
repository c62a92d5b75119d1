import ArgumentParser
import GateClient
import GateModel
import GateProtocol
import GateTexts

struct PeopleVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "List who is a grown-up and who is a child, and change the list.",
        discussion: """
            For example: sudo gatectl people set mia --child --born 2015-03-02
            And: sudo gatectl people set thomas --grown-up
            """,
        subcommands: [PeopleListVerb.self, PeopleSetVerb.self, PeopleConfirmVerb.self, PeopleRemoveVerb.self],
        defaultSubcommand: PeopleListVerb.self, aliases: ["accounts"])
}

struct PeopleListVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the people (administrators and grown-ups; in parent mode anybody).")

    @OptionGroup var connection: ConnectionOptions

    func perform(_ session: Session) async throws(GateError) {
        let people = try await session.gate.people.listed()
        let today = CivilDate(WallTime.now())
        try await session.output.list(
            people, as: ListPeopleResponse.self,
            orNone: localized("There are none. Put somebody on the list with `sudo gatectl people set NAME`.")
        ) { PersonText.columns($0, today: today) }
    }
}

struct PeopleSetVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Put a person on the list, or change one (administrators; grown-ups with the passcode).",
        discussion: """
            For example: sudo gatectl people set mia --child --born 2015-03-02
            And: sudo gatectl people set thomas --grown-up
            And: sudo gatectl people set kiosk --shared

            A person who is new on the list gets the Unix user of the same name, if there is one. The age of a child \
            chooses the questions that are asked in programs of that user; grown-ups answer in theirs. What is not \
            given stays as it is, except that an unconfirmed person loses their password. A user whom several people \
            use is --shared: they sign in there, each with a password (gatectl register, gatectl password).
            """)

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "A grown-up, whose programs may show questions and take secrets.")
    var grownUp = false

    @Flag(help: "A child.")
    var child = false

    @Flag(help: "No person, but a Unix user whom several people use.")
    var shared = false

    @Option(
        help: ArgumentHelp(
            "The child's date of birth. Without it the sturdiest questions are asked.", valueName: "YYYY-MM-DD"),
        transform: BirthdateText.parse)
    var born: CivilDate?

    @Option(help: ArgumentHelp("The person's own Unix user.", valueName: "name"))
    var user: String?

    @Flag(help: "The person has no Unix user.")
    var noUser = false

    @Flag(help: "Print the question as text, and read answers line by line: a letter, or the value.")
    var stdin = false

    @Argument(help: "The person's name.", completion: NameCompletion.people)
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
            // Anyone who may not read the list may not set a person either, and is told so in the words for that.
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
            Methods.People.set, SetPersonRequest(person: ListedPerson(person)), readsStandardInput: stdin)
        // The list has the number of the user, too.
        let set = try await session.gate.people.listed().first { $0.person.name == name } ?? ListedPerson(person)
        var text = ListText.things(PersonText.columns(set, today: CivilDate(WallTime.now())))
        if before?.isPasswordDoubtful == true { text = PersonText.passwordGoes(text) }
        try session.output.result(response, RevisionText.row(response.revision, text))
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
        abstract: "Confirm a person, so that their age counts (administrators).",
        discussion: """
            For example: sudo gatectl people confirm anna
            In a script: sudo gatectl people confirm anna --password-file anna.password
            Somebody who was registered, or whose password was changed, in parent mode is unconfirmed: they can sign \
            in, but get the questions for an unknown age. Confirm them if the date of birth is right. Confirming sets \
            another password, which only that person should know, because nobody can say who set the old one.
            """)

    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var password: PasswordOptions

    @Argument(help: "The person's name.", completion: NameCompletion.people)
    var name: String

    func perform(_ session: Session) async throws(GateError) {
        guard var listed = try await session.gate.people.listed().first(where: { $0.person.name == name }) else {
            throw GateError(
                .notFound, .unknown,
                saying: localized("There is no person '{name}'. See them with `gatectl people`.", ["name": name]))
        }
        let person = listed.person
        listed.person.isConfirmed = true
        let text = ListText.things(PersonText.columns(listed, today: CivilDate(WallTime.now())))
        // Show the person before the password is asked for, so that whoever types sees whom they confirm.
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
        try session.output.result(
            response, RevisionText.row(response.revision, localized("{person}: confirmed", ["person": text])))
    }
}

struct PeopleRemoveVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove a person, with their purchases and forms.",
        discussion: """
            For administrators, and for grown-ups in the session of their own user, who are asked for the passcode; in \
            parent mode anybody can remove children who have no Unix user. If the person is signed in, they are signed \
            out.
            """)

    @OptionGroup var connection: ConnectionOptions

    @Flag(help: "Print the question as text, and read answers line by line: a letter, or the value.")
    var stdin = false

    @Argument(help: "The person's name.", completion: NameCompletion.people)
    var name: String

    func perform(_ session: Session) async throws(GateError) {
        let response = try await session.change(
            Methods.People.remove, RemovePersonRequest(name: name), readsStandardInput: stdin)
        try session.output.result(
            response,
            RevisionText.row(response.revision, localized("{name} is removed", ["name": VisibleText.line(name)])))
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
