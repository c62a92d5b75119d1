package import GateModel

/// The words on Home Assistant's certificate, of both programs that know of it.
package enum HomeAssistantText {
    /// It ends soon, or has ended, and what to do.
    package static func ending(_ end: HomeAssistantCertificateEnd) -> String {
        localized(
            "Home Assistant's certificate is good until {date}. Make another one and bring it there: `sudo gate-household home-assistant --folder FOLDER`.",
            ["date": "\(end.day)"])
    }
}
