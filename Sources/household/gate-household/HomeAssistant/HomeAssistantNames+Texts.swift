import GateHousehold
import GateTexts

extension HomeAssistantNames {
    /// In the language of this device: Home Assistant shows them as they come.
    static var inLanguageOfDevice: HomeAssistantNames {
        HomeAssistantNames(
            mode: localized("Mode"), end: localized("Parent mode until"),
            connection: localized("Connection"), lock: localized("Lock"),
            extend: localized("Extend parent mode"), request: localized("Last request"))
    }
}
