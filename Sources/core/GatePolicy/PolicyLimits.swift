import GateModel

/// The limits of a policy, and the bounds of its numbers.
enum PolicyLimits {
    // MARK: What is read

    static let fileBytes = 1 << 20
    static let files = 100
    static let formBytes = 4 << 20
    static let forms = 200
    /// The bytes of a response, which may bring attachments along.
    static let responseBytes = 32 << 20
    /// Apps that have release notes.
    static let releaseNotes = 200
    /// The versions of one app.
    static let versions = 500
    /// The features of one version.
    static let features = WhatsNewLimits.features
    static let gatedActions = 1000
    static let questions = 10_000
    static let entitlements = 100
    /// The titles of all entitlements, each counted in each of its languages: a watcher is told them in one message.
    static let entitlementTexts = 128
    /// The lines that say what one gets for an entitlement.
    static let featuresOfEntitlement = 8
    /// The texts of one version's notes, counted in the same way.
    static let textsOfVersion = WhatsNewLimits.texts
    /// Apps whose purchases count.
    static let bundleIDs = 100
    static let rootFiles = 16
    static let rootFileBytes = 16 << 10
    /// The items that each provider sells.
    static let items = 1000
    /// RevenueCat's.
    static let users = 1000
    /// Lists and mappings inside one another.
    static let nesting = 32
    /// As many of a form: items inside one another, each with what it says in it.
    static let formNesting = 160
    /// Requirements inside one another.
    static let requirementDepth = 8
    /// Requirements of one `all` or `any`.
    static let requirements = 16
    /// Users or groups of one role.
    static let principals = 1000
    /// More than that nobody reads.
    static let problems = 100

    // MARK: Texts, in bytes

    /// The bytes of providers' names for what they sell, their users and their apps.
    static let providerNameBytes = 128
    /// The longest name that the DNS has.
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
    static let session = Duration.seconds(1)...Duration.seconds(365 * 24 * 3600)
    static let poll = Duration.seconds(1)...Duration.seconds(24 * 3600)
    static let hold = Duration.seconds(1)...Duration.seconds(60)
    static let port = 1...65535
    static let minimumAge = 1...120
    static let lockoutAfter = 1...100
    static let lockoutFactor = 1...100
    static let lockoutDuration = Duration.seconds(1)...Duration.seconds(7 * 24 * 3600)
}
