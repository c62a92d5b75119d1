/// The name of a form, or of the release notes, that an app brought with its call (F-85): "weekly-plan@1000". It is the user's
/// whose app it was, and nothing that an administrator installs has such a name.
package struct AppsOwnName: Hashable, Sendable {
    /// The name that the app gives it.
    package let name: String
    /// The user whose app it is.
    package let uid: UInt32

    /// Makes a name of these values.
    package init(_ name: String, of uid: UInt32) {
        self.name = name
        self.uid = uid
    }

    /// `nil`: it is not written like one.
    package init?(_ text: String) {
        guard let sign = text.lastIndex(of: "@"), let uid = UInt32(text[text.index(after: sign)...]) else { return nil }
        self.init(String(text[..<sign]), of: uid)
        guard self.text == text else { return nil }
    }

    /// As the device knows it.
    package var text: String { "\(name)@\(uid)" }
}
