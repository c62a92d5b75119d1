import GateModel

/// How much of a policy is read at most, and the ranges of its numbers.
package enum PolicyLimits {
    // MARK: What is read

    static let fileBytes = 1 << 20
    static let files = 100
    static let formBytes = 4 << 20
    static let forms = 200
    static let responseBytes = 32 << 20
    /// The most apps that have release notes.
    static let releaseNotes = 200
    /// The most versions of one app.
    static let versions = 500
    static let features = WhatsNewLimits.features
    static let gatedActions = 1000
    static let questions = 10_000
    static let entitlements = 100
    static let schedules = 100
    static let allowances = 16
    /// The most spans on one weekday.
    static let spansOfDay = 8
    /// The most titles of all entitlements, each counted for each language: a watcher gets them in one message.
    static let entitlementTexts = 128
    static let featuresOfEntitlement = 8
    /// The most texts in one version's notes, counted once for each language.
    static let textsOfVersion = WhatsNewLimits.texts
    static let bundleIDs = 100
    static let rootFiles = 16
    static let rootFileBytes = 16 << 10
    /// The most items of one provider.
    static let items = 1000
    /// The most RevenueCat users.
    static let users = 1000
    /// How deeply lists and mappings may be nested.
    static let nesting = 32
    /// How deeply lists and mappings may be nested in a form, in which items contain items, and each has more of both.
    static let formNesting = 160
    static let requirementDepth = 8
    /// The most requirements in one `all` or `any`.
    static let requirements = 16
    /// The most choices in answer to a question that waits. An answer lists them for each of these questions.
    package static let choices = 8
    /// The most users, and the most groups, of one role.
    static let principals = 1000
    /// The most problems that are reported. Nobody would read more.
    static let problems = 100

    // MARK: Texts, in bytes

    /// The longest name that a provider may have for something it sells, a user or an app.
    static let providerNameBytes = 128
    /// The longest name in the DNS.
    static let hostBytes = 253

    // MARK: Texts, in characters

    static let nameLength = WhatsNewLimits.nameLength
    static let titleLength = WhatsNewLimits.titleLength
    static let quizTextLength = 300
    static let subtitleLength = WhatsNewLimits.subtitleLength
    static let pathLength = 4096

    // MARK: Numbers

    static let lease = Duration.seconds(1)...Configuration.longestLease
    static let answerTime = Duration.seconds(5)...Duration.seconds(3600)
    static let keep = Duration.seconds(1)...Duration.seconds(24 * 3600)
    /// The time of an allowance on a day, and in a week.
    static let timeOfDay = Duration.seconds(60)...Duration.seconds(24 * 3600)
    static let timeOfWeek = Duration.seconds(60)...Duration.seconds(7 * 24 * 3600)
    static let mayWait = Duration.seconds(60)...Duration.seconds(30 * 24 * 3600)
    /// How much more time can be asked for at once, besides the rest of the day.
    static let moreTime = Duration.seconds(60)...Duration.seconds(24 * 3600)
    /// For how long a yes can be given, if it is for an amount of time.
    static let choiceTime = Duration.seconds(60)...Duration.seconds(30 * 24 * 3600)
    static let session = Duration.seconds(1)...Duration.seconds(365 * 24 * 3600)
    static let poll = Duration.seconds(1)...Duration.seconds(24 * 3600)
    static let hold = Duration.seconds(1)...Duration.seconds(60)
    static let port = 1...65535
    static let minimumAge = 1...120
    static let lockoutAfter = 1...100
    static let lockoutFactor = 1...100
    static let lockoutDuration = Duration.seconds(1)...Configuration.longestLock
}
