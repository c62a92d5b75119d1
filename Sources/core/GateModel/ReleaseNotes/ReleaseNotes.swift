/// The release notes of an app, with an entry for each version.
package struct ReleaseNotes: Hashable, Sendable {
    package var app: String
    /// The newest version first. No version occurs twice.
    package var entries: [WhatsNew]

    package init(app: String, entries: [WhatsNew]) {
        self.app = app
        self.entries = entries
    }
}

/// What is new in one version of an app.
public struct WhatsNew: Hashable, Sendable {
    /// One thing that is new.
    public struct Feature: Hashable, Sendable {
        /// The name of a picture that presenters may know. A hint; may be empty.
        public var image: String
        /// A colour for the picture, like "#3584e4". A hint; may be empty.
        public var colour: String
        /// The name of the feature, in each of its languages.
        public var titles: LocalizedText
        /// A sentence about the feature, in each of its languages. May be empty.
        public var subtitles: LocalizedText
        /// The name of the feature, in its default language.
        public var title: String { titles.text }
        /// A sentence about the feature, in its default language. May be empty.
        public var subtitle: String { subtitles.text }

        public init(image: String, colour: String, title: LocalizedText, subtitle: LocalizedText) {
            self.image = image
            self.colour = colour
            titles = title
            subtitles = subtitle
        }
    }

    /// How a button should feel when it is pressed. A hint: not every presenter can do it.
    @nonexhaustive
    public enum Haptic: String, Hashable, Sendable, CaseIterable {
        /// Nothing is felt.
        case none
        /// Feels as when a choice changes.
        case selection
        /// Feels as when something succeeds.
        case success
        /// Feels as a warning.
        case warning
        /// Feels as when something fails.
        case error
        /// A light tap.
        case light
        /// A tap of medium strength.
        case medium
        /// A heavy tap.
        case heavy
    }

    /// The button that puts the notes away.
    public struct PrimaryAction: Hashable, Sendable {
        /// The text on the button, in each of its languages.
        public var titles: LocalizedText
        /// The text on the button, in its default language.
        public var title: String { titles.text }
        /// How the button should feel.
        public var haptic: Haptic

        /// The button's text if the notes give none. Presenters translate it for the person.
        package static let builtInTitle = "Continue"

        public init(title: LocalizedText, haptic: Haptic = .none) {
            titles = title
            self.haptic = haptic
        }
    }

    /// The button that does something else, like opening a page.
    public struct SecondaryAction: Hashable, Sendable {
        /// The text on the button, in each of its languages.
        public var titles: LocalizedText
        /// The text on the button, in its default language.
        public var title: String { titles.text }
        /// How the button should feel.
        public var haptic: Haptic
        /// A colour for the button, like "#3584e4". A hint; may be empty.
        public var colour: String
        /// An address, opened if `link.open` is granted; `nil` if only the app knows what the button means.
        public var url: String?

        public init(title: LocalizedText, haptic: Haptic = .none, colour: String = "", url: String? = nil) {
            titles = title
            self.haptic = haptic
            self.colour = colour
            self.url = url
        }
    }

    /// The version that the notes are about.
    public var version: AppVersion
    /// The title that people read, in each of its languages.
    public var titles: LocalizedText
    /// The title in its default language.
    public var title: String { titles.text }
    /// The things that are new. At least one.
    public var features: [Feature]
    /// The button that puts the notes away.
    public var primary: PrimaryAction
    /// The other button; `nil` if there is none.
    public var secondary: SecondaryAction?

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

/// A version number like "1.2.3".
public struct AppVersion: Hashable, Sendable, Comparable {
    /// The first number.
    public var major: UInt32
    /// The second number.
    public var minor: UInt32
    /// The third number.
    public var patch: UInt32

    public init(_ major: UInt32, _ minor: UInt32, _ patch: UInt32) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads one to three numbers with dots between them. Missing numbers are 0. `nil` if the text is anything else.
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

/// What is new in an app, as a presentation shows it.
public struct WhatsNewNotice: Hashable, Sendable {
    /// The name of the app.
    public var app: String
    /// The notes on the app's version, or else on the first release of the same minor version.
    public var entry: WhatsNew

    public init(app: String, entry: WhatsNew) {
        self.app = app
        self.entry = entry
    }
}

/// How a request to show what is new succeeded. If it fails, an error is thrown.
@nonexhaustive
public enum WhatsNewOutcome: Hashable, Sendable, CaseIterable {
    /// The person has seen these notes, or there are none, or they are open on a screen already.
    case nothingNew
    /// The notes were shown. The person pressed the first button, or dismissed them.
    case shown
    /// The notes were shown, and the person pressed the second button.
    case secondaryChosen
}

/// Which release notes the device has for an app, without their texts.
public struct ReleaseNotesSummary: Hashable, Sendable {
    /// The name of the app, like "org.example.draw".
    public var app: String
    /// The newest version that has notes.
    public var newest: AppVersion
    /// The number of versions that have notes.
    public var entryCount: Int
    /// The versions that this person has seen.
    public var seen: [AppVersion]

    package init(app: String, newest: AppVersion, entryCount: Int, seen: [AppVersion]) {
        self.app = app
        self.newest = newest
        self.entryCount = entryCount
        self.seen = seen
    }
}
