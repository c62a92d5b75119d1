package import GateModel

/// Commands about age ranges: how old the person is who uses an app, as far as a grown-up lets the app know it.
///
/// The answer itself is no command: it is read from what is durable (`ageRange(for:on:)`), so it never waits for the disk.
package enum AgeCommand: Hashable, Sendable {
    /// The acting peer has asked for its age range, and has its answer. An app that asks for the first time is now put
    /// on the list, even while age ranges are off, so that it can't tell these cases apart.
    case asked
    /// - Parameter gates: if empty, the gates stay as they are.
    case set(isOn: Bool, gates: [Int], grant: Grant.Proof?)
    case choose(AgeBook.Key, AgeChoice, grant: Grant.Proof?)

    var rules: CommandRules {
        switch self {
        // `set` and `choose` check the rights of their peer themselves: see `checkChange`.
        case .asked, .set, .choose: CommandRules(.everyone)
        }
    }
}

extension GateState {
    mutating func perform(
        _ command: AgeCommand, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) -> Reply {
        switch command {
        case .asked: ageAsked(by: context.peer, &draft)
        case .set(let isOn, let gates, let grant): try setAges(isOn: isOn, gates, grant, context, &draft)
        case .choose(let key, let choice, let grant): try chooseAge(key, choice, grant, context, &draft)
        }
        return .done
    }

    // MARK: - Reading

    /// The age range that this peer is told on this day; `nil` if it is told nothing. Everything is looked up in either
    /// case, so the time that this takes does not reveal why.
    package func ageRange(for peer: Peer, on today: CivilDate) -> AgeRange? {
        let present = HalfYear(today)
        let (book, person) = (records.ages, personOfAge(of: peer.owner))
        let choice = book[AgeBook.Key(person: person?.name ?? "", app: peer.program)]
        let isTold = choice?.counted(in: present).isYes ?? false
        let range = AgeRules.range(of: person?.kind ?? .shared, in: present, gates: book.settings.gates)
        return book.settings.isOn && isTold ? range : nil
    }

    /// The person whose age counts for this owner: the person whose own user it is, or, if several people share the
    /// user, the one who is signed in.
    private func personOfAge(of owner: Owner) -> GatePerson? {
        let person = person(of: owner)
        guard person?.kind == .shared else { return person }
        return signedInPerson.flatMap { $0.isConfirmed ? $0 : nil }
    }

    package var ageSettings: AgeSettings { records.ages.settings }

    /// The apps of all people, by person, then by app.
    package var ageApps: [AgeApp] {
        records.ages.entries.map { key, choice in
            AgeApp(
                person: key.person, app: key.app, choice: choice.shown,
                isWaiting: ageSettings.isOn && choice == .waiting)
        }
    }

    /// Whether both states have the same settings and choices about age ranges. This is quick, because most commands
    /// change none of it.
    package func hasSameAges(as other: GateState) -> Bool {
        records.ages.isSame(as: other.records.ages) || records.ages == other.records.ages
    }

    /// Whether a watcher sees more of age ranges than that they are off.
    package func seesAges(_ peer: Peer) -> Bool { mayReadPeople(peer, isParentMode: false) }

    package func ageState(visibleTo peer: Peer) -> AgeState {
        guard seesAges(peer) else { return AgeState(settings: AgeSettings(gates: []), waiting: []) }
        return AgeState(
            settings: ageSettings, waiting: Array(ageApps.lazy.filter(\.isWaiting).prefix(Limits.ageAppsOfMessage)))
    }

    // MARK: - Changing

    private mutating func ageAsked(by peer: Peer, _ draft: inout TransitionDraft) {
        guard quarantinedFile == nil, let person = personOfAge(of: peer.owner), peer.program.isAppName else { return }
        let key = AgeBook.Key(person: person.name, app: peer.program)
        guard records.ages[key] == nil, records.ages.hasRoom(forAppOf: person.name) else { return }
        record(.ageChoiceSet(key, .waiting), &draft)
    }

    private mutating func setAges(
        isOn: Bool, _ gates: [Int], _ grant: Grant.Proof?, _ context: Context, _ draft: inout TransitionDraft
    ) throws(GateError) {
        try checkMayChangeAges(context.peer)
        let settings = AgeSettings(isOn: isOn, gates: gates.isEmpty ? ageSettings.gates : gates)
        guard AgeSettings.areGates(settings.gates) else { throw .badAgeGates }
        try checkChange("set \(settings.words)", grant, context)
        guard settings != ageSettings else { return }
        record(.ageSettingsSet(settings), &draft)
        draft.journal(.ageSettingsChanged, by: context.peer, settings.words)
    }

    private mutating func chooseAge(
        _ key: AgeBook.Key, _ choice: AgeChoice, _ grant: Grant.Proof?, _ context: Context,
        _ draft: inout TransitionDraft
    ) throws(GateError) {
        try checkMayChangeAges(context.peer)
        guard let person = personRecord(key.person)?.person else { throw .noPerson(key.person) }
        guard person.kind != .shared else { throw .sharedHasNoAge }
        guard key.app.isAppName else { throw .badAppName }
        let (before, count) = (records.ages[key], records.ages.choices(of: person.name).count)
        guard before != nil || choice == .ask || count < Limits.ageAppsOfPerson else { throw .tooManyAgeApps }
        try checkChange(choice.words(about: person.name, to: key.app), grant, context)
        let after = AgeBook.Choice(choice, in: halfYear(context))
        guard after != before else { return }
        record(after.map { .ageChoiceSet(key, $0) } ?? .ageChoiceRemoved(key), &draft)
        draft.journal(.ageChosen, by: context.peer, "\(person.name), \(choice.rawValue), \(key.app)")
    }

    /// Peers that may not change anything are refused first, so that no other error tells them about the list.
    private func checkMayChangeAges(_ peer: Peer) throws(GateError) {
        guard peer.isAdministrator || kind(ofUser: peer.uid) == .grownUp else { throw .onlyGrownUpsChange }
        guard quarantinedFile == nil else { throw .storeDamaged }
    }

    /// Removes the choices about a person who is removed, because the next person of this name is somebody else.
    mutating func forgetAgeChoices(of person: String, _ draft: inout TransitionDraft) {
        for app in records.ages.choices(of: person).keys.sorted() {
            record(.ageChoiceRemoved(AgeBook.Key(person: person, app: app)), &draft)
        }
    }

    // MARK: - The end of a half-year

    private func halfYear(_ context: Context) -> HalfYear {
        HalfYear(context.zone.localTime(wallTime(at: context.now)).day)
    }

    /// When the first choices that hold for a half-year expire; `nil` if there are none.
    var nextAgeEnd: BootTime? { ageEnd == .never ? nil : bootTime(at: ageEnd) }

    func areAgesCurrent(_ context: Context) -> Bool {
        guard let ending = records.ages.firstEnding else { return ageEnd == .never }
        return ending == halfYear(context) && ageEnd == context.zone.end(of: ending)
            && wallTime(at: context.now) < ageEnd
    }

    /// Ends choices that hold until the end of a half-year. A choice ends as soon as the present half-year is not its
    /// own. That can also be an earlier one, if the clock was set back. It also ends once its end was reached, even if
    /// the local clock is then set back across midnight.
    mutating func readAges(_ context: Context, _ draft: inout TransitionDraft) {
        guard !areAgesCurrent(context) else { return }
        let (present, time) = (halfYear(context), wallTime(at: context.now))
        for (key, choice) in records.ages.entries {
            guard let half = choice.halfYear, half != present || context.zone.end(of: half) <= time else { continue }
            record(.ageChoiceSet(key, .waiting), &draft)
        }
        ageEnd = records.ages.firstEnding.map { context.zone.end(of: $0) } ?? .never
    }
}

extension AgeBook.Choice {
    /// `nil`: the app is forgotten, and put on the list when it asks again.
    fileprivate init?(_ choice: AgeChoice, in present: HalfYear) {
        switch choice {
        case .ask: return nil
        case .always: self = .always
        case .never: self = .never
        case .forNow: self = .forNow(present)
        case .notNow: self = .notNow(present)
        }
    }
}

extension ZoneOffsets {
    fileprivate func end(of half: HalfYear) -> WallTime { firstMoment(showing: half.localMinutesOfEnd) }
}

extension AgeSettings {
    /// The settings as the grown-up's question and the journal show them: "age ranges on, at 13, 16, 18".
    fileprivate var words: String {
        "age ranges \(isOn ? "on" : "off"), at \(gates.map(String.init).joined(separator: ", "))"
    }
}

extension AgeChoice {
    /// The choice as a grown-up is shown it. The app's name, which nobody has checked, comes last, so that it can't change
    /// the sense of what is before it.
    fileprivate func words(about person: String, to app: String) -> String {
        let told = "the age range of \(person) to the app \(app)"
        switch self {
        case .ask: return "ask before telling \(told)"
        case .always: return "always tell \(told)"
        case .never: return "never tell \(told)"
        case .forNow: return "for now tell \(told)"
        case .notNow: return "for now do not tell \(told)"
        }
    }
}

extension String {
    /// Whether this can be the name of an app. Only single spaces between words are allowed: other spaces can't be seen, so
    /// the name would look like that of another app, or like no name.
    var isAppName: Bool {
        !isEmpty && utf8.count <= Limits.appNameByteCount && isSingleLine
            && split(whereSeparator: \.isWhitespace).joined(separator: " ") == self
    }
}

extension GateError {
    fileprivate static let badAgeGates = invalid(
        "gates", "The ages are 1 to 3, from 2 to 25 years, ascending, and at least two years apart, like 13, 16, 18.")

    fileprivate static let badAppName = invalid(
        "app",
        "The name of an app has 1 to \(Limits.appNameByteCount) bytes, in one line, with single spaces between words and none around it: see `gatectl age apps`."
    )

    fileprivate static let sharedHasNoAge = invalid(
        "person", "A shared user is no person, so apps are told nothing of it. Name who signs in there.")

    fileprivate static let tooManyAgeApps = GateError(
        .resourceExhausted, .limit,
        "\(Limits.ageAppsOfPerson) apps are on the list of this person, and no more can be. Take one off: `gatectl age set NAME APP ask`.",
        parameters: ["what": "age-apps", "maximum": "\(Limits.ageAppsOfPerson)"])
}
