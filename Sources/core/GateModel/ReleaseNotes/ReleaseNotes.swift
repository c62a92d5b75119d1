/// The release notes of an app, version by version (F-56).
package struct ReleaseNotes: Hashable, Sendable {
    /// The name of the app, like "org.example.draw".
    package var app: String
    /// Each version once; the newest first.
    package var entries: [WhatsNew]

    /// Makes release notes of these values.
    package init(app: String, entries: [WhatsNew]) {
        self.app = app
        self.entries = entries
    }
}

/// The notes on one version (F-56, F-57).
public struct WhatsNew: Hashable, Sendable {
    /// Something that is new.
    public struct Feature: Hashable, Sendable {
        /// The name of a picture, as presenters know it. A hint; may be empty.
        public var image: String
        /// "#3584e4". A hint; may be empty.
        public var colour: String
        /// Its name, in each of its languages.
        public var titles: LocalizedText
        /// A sentence about it, in each of its languages. May be empty.
        public var subtitles: LocalizedText
        /// Its name, in its default language.
        public var title: String { titles.text }
        /// A sentence about it, in its default language. May be empty.
        public var subtitle: String { subtitles.text }

        /// Makes a feature of these values.
        public init(image: String, colour: String, title: LocalizedText, subtitle: LocalizedText) {
            self.image = image
            self.colour = colour
            titles = title
            subtitles = subtitle
        }
    }

    /// How a button feels. A hint.
    @nonexhaustive
    public enum Haptic: String, Hashable, Sendable, CaseIterable {
        /// Nothing is felt.
        case none
        /// As when a choice changes.
        case selection
        /// As when something succeeds.
        case success
        /// As a warning.
        case warning
        /// As when something fails.
        case error
        /// A light tap.
        case light
        /// A tap.
        case medium
        /// A heavy tap.
        case heavy
    }

    /// The button that puts it away.
    public struct PrimaryAction: Hashable, Sendable {
        /// The text on the button, in each of its languages.
        public var titles: LocalizedText
        /// The text on the button, in its default language.
        public var title: String { titles.text }
        /// How the button feels.
        public var haptic: Haptic

        /// The text where the notes say none: a presenter has it in the person's language.
        package static let builtInTitle = "Continue"

        /// Makes an action of these values.
        public init(title: LocalizedText, haptic: Haptic = .none) {
            titles = title
            self.haptic = haptic
        }
    }

    /// The button that leads somewhere else.
    public struct SecondaryAction: Hashable, Sendable {
        /// The text on the button, in each of its languages.
        public var titles: LocalizedText
        /// The text on the button, in its default language.
        public var title: String { titles.text }
        /// How the button feels.
        public var haptic: Haptic
        /// A hint; may be empty.
        public var colour: String
        /// Opened behind the gate `link.open`; `nil`: the app knows what it means.
        public var url: String?

        /// Makes an action of these values.
        public init(title: LocalizedText, haptic: Haptic = .none, colour: String = "", url: String? = nil) {
            titles = title
            self.haptic = haptic
            self.colour = colour
            self.url = url
        }
    }

    /// The version that it is about.
    public var version: AppVersion
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// At least one.
    public var features: [Feature]
    /// The button that puts it away.
    public var primary: PrimaryAction
    /// The other button; `nil`: there is none.
    public var secondary: SecondaryAction?

    /// Makes an entry of these values.
    public init(
        version: AppVersion, title: LocalizedText, features: [Feature], primary: PrimaryAction,
        secondary: SecondaryAction? = nil
    ) {
        self.version = version
        titles = title
        self.features = features
        self.primary = primary
        self.secondary = secondary
    }
}

/// "1.2.3"; what is missing is 0.
public struct AppVersion: Hashable, Sendable, Comparable {
    /// The first number.
    public var major: UInt32
    /// The second number.
    public var minor: UInt32
    /// The third number.
    public var patch: UInt32

    /// Makes a version of these numbers.
    public init(_ major: UInt32, _ minor: UInt32, _ patch: UInt32) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// `nil`: not one to three numbers with dots between them.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var numbers: [UInt32] = []
        for part in parts {
            guard !part.isEmpty, part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt32(part) else {
                return nil
            }
            numbers.append(number)
        }
        self.init(numbers[0], numbers.count > 1 ? numbers[1] : 0, numbers.count > 2 ? numbers[2] : 0)
    }

    public static func < (left: AppVersion, right: AppVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}

extension AppVersion: CustomStringConvertible {
    public var description: String { "\(major).\(minor).\(patch)" }
}

/// The notes on what is new, as they are shown to a person.
public struct WhatsNewNotice: Hashable, Sendable {
    /// The name of the app.
    public var app: String
    /// The news of the newest version that this person has not seen.
    public var entry: WhatsNew

    /// Makes a notice of these values.
    public init(app: String, entry: WhatsNew) {
        self.app = app
        self.entry = entry
    }
}

/// How asking for what is new went well.
@nonexhaustive
public enum WhatsNewOutcome: Hashable, Sendable, CaseIterable {
    /// There is nothing that this person has not seen.
    case nothingNew
    /// It was shown, and put away with the primary action or without it.
    case shown
    /// It was shown, and the secondary action was chosen.
    case secondaryChosen
}

/// The release notes that the device has of an app, without their texts.
public struct ReleaseNotesSummary: Hashable, Sendable {
    /// The app, like "org.example.draw".
    public var app: String
    /// The newest version that there are notes of.
    public var newest: AppVersion
    /// The number of versions that there are notes of.
    public var entryCount: Int
    /// The versions that this person has seen.
    public var seen: [AppVersion]

    /// Makes a summary of these values.
    package init(app: String, newest: AppVersion, entryCount: Int, seen: [AppVersion]) {
        self.app = app
        self.newest = newest
        self.entryCount = entryCount
        self.seen = seen
    }
}
