package import GateModel

/// What several programs say about Home Assistant's certificate.
package enum HomeAssistantText {
    package static func ending(_ end: HomeAssistantCertificateEnd) -> String {
        localized(
            "Home Assistant's certificate is good until {date}. Make another one and bring it there: `sudo gate-household home-assistant --folder FOLDER`.",
            ["date": "\(end.day)"])
    }
}
