/// The day on which Home Assistant's certificate for the household's broker expires. A person has to make the next one
/// and take it to Home Assistant. So the device that made the certificate remembers the day and gives notice 30 days
/// before.
package struct HomeAssistantCertificateEnd: Hashable, Sendable {
    /// The file that holds the day, relative to the configuration directory.
    package static let path = "household/home-assistant-until"
    private static let warningMilliseconds: Int64 = 30 * 24 * 3600 * 1000

    /// The last day of the certificate, in UTC.
    package let day: CivilDate

    package init(_ end: WallTime) { day = CivilDate(end) }

    /// Reads the content of the file. `nil` if its first line is not a date.
    package init?(_ content: [UInt8]) {
        guard let day = CivilDate(String(decoding: content.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)) else {
            return nil
        }
        self.day = day
    }

    package var content: [UInt8] { Array("\(day)\n".utf8) }

    /// Whether the certificate expires within 30 days, or has expired.
    package func isNear(at now: WallTime) -> Bool {
        CivilDate(WallTime(unixMilliseconds: now.unixMilliseconds + Self.warningMilliseconds)) >= day
    }
}
