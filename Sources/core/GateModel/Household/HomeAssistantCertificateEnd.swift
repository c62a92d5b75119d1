/// When the certificate ends with which Home Assistant gets into the household's broker. A person has to make the next one and bring it there, so the
/// device that made it keeps the day, and says so in time.
package struct HomeAssistantCertificateEnd: Hashable, Sendable {
    /// The file with it, from the configuration directory.
    package static let path = "household/home-assistant-until"
    /// How long before that it is said.
    private static let warningMilliseconds: Int64 = 30 * 24 * 3600 * 1000

    /// The last day on which the certificate is good, or was.
    package let day: CivilDate

    /// The end of a certificate that was just made.
    package init(_ end: WallTime) { day = CivilDate(end) }

    /// The content of the file; `nil`: it says no day.
    package init?(_ content: [UInt8]) {
        guard let day = CivilDate(String(decoding: content.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) else {
            return nil
        }
        self.day = day
    }

    /// The content of the file.
    package var content: [UInt8] { Array("\(day)\n".utf8) }

    /// Whether it is time to make the next one.
    package func isNear(at now: WallTime) -> Bool {
        CivilDate(WallTime(unixMilliseconds: now.unixMilliseconds + Self.warningMilliseconds)) >= day
    }
}
