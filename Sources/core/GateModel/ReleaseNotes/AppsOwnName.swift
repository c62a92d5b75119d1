/// The name of a form or of release notes that an app brought with its own call, like "weekly-plan@1000". The number is
/// the user whose app it is. Nothing that an administrator installs can have such a name.
package struct AppsOwnName: Hashable, Sendable {
    package let name: String
    package let uid: UInt32

    package init(_ name: String, of uid: UInt32) {
        self.name = name
        self.uid = uid
    }

    /// `nil` if the text is not such a name.
    package init?(_ text: String) {
        // Splits by bytes. Searching for a character from the end takes quadratic time in a text of many flag emoji.
        guard let (name, number) = text.cut(atLast: "@"), let uid = UInt32(number) else { return nil }
        self.init(name, of: uid)
        guard self.text == text else { return nil }
    }

    package var text: String { "\(name)@\(uid)" }
}
