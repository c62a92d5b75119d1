public import GateModel
import GatePolicy

/// A dialogue with Gate that a parent could read: who is there, what they do, and what Gate says to it.
public struct Script: Hashable, Sendable {
    /// The people who are there, and what is different from the ordinary.
    public var world: ScriptWorld
    /// Prose, world and dialogue, in the order of the file.
    public var paragraphs: [Paragraph]

    /// The text between two blank lines.
    public enum Paragraph: Hashable, Sendable {
        /// Comments, or the world: kept as they are.
        case prose([String])
        case dialogue(Exchange)
    }

    /// Some commands, and the lines that they print together.
    public struct Exchange: Hashable, Sendable {
        /// The line of the file where it begins, from 1.
        public var line: Int
        /// Commands and comments as written.
        public var source: [String]
        public var commands: [ScriptCommand]
        public var expected: [String]
    }

    public init(world: ScriptWorld, paragraphs: [Paragraph]) {
        self.world = world
        self.paragraphs = paragraphs
    }

    /// The file's text.
    public var text: String {
        let paragraphs = paragraphs.map { paragraph -> [String] in
            switch paragraph {
            case .prose(let lines): lines
            case .dialogue(let exchange): exchange.source + ["----"] + exchange.expected
            }
        }
        return paragraphs.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
    }
}

/// The people and the device of a script.
public struct ScriptWorld: Hashable, Sendable {
    public var people: [Person]
    /// Where the random numbers begin, again after each start of the daemon.
    public var seed: UInt64
    /// The content of policy.yaml.
    public var policy: String
    /// The content of the question bank; `nil`: there is none.
    public var questions: String?
    /// The products of the App Store, and the entitlement that each gives.
    public var products: [String: String] = [:]
    /// The other files of the configuration directory, by path: "questionnaires.d/consent.yaml".
    public var files: [String: String] = [:]
    /// Responses that forms are filled from (F-40), by what the script calls them: FHIR JSON.
    public var responses: [String: String] = [:]
    /// The forms and the notes that apps bring, by the name of the form or of the app.
    public var brought: [String: String] = [:]

    public init(people: [Person], seed: UInt64, policy: String, questions: String? = nil) {
        self.people = people
        self.seed = seed
        self.policy = policy
        self.questions = questions
    }

    /// Anna and Ben share the device; root looks after it. Sums with a choice stand before parent mode.
    public static let ordinary = ScriptWorld(
        people: [
            Person(name: "anna", uid: 1001, roles: .app), Person(name: "ben", uid: 1002, roles: .app),
            Person(name: "root", uid: 0, roles: [.app, .presenter, .grownUpPresenter, .administrator]),
        ],
        seed: 1, policy: policy(asking: .arithmeticChoice))

    /// A policy that says no more than which challenge stands before parent mode.
    static func policy(asking kind: Challenge.Kind) -> String { "mode: {challenge: \(kind.rawValue)}\n" }

    /// The one whose commands need none other: the first administrator.
    public var administrator: Person? { people.first { $0.roles.contains(.administrator) } }

    /// The boot clock at the beginning of a script, and right after the device was booted again.
    public static let firstBootTime = BootTime(nanoseconds: 1000 * 1_000_000_000)
    public static let bootTimeAfterReboot = BootTime(nanoseconds: 10 * 1_000_000_000)

    /// The configuration in force in it.
    package var configuration: Configuration {
        get throws { try readConfiguration() }
    }

    /// - Parameter choices: what was chosen to stand before gated actions.
    func readConfiguration(choices: [String: String] = [:]) throws(PolicyError) -> Configuration {
        var sources = [PolicySource(name: "policy.yaml", text: policy)]
        if let questions { sources.append(PolicySource(name: "questions.d/script.yaml", text: questions)) }
        for (path, text) in files.sorted(by: { $0.key < $1.key }) {
            sources.append(PolicySource(name: path, text: text))
        }
        var configuration = try PolicyReader.read(sources, household: nil, choices: choices).configuration
        for (product, entitlement) in products {
            configuration.items[ProviderItem(.storeKit, product)] = entitlement
        }
        return configuration
    }

    /// How many files say so.
    var fileCount: Int { 1 + (questions == nil ? 0 : 1) + files.count + (products.isEmpty ? 0 : 1) }
}

/// Somebody with a user of their own on the device.
public struct Person: Hashable, Sendable {
    public var name: String
    public var uid: UInt32
    /// The owner who is billed.
    package var owner: Owner
    package var roles: Roles

    /// - Parameter owner: `nil`: the user itself.
    package init(name: String, uid: UInt32, owner: Owner? = nil, roles: Roles) {
        self.name = name
        self.uid = uid
        self.owner = owner ?? .user(uid)
        self.roles = roles
    }

    /// The process that a broker can ask for: one that runs as long as the device does.
    public var process: Subject { Subject(uid: uid, pid: Int32(clamping: max(1, uid)), startTime: 1) }
}

/// One line of a dialogue.
public enum ScriptCommand: Hashable, Sendable {
    case toggle(Person)
    /// `by`: somebody else, who got hold of the cookie. `nil`: the one who was asked.
    case answer(challenge: UInt64, String, by: Person?)
    case dismiss(challenge: UInt64)
    /// The program that asked dies.
    case hangUp(challenge: UInt64)
    case cancel(Person)
    case lock(Person)
    case extend(Duration?, Person)
    case override(Mode, Duration?, reason: String, Person)
    case mode
    /// Whether it would be granted, without asking anybody.
    case check(AuthorizationRequest, Person)
    /// The person's own program shows what is asked.
    case authorize(AuthorizationRequest, Person)
    /// Another program shows it: a presenter.
    case ask(ScriptRequest, Person)
    /// The outcome of the person's request.
    case result(Person)
    /// The person's screen shows what others ask, from now on.
    case present(Person)
    /// The present content of the screen.
    case screen(Person)
    /// The screen goes dark: its program dies.
    case leave(Person)
    /// A finger is put on the screen.
    case press(challenge: UInt64)
    case redeem(AuthorizationRequest, Person)
    case grants(Person)
    case revoke(String, Person)
    /// An administrator sets it.
    case passcode(String)
    /// An administrator sets up an authenticator. Where an answer is `code`, it is what the authenticator shows.
    case authenticator
    case advance(Duration)
    /// A clock is set, another zone is chosen, or the device sleeps.
    case turn(ClockChange)
    /// The daemon is killed (kill -9) and started again.
    case restart
    /// The device is turned off and on.
    case reboot
    /// The journal since it was last asked for.
    case audit
    /// The changes that a watcher saw since it was last asked for; the first time, it begins to watch.
    case watch(Person)
    /// The same, of who is signed in.
    case watchSignIn(Person)
    /// The same, of what is paid for.
    case watchEntitlements(Person)
    case logIn(String, password: String, Person)
    case logOut(Person)
    case register(GatePerson, password: String, Person)
    case changePassword(String, from: String, to: String, Person)
    /// Without the old one.
    case setPassword(String, to: String, Person)
    case setPerson(GatePerson, Person)
    case removePerson(String, Person)
    case confirm(String, password: String, Person)
    case people(Person)
    /// The person who is signed in.
    case who
    /// The entitlements that are paid for.
    case entitlements
    /// An administrator gives an entitlement.
    case give(ScriptGift, Person)
    /// An administrator takes a claim back, whatever its provider says.
    case takeBack(Claim.ID, Person)
    /// A provider hands over what the App Store has signed.
    case submit(ScriptStatement, Person)
    /// A provider says what can be bought to get an entitlement.
    case offer([Offer], entitlement: String, Person)
    /// An administrator closes what is shown.
    case withdraw(presentation: UInt64, Person)
    case openForm(String, Person)
    /// An app opens a form that it brings.
    case bringForm(String, Person)
    /// One more draft beside those that are there. The label may be empty.
    case beginForm(String, label: String, Person)
    /// Gives a draft another label; empty: none.
    case labelForm(String, label: String, Person)
    /// The drafts that somebody reaches.
    case drafts(Person)
    case editForm(ScriptFormTarget, ScriptFormEdit, Person)
    /// The answers at this path, or everywhere.
    case readForm(String, path: String?, Person)
    /// The suggestions that wait, or are being fetched.
    case suggestions(String, Person)
    /// The parts that a form lacks that is to be completed.
    case missing(in: String, Person)
    case saveForm(String, Person)
    case completeForm(ScriptFormTarget, Person)
    case discardForm(String, Person)
    /// The kept responses.
    case responses(Person)
    case response(UInt64, Person)
    case withdrawResponse(UInt64, Person)
    /// The answers at this path are kept as a part. The label may be empty.
    case savePart(String, path: String, label: String, Person)
    case removePart(UInt64, Person)
    /// The parts that somebody sees.
    case parts(Person)
    /// On the screen that shows the form: the response that the script calls so is handed in. One that is in progress is
    /// kept as a draft, and the form put away.
    case handIn(presentation: UInt64, from: String)
    /// The changes that a watcher of forms saw since it was last asked for.
    case watchForms(Person)
    /// The person's own program shows it.
    case showNews(ScriptNews, Person)
    /// It was seen elsewhere.
    case acknowledgeNews(ScriptNews, Person)
    /// `nil`: of all apps.
    case forgetNews(app: String?, Person)
    /// The release notes that there are, and those that were seen.
    case listNews(Person)
    /// The world's files are what they are here, and the daemon reads them again.
    case reload(ScriptWorld, Person)
    /// What stands before a gated action from now on, as a policy file says it; `nil`: the choice is taken back.
    case setGate(String, requires: String?, Person)
    /// An allowance or a schedule from now on, as words of `gatectl` say it; no words: the choice is taken back.
    case setTimeRule(TimeRule.Kind, String, [String], Person)
    /// The questions that wait for a grown-up, and their answers.
    case asks(Person)
    case answerAsk(UInt64, AskAnswer, Person)
    case withdrawAsk(UInt64, Person)
    /// The choice is how much the person would like; `nil`: a grown-up decides.
    case askMoreTime(String, AskChoice?, Person)
    /// The next thing that the program which began last hears of the time it has left.
    case hearUse(String, Person)
    /// A program is used until `stopUsing`, and its time is counted.
    case use(String, Person)
    /// All programs of the person that use this gated action end.
    case stopUsing(String, Person)
    /// The time that was used today.
    case usage(Person)
    /// Another device of the household tells of use there.
    case told(ScriptUse)
    /// How old somebody is, as far as apps may know.
    case age(ScriptAge, Person)
}

/// An entitlement that is given by hand.
public struct ScriptGift: Hashable, Sendable {
    public var entitlement: String
    public var holder: Claim.Holder
    /// `nil`: for ever.
    public var duration: Duration?

    public init(entitlement: String, holder: Claim.Holder, duration: Duration?) {
        self.entitlement = entitlement
        self.holder = holder
        self.duration = duration
    }
}

/// A statement that the App Store signs, now.
public enum ScriptStatement: Hashable, Sendable {
    /// A subscription for so long; `nil`: something that is bought once. `holder` as in `SubmitSignedTransaction`.
    case bought(transaction: String, product: String, for: Duration?, holder: Claim.Holder?)
    /// The money was given back.
    case refunded(transaction: String)
    /// The store can't collect, and asks to be patient for so long; `nil`: it just tries again.
    case unpaid(transaction: String, grace: Duration?)
}

/// A person's request, to be shown by a presenter.
public enum ScriptRequest: Hashable, Sendable {
    case toggle
    case paywall(PaywallRequest)
    case authorize(AuthorizationRequest)
    /// The form with this name.
    case form(String)
    case news(ScriptNews)
}
