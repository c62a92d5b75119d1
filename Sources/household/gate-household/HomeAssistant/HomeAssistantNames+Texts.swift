import GateHousehold
import GateTexts

extension HomeAssistantNames {
    /// Home Assistant shows these names as they come, so they are in the language of this device.
    static var inLanguageOfDevice: HomeAssistantNames {
        HomeAssistantNames(
            mode: localized("Mode"), end: localized("Parent mode until"),
            connection: localized("Connection"), lock: localized("Lock"),
            extend: localized("Extend parent mode"), request: localized("Last request"),
            used: localized("Time used today"), usedByPerson: localized("Time used today: {name}"))
    }
}
