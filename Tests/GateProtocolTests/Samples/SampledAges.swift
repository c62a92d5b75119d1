import GateModel
import GateProtocol

// Random messages of age.proto.

extension SplitMix {
    fileprivate mutating func ageSettings() -> AgeSettings {
        AgeSettings(isOn: bool(), gates: array { Int($0.integer() as UInt32) })
    }

    mutating func ageState() -> AgeState {
        AgeState(settings: ageSettings(), waiting: array { AgeApp.sample(using: &$0) })
    }

    fileprivate mutating func years() -> Int? { optional { Int.random(in: 1...Int(UInt32.max), using: &$0) } }
}

extension AgeApp: SampledElement {
    static func sample(using random: inout SplitMix) -> Self {
        AgeApp(
            person: random.text(), app: random.text(), choice: random.any(of: AgeChoice.self), isWaiting: random.bool())
    }
}

extension QueryAgeRangeResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            range: random.optional {
                AgeRange(low: $0.years(), high: $0.years(), source: $0.any(of: AgeRange.Source.self))
            })
    }
}

extension GetAgeSettingsResponse: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self { Self(settings: random.ageSettings()) }
}

extension SetAgeSettingsRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        let settings = random.ageSettings()
        return Self(
            isOn: settings.isOn, gates: settings.gates,
            grant: random.optional { Grant.Proof(bytes: [1] + $0.bytes()) })
    }
}

extension SetAgeChoiceRequest: SampledMessage {
    static func sample(using random: inout SplitMix) -> Self {
        Self(
            person: random.text(), app: random.text(), choice: random.any(of: AgeChoice.self),
            grant: random.optional { Grant.Proof(bytes: [1] + $0.bytes()) })
    }
}
