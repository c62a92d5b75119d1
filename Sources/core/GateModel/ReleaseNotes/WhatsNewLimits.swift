/// The limits on the notes on one version, whether an administrator installed them or an app brought them.
package enum WhatsNewLimits {
    package static let features = 50
    /// A text in several languages counts once for each of them (`textCount`).
    package static let texts = 1000

    // MARK: In characters

    package static let titleLength = 100
    package static let subtitleLength = 500
    /// The longest name of a picture.
    package static let nameLength = 64

    // MARK: In bytes

    package static let appNameBytes = 128
}

extension WhatsNewNotice {
    /// Whether this can be the name of an app as desktops use them, like `org.example.draw` or `org.gnome.Maps`.
    package static func isAppName(_ text: String) -> Bool {
        (1...WhatsNewLimits.appNameBytes).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isWholeNumber || "._-".contains($0)) }
    }
}

extension WhatsNew {
    /// Whether this is a number sign with six hexadecimal digits for red, green and blue, like `#3584e4`.
    package static func isColour(_ text: String) -> Bool {
        text.utf8.count == 7 && text.utf8.first == UInt8(ascii: "#")
            && text.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
    }

    package var textCount: Int {
        let all =
            [titles, primary.titles] + features.flatMap { [$0.titles, $0.subtitles] }
            + [secondary?.titles].compactMap(\.self)
        return all.reduce(0) { $0 + max(1, $1.translations.count) }
    }

    /// The first mistake in these notes, as an English sentence; `nil` if there is none. An administrator's files are
    /// checked against the same limits when they are read.
    package var mistake: String? {
        guard (1...WhatsNewLimits.features).contains(features.count) else {
            return "Version \(version) has \(features.count) features; 1 to \(WhatsNewLimits.features) are shown."
        }
        guard textCount <= WhatsNewLimits.texts else {
            return "Version \(version) has \(textCount) texts, counted in each language; at most "
                + "\(WhatsNewLimits.texts) are shown."
        }
        let titles = [titles, primary.titles] + [secondary?.titles].compactMap(\.self) + features.map(\.titles)
        guard titles.allSatisfy({ $0.isWithin(1...WhatsNewLimits.titleLength) }) else {
            return "A title in version \(version) has no text, or more than \(WhatsNewLimits.titleLength) characters."
        }
        guard features.map(\.subtitles).allSatisfy({ $0.isWithin(0...WhatsNewLimits.subtitleLength) }) else {
            return "A subtitle in version \(version) has more than \(WhatsNewLimits.subtitleLength) characters."
        }
        guard features.allSatisfy({ $0.image.count <= WhatsNewLimits.nameLength }) else {
            return "The name of a picture in version \(version) has more than \(WhatsNewLimits.nameLength) characters."
        }
        guard (features.map(\.colour) + [secondary?.colour ?? ""]).allSatisfy({ $0.isEmpty || Self.isColour($0) })
        else {
            return "A colour in version \(version) is not written like #3584e4."
        }
        guard secondary?.url.map(WebAddress.isLink) ?? true else {
            return "The second button of version \(version) has no address of the web, like https://example.org/new."
        }
        return nil
    }
}

extension LocalizedText {
    fileprivate func isWithin(_ lengths: ClosedRange<Int>) -> Bool {
        ([text] + translations.map(\.text)).allSatisfy { lengths.contains($0.count) }
    }
}
